// Sounds that programs of calls play from URLs: WAV files, fetched through the address guard each time.
//
// Guarantees: few files are fetched at the same time, and accounts take turns; what an account's sounds hold in memory
// is bounded. A file is converted while it is played, so that a long one does not keep this process busy.

import { FairPlaces } from "../../base/fair-places.ts";
import type { Result } from "../../base/result.ts";
import type { FetchedSound, Sounds } from "../../domain/voice/index.ts";
import { telephoneParts } from "../../wire/audio/resample.ts";
import { readWav } from "../../wire/audio/wav.ts";

export interface FetchedSoundsDeps {
  readonly fetch: (
    url: string,
    stop: AbortSignal,
  ) => Promise<Result<{ readonly bytes: Uint8Array; readonly contentType: string }, { readonly detail: string }>>;
}

const PLACES = { places: 16, placesPerAccount: 8 };
/** Of all sounds that an account plays at the same time. */
const OCTETS_MAX = 32 * 1024 * 1024;
/** A second. */
const PART_SAMPLES = 8_000;

export class FetchedSounds implements Sounds {
  readonly #deps: FetchedSoundsDeps;
  readonly #places = new FairPlaces(PLACES);
  /** Octets by account. */
  readonly #held = new Map<string, number>();

  constructor(deps: FetchedSoundsDeps) {
    this.#deps = deps;
  }

  async *play({ accountSid, url }: FetchedSound, stop: AbortSignal): AsyncGenerator<Int16Array, void, void> {
    const fetched = await this.#places.run(accountSid, () => this.#deps.fetch(url, stop), stop);
    if (!fetched.ok) throw new Error(`${url}: ${fetched.refusal.detail}`);
    const { bytes, contentType } = fetched.value;
    const read = readWav(bytes);
    if (!read.ok) throw new Error(`${url} is ${contentType}, and no WAV file that can be played: ${read.refusal}.`);
    if (stop.aborted) return;
    this.#hold(accountSid, read.value.samples.byteLength, stop);
    yield* telephoneParts(read.value, PART_SAMPLES);
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
