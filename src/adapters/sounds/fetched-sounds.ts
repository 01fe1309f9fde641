// Sounds that programs of calls play from URLs: WAV and MP3 files, fetched through the address guard, and kept while
// their server says by ETag or Last-Modified that they are the same.
//
// Guarantees: few files are fetched at the same time, and accounts take turns; what an account's sounds hold in memory
// is bounded. A WAV file is converted while it is played, an MP3 file is decoded in a thread, so that a long one does
// not keep this process busy.

import { FairCache } from "../../base/fair-cache.ts";
import { FairPlaces } from "../../base/fair-places.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import type { FetchedSound, Sounds } from "../../domain/voice/index.ts";
import { telephoneParts } from "../../wire/audio/resample.ts";
import { type Recorded, readWav } from "../../wire/audio/wav.ts";

/** By which a server tells whether a file is still the same. */
export interface SoundVersion {
  readonly url: string;
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
}

export interface SoundFile {
  readonly contentType: string;
  readonly bytes: Uint8Array;
  /** Undefined when its server names none. */
  readonly version: SoundVersion | undefined;
}

export interface FetchedSoundsDeps {
  readonly files: {
    /** Undefined when it is still the known version. */
    fetchNewer(
      url: string,
      known: SoundVersion | undefined,
      stop: AbortSignal,
    ): Promise<Result<SoundFile | undefined, { readonly detail: string }>>;
  };
  readonly decoder: {
    /** Samples at 8 kHz. */
    decode(accountSid: string, file: Uint8Array, stop: AbortSignal): Promise<Int16Array>;
  };
}

interface KeptSound {
  readonly version: SoundVersion;
  readonly sound: Recorded;
}

const PLACES = { places: 16, placesPerAccount: 8 };
/** Of all sounds that an account plays at the same time. */
const OCTETS_MAX = 32 * 1024 * 1024;
/** Of all sounds that are kept. */
const KEPT_OCTETS_MAX = 64 * 1024 * 1024;
const TELEPHONE_RATE = 8_000;
/** A second. */
const PART_SAMPLES = 8_000;

export class FetchedSounds implements Sounds {
  readonly #deps: FetchedSoundsDeps;
  readonly #places = new FairPlaces(PLACES);
  readonly #kept = new FairCache<KeptSound>({
    sizeMax: KEPT_OCTETS_MAX,
    sizeOf: ({ sound }) => sound.samples.byteLength + 1_000,
  });
  /** Octets by account. */
  readonly #held = new Map<string, number>();

  constructor(deps: FetchedSoundsDeps) {
    this.#deps = deps;
  }

  async *play(wanted: FetchedSound, stop: AbortSignal): AsyncGenerator<Int16Array, void, void> {
    const sound = await this.#sound(wanted, stop);
    if (stop.aborted) return;
    this.#hold(wanted.accountSid, sound.samples.byteLength, stop);
    yield* telephoneParts(sound, PART_SAMPLES);
  }

  async #sound({ accountSid, url }: FetchedSound, stop: AbortSignal): Promise<Recorded> {
    const key = `${accountSid} ${url}`;
    const kept = this.#kept.find(key);
    const fetch = () => this.#deps.files.fetchNewer(url, kept?.version, stop);
    const fetched = await this.#places.run(accountSid, fetch, stop);
    if (!fetched.ok) throw new Error(`${url}: ${fetched.refusal.detail}`);
    if (!fetched.value) return (kept as KeptSound).sound;
    const { contentType, version } = fetched.value;
    const read = await this.#read(accountSid, fetched.value, stop);
    if (!read.ok)
      throw new Error(`${url} is ${contentType}, and no WAV or MP3 file that can be played: ${read.refusal}.`);
    this.#kept.remove(key);
    if (version) this.#kept.add(accountSid, key, { version, sound: read.value });
    return read.value;
  }

  async #read(
    accountSid: string,
    { contentType, bytes }: SoundFile,
    stop: AbortSignal,
  ): Promise<Result<Recorded, string>> {
    if (contentType !== "audio/mpeg") return readWav(bytes);
    try {
      return ok({ rate: TELEPHONE_RATE, samples: await this.#deps.decoder.decode(accountSid, bytes, stop) });
    } catch (fault) {
      return refused(fault instanceof Error ? fault.message : String(fault));
    }
  }

  /** Until the sound has ended or is stopped, which both abort. */
  #hold(accountSid: string, size: number, stop: AbortSignal): void {
    const change = (octets: number) => {
      const held = (this.#held.get(accountSid) ?? 0) + octets;
      if (held > 0) this.#held.set(accountSid, held);
      else this.#held.delete(accountSid);
    };
    if ((this.#held.get(accountSid) ?? 0) + size > OCTETS_MAX) {
      throw new Error("The account plays too many sounds at the same time.");
    }
    change(size);
    stop.addEventListener("abort", () => change(-size), { once: true });
  }
}
