// Decodes MP3 files in a thread, in turns by account.
//
// Guarantees: at most one file is decoded at a time, and ten minutes of it at most; a file that the decoder cannot
// finish ends with its thread; one that is no longer wanted is not decoded.

import { FairPlaces } from "../../base/fair-places.ts";
import { threadOf } from "../program.ts";
import { WorkerPool } from "../worker-pool.ts";

const BUILT_THREAD = new URL("./mp3-thread.js", import.meta.url);
const SILENCE_MS = 30_000;
const IDLE_MS = 60_000;

export class Mp3Decoder {
  readonly #pool: WorkerPool<Int16Array>;
  readonly #places = new FairPlaces({ places: 1, placesPerAccount: 1 });

  /** The thread's program; the build puts it beside ours. */
  constructor(thread: URL = BUILT_THREAD) {
    const start = threadOf(thread, undefined);
    this.#pool = new WorkerPool({ name: "decoder", start, sizeMax: 1, idleMs: IDLE_MS, silenceMs: SILENCE_MS });
  }

  /** 8 kHz, one channel. */
  decode(accountSid: string, file: Uint8Array, stop: AbortSignal): Promise<Int16Array> {
    return this.#places.run(accountSid, () => this.#pool.run(file, { stop }), stop);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
