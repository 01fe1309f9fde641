// The embedded speech engine: Flite in threads of its own, English.
//
// Guarantees: a part that is no longer wanted is not made, and a thread that is working on it is ended, whatever it
// does; a thread that dies takes only its own part with it; at most `threadsMax` threads, none idle for long.

import { availableParallelism } from "node:os";
import { threadOf } from "../program.ts";
import { WorkerPool } from "../worker-pool.ts";
import type { SpeechEngine } from "./engine.ts";

export const FLITE_VOICES = ["slt", "rms", "awb", "kal", "kal16"] as const;

export interface FliteOptions {
  readonly voice: (typeof FLITE_VOICES)[number];
  /** The program of the threads; the build puts it beside ours. */
  readonly workerFile?: URL;
  readonly threadsMax?: number;
}

const BUILT_WORKER = new URL("./flite-worker.js", import.meta.url);
const THREADS_MAX = 4;
/** A thread takes a hundred megabytes, and a quarter of a second to start. */
const IDLE_MS = 60_000;

export class FliteEngine implements SpeechEngine {
  readonly places: number;
  readonly #pool: WorkerPool<Int16Array>;

  constructor({ voice, workerFile = BUILT_WORKER, threadsMax }: FliteOptions) {
    this.places = threadsMax ?? Math.max(1, Math.min(THREADS_MAX, availableParallelism() - 1));
    const start = threadOf(workerFile, { voice });
    this.#pool = new WorkerPool({ name: "engine", start, sizeMax: this.places, idleMs: IDLE_MS });
  }

  make(text: string, stop: AbortSignal): Promise<Int16Array> {
    const plain = plainText(text);
    return /[A-Za-z0-9]/.test(plain) ? this.#pool.run(plain, { stop }) : withoutWords(text);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** Flite reads ASCII: accents are left out, and typographic punctuation becomes ASCII. */
function plainText(text: string): string {
  return text
    .replace(/[‘’‚′]/g, "'")
    .replace(/[“”„″«»]/g, '"')
    .replace(/[‐-―]/g, "-")
    .replace(/…/g, "...")
    .replace(/ß/g, "ss")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^\x20-\x7e]/g, " ");
}

/** Punctuation alone gives silence; words that cannot be spoken are a fault. */
function withoutWords(text: string): Promise<Int16Array> {
  if (!/[\p{L}\p{N}]/u.test(text)) return Promise.resolve(new Int16Array());
  return Promise.reject(new Error("the voice speaks English alone: see `speech` in tandem.config.json"));
}
