// Encodes segments in processes of low priority: one less than there are processors, and at least one. They are started
// when there is work, and stopped after a while without any.
//
// Guarantees: never more processes than that; every order settles, even when its process dies or stops making progress.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import type { EncodedSegment, SegmentOrder } from "./encode-segment.ts";

export type EncoderReport =
  | { readonly kind: "progress" }
  | { readonly kind: "encoded"; readonly segment: EncodedSegment }
  | { readonly kind: "failed"; readonly reason: string; readonly code: string | undefined };

export interface EncoderPoolOptions {
  /** The program to run; the build puts it beside ours. */
  readonly program?: URL;
  readonly execArgv?: readonly string[];
  /** The machine's `lame` program, in place of the built-in encoder. */
  readonly lame?: string | undefined;
  readonly sizeMax?: number;
  /** An encoder that reports nothing for this long is killed. */
  readonly silenceMs?: number;
  readonly idleMs?: number;
}

const BUILT_PROGRAM = new URL("./mp3-encoder.js", import.meta.url);
const SILENCE_MS = 300_000;
const IDLE_MS = 30_000;

interface Job {
  readonly order: SegmentOrder;
  readonly done: (segment: EncodedSegment) => void;
  readonly failed: (error: Error) => void;
}

export class EncoderPool {
  readonly sizeMax: number;
  readonly #options: EncoderPoolOptions;
  readonly #waiting: Job[] = [];
  readonly #idle: Encoder[] = [];
  readonly #all = new Set<Encoder>();
  #isClosed = false;

  constructor(options: EncoderPoolOptions = {}) {
    this.#options = options;
    this.sizeMax = options.sizeMax ?? Math.max(1, availableParallelism() - 1);
  }

  /** Running processes. */
  get size(): number {
    return this.#all.size;
  }

  encode(order: SegmentOrder): Promise<EncodedSegment> {
    return new Promise((done, failed) => {
      this.#waiting.push({ order, done, failed });
      this.#assign();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const job of this.#waiting.splice(0)) job.failed(new Error("the encoders were closed"));
    await Promise.all([...this.#all].map((encoder) => encoder.end()));
  }

  #assign(): void {
    while (this.#waiting.length > 0 && !this.#isClosed) {
      const encoder = this.#idle.pop() ?? this.#start();
      const job = encoder && this.#waiting.shift();
      if (!job) return;
      encoder.take(job);
    }
  }

  #start(): Encoder | undefined {
    if (this.#all.size >= this.sizeMax) return undefined;
    const encoder = new Encoder(this.#options, {
      free: () => {
        this.#idle.push(encoder);
        this.#assign();
      },
      ended: () => {
        this.#all.delete(encoder);
        const place = this.#idle.indexOf(encoder);
        if (place >= 0) this.#idle.splice(place, 1);
        this.#assign();
      },
    });
    this.#all.add(encoder);
    return encoder;
  }
}

interface EncoderOwner {
  readonly free: () => void;
  readonly ended: () => void;
}

/** One process. */
class Encoder {
  readonly #child: ChildProcess;
  readonly #owner: EncoderOwner;
  readonly #silenceMs: number;
  readonly #idleMs: number;
  #job: Job | undefined;
  #timer: NodeJS.Timeout | undefined;
  #reason: string | undefined;
  /** The code of its first error, for instance why it could not be started. */
  #code: string | undefined;

  constructor(
    { program = BUILT_PROGRAM, execArgv = [], lame, silenceMs = SILENCE_MS, idleMs = IDLE_MS }: EncoderPoolOptions,
    owner: EncoderOwner,
  ) {
    this.#owner = owner;
    this.#silenceMs = silenceMs;
    this.#idleMs = idleMs;
    this.#child = fork(fileURLToPath(program), lame === undefined ? [] : [lame], {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      execArgv: [...execArgv],
    });
    this.#child.on("message", (report) => this.#hear(report as EncoderReport));
    // A broken channel is followed by `exit`; a program that could not be started is not.
    this.#child.on("error", (error: NodeJS.ErrnoException) => {
      this.#reason ??= error.message;
      this.#code ??= error.code;
      if (this.#child.pid === undefined) this.#exited("it could not be started");
    });
    this.#child.on("exit", (code, signal) => this.#exited(`it ended with ${signal ?? code}`));
  }

  take(job: Job): void {
    this.#job = job;
    this.#child.ref();
    this.#child.channel?.ref();
    this.#child.send(job.order, () => {});
    this.#watch();
  }

  async end(): Promise<void> {
    if (this.#child.pid === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, "exit");
    // Otherwise this process could exit before its encoder has.
    this.#child.ref();
    this.#kill("the encoders were closed");
    await exited;
  }

  #watch(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#kill(`it made no progress for ${this.#silenceMs / 1000} s`), this.#silenceMs);
    this.#timer.unref();
  }

  #hear(report: EncoderReport): void {
    if (report.kind === "progress") {
      this.#watch();
      return;
    }
    const job = this.#job;
    this.#job = undefined;
    // An idle encoder does not keep this process alive.
    this.#child.unref();
    this.#child.channel?.unref();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#kill("it had nothing to do"), this.#idleMs);
    this.#timer.unref();
    if (report.kind === "encoded") job?.done(report.segment);
    else job?.failed(Object.assign(new Error(report.reason), { code: report.code }));
    this.#owner.free();
  }

  #kill(reason: string): void {
    this.#reason ??= reason;
    // It gets no more jobs, although it takes a moment to end.
    this.#owner.ended();
    this.#child.kill("SIGKILL");
  }

  #exited(how: string): void {
    clearTimeout(this.#timer);
    this.#owner.ended();
    const fault = new Error(`the encoder was lost: ${this.#reason ?? how}`);
    this.#job?.failed(Object.assign(fault, { code: this.#code }));
    this.#job = undefined;
  }
}
