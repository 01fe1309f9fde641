// The embedded speech engine: Flite in threads of its own, English.
//
// Guarantees: a part that is no longer wanted is not made, and a thread that is working on it is ended, whatever it
// does; a thread that dies takes only its own part with it; at most `threadsMax` threads, none idle for long.

import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { SpeechEngine } from "./engine.ts";

export const FLITE_VOICES = ["slt", "rms", "awb", "kal", "kal16"] as const;

export interface FliteOptions {
  readonly voice: (typeof FLITE_VOICES)[number];
  /** The program of the threads; the build puts it beside ours. */
  readonly workerFile?: URL;
  readonly threadsMax?: number;
}

export type FliteAnswer =
  | { readonly samples: Int16Array; readonly fault?: undefined }
  | { readonly samples?: undefined; readonly fault: string };

const BUILT_WORKER = new URL("./flite-worker.js", import.meta.url);
const THREADS_MAX = 4;
/** A thread takes a hundred megabytes, and a quarter of a second to start. */
const IDLE_MS = 60_000;

interface Job {
  readonly text: string;
  readonly settle: (answer: FliteAnswer) => void;
}

interface Thread {
  readonly worker: Worker;
  job: Job | undefined;
  /** Ends the thread when it gets no job. */
  readonly idle: NodeJS.Timeout;
}

export class FliteEngine implements SpeechEngine {
  readonly #options: FliteOptions;
  readonly #threadsMax: number;
  readonly #threads = new Set<Thread>();
  readonly #waiting: Job[] = [];

  constructor(options: FliteOptions) {
    this.#options = options;
    this.#threadsMax = options.threadsMax ?? Math.max(1, Math.min(THREADS_MAX, availableParallelism() - 1));
  }

  make(text: string, stop: AbortSignal): Promise<Int16Array> {
    const plain = plainText(text);
    if (!/[A-Za-z0-9]/.test(plain)) return withoutWords(text);
    return new Promise((resolve, reject) => {
      const drop = () => this.#drop(job);
      const job: Job = {
        text: plain,
        settle: ({ samples, fault }) => {
          stop.removeEventListener("abort", drop);
          if (samples) resolve(samples);
          else reject(new Error(fault));
        },
      };
      if (stop.aborted) {
        job.settle({ fault: STOPPED });
        return;
      }
      stop.addEventListener("abort", drop);
      this.#waiting.push(job);
      this.#assign();
    });
  }

  async close(): Promise<void> {
    for (const job of this.#waiting.splice(0)) job.settle({ fault: STOPPED });
    await Promise.all([...this.#threads].map((thread) => this.#end(thread, STOPPED)));
  }

  #assign(): void {
    while (this.#waiting.length > 0) {
      const idle = [...this.#threads].find(({ job }) => !job);
      const thread = idle ?? (this.#threads.size < this.#threadsMax ? this.#start() : undefined);
      if (!thread) return;
      thread.job = this.#waiting.shift();
      thread.worker.postMessage(thread.job?.text);
    }
  }

  #start(): Thread {
    const { workerFile = BUILT_WORKER, voice } = this.#options;
    const worker = new Worker(workerFile, { workerData: { voice } });
    worker.unref();
    const idle = setTimeout(() => void (thread.job || this.#end(thread, STOPPED)), IDLE_MS).unref();
    const thread: Thread = { worker, job: undefined, idle };
    this.#threads.add(thread);
    worker.on("message", (answer: FliteAnswer) => {
      const { job } = thread;
      thread.job = undefined;
      thread.idle.refresh();
      job?.settle(answer);
      this.#assign();
    });
    worker.on("error", (fault) => void this.#end(thread, `the engine ended: ${fault.message}`));
    worker.on("exit", () => void this.#end(thread, "the engine ended"));
    return thread;
  }

  async #end(thread: Thread, reason: string): Promise<void> {
    if (!this.#threads.delete(thread)) return;
    const { job, worker, idle } = thread;
    clearTimeout(idle);
    thread.job = undefined;
    job?.settle({ fault: reason });
    this.#assign();
    await worker.terminate();
  }

  #drop(job: Job): void {
    const place = this.#waiting.indexOf(job);
    if (place >= 0) this.#waiting.splice(place, 1);
    const thread = [...this.#threads].find((each) => each.job === job);
    if (thread) void this.#end(thread, STOPPED);
    else job.settle({ fault: STOPPED });
  }
}

const STOPPED = "it is no longer wanted";

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
