// Programs that do one job at a time each: encoders of recordings and speech engines. They are started when there is
// work, and ended after a while without any.
//
// A program may do its job in units: it reports each, and goes on at `GO_ON`. Until then it keeps its place and
// its memory, and uses no processor.
//
// Guarantees: never more than `sizeMax` programs, including those that are being ended; every job settles, also when
// its program dies or reports nothing for too long; a job that is no longer wanted is not begun, and if it was begun,
// its program is ended.

import type { Program, StartProgram } from "./program.ts";

/** What a program reports about its job. `progress`: it is still at work. `unitDone`: it waits for `GO_ON`. */
export type JobReport<Value> =
  | { readonly kind: "progress" }
  | { readonly kind: "unitDone" }
  | { readonly kind: "done"; readonly value: Value }
  | { readonly kind: "failed"; readonly reason: string; readonly code?: string | undefined };

/** Sent to a program that has done a unit of its job. */
export const GO_ON = "goOn";

export interface JobTerms {
  /** When it aborts, the job is no longer wanted. */
  readonly stop?: AbortSignal | undefined;
  /** Awaited before the program goes on with the next unit; by default it goes on at once. */
  readonly nextUnit?: (() => Promise<void>) | undefined;
}

export interface WorkerPoolOptions {
  /** What error messages call a program, such as `encoder`. */
  readonly name: string;
  readonly start: StartProgram;
  readonly sizeMax: number;
  /** How long a program may have no job. */
  readonly idleMs: number;
  /** How long a program may report nothing about its job; by default any time. */
  readonly silenceMs?: number | undefined;
}

interface Job<Value> {
  readonly order: unknown;
  readonly nextUnit: () => Promise<void>;
  readonly done: (value: Value) => void;
  readonly failed: (fault: Error) => void;
}

interface PoolWorker<Value> {
  readonly program: Program;
  job: Job<Value> | undefined;
  timer: NodeJS.Timeout | undefined;
  /** Why it is being ended; it gets no more jobs. */
  ending: string | undefined;
}

const UNWANTED = "it is no longer wanted";

export class WorkerPool<Value> {
  readonly #options: WorkerPoolOptions;
  readonly #waiting: Job<Value>[] = [];
  readonly #workers = new Set<PoolWorker<Value>>();
  #closed: (() => void) | undefined;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
  }

  /** Programs that have not ended yet. */
  get size(): number {
    return this.#workers.size;
  }

  run(order: unknown, { stop, nextUnit = async () => undefined }: JobTerms = {}): Promise<Value> {
    let drop = () => {};
    const running = new Promise<Value>((done, failed) => {
      const job: Job<Value> = { order, nextUnit, done, failed };
      drop = () => this.#drop(job);
      if (this.#closed || stop?.aborted) return failed(new Error(stop?.aborted ? UNWANTED : this.#closedReason));
      stop?.addEventListener("abort", drop);
      this.#waiting.push(job);
      this.#assign();
    });
    return running.finally(() => stop?.removeEventListener("abort", drop));
  }

  /** Resolves when all programs have ended. */
  async close(): Promise<void> {
    const ended = new Promise<void>((resolve) => {
      this.#closed = resolve;
    });
    for (const job of this.#waiting.splice(0)) job.failed(new Error(this.#closedReason));
    for (const worker of this.#workers) this.#end(worker, this.#closedReason);
    if (this.size > 0) await ended;
  }

  get #closedReason(): string {
    return `the ${this.#options.name}s were closed`;
  }

  #assign(): void {
    while (this.#waiting.length > 0) {
      const free = [...this.#workers].find(({ job, ending }) => !job && ending === undefined);
      const worker = free ?? (this.size < this.#options.sizeMax ? this.#start() : undefined);
      if (!worker) return;
      worker.job = this.#waiting.shift();
      worker.program.hold(true);
      worker.program.send(worker.job?.order);
      this.#watch(worker);
    }
  }

  #start(): PoolWorker<Value> {
    const program = this.#options.start({
      hear: (report) => this.#hear(worker, report as JobReport<Value>),
      ended: (reason, code) => this.#ended(worker, worker.ending ?? reason, code),
    });
    const worker: PoolWorker<Value> = { program, job: undefined, timer: undefined, ending: undefined };
    this.#workers.add(worker);
    return worker;
  }

  /** A program with a job must report in time; one without a job is ended after a while. */
  #watch(worker: PoolWorker<Value>): void {
    const { silenceMs, idleMs } = this.#options;
    clearTimeout(worker.timer);
    const [ms, reason] = worker.job
      ? ([silenceMs, `it made no progress for ${(silenceMs ?? 0) / 1000} s`] as const)
      : ([idleMs, "it had nothing to do"] as const);
    if (ms !== undefined) worker.timer = setTimeout(() => this.#end(worker, reason), ms).unref();
  }

  #hear(worker: PoolWorker<Value>, report: JobReport<Value>): void {
    const { job } = worker;
    if (!job || worker.ending !== undefined) return;
    if (report.kind === "unitDone") {
      this.#waitForUnit(worker, job);
      return;
    }
    if (report.kind !== "progress") {
      worker.job = undefined;
      worker.program.hold(false);
      if (report.kind === "done") job.done(report.value);
      else job.failed(Object.assign(new Error(report.reason), { code: report.code }));
    }
    this.#watch(worker);
    this.#assign();
  }

  /** A program that waits has nothing to report. */
  #waitForUnit(worker: PoolWorker<Value>, job: Job<Value>): void {
    clearTimeout(worker.timer);
    const goOn = () => {
      if (worker.job !== job || worker.ending !== undefined) return;
      worker.program.send(GO_ON);
      this.#watch(worker);
    };
    job.nextUnit().then(goOn, (fault: Error) => {
      if (worker.job === job) this.#end(worker, fault.message);
    });
  }

  #end(worker: PoolWorker<Value>, reason: string): void {
    worker.ending ??= reason;
    clearTimeout(worker.timer);
    worker.program.kill();
  }

  /** Only now is there a place for another program. */
  #ended(worker: PoolWorker<Value>, reason: string, code: string | undefined): void {
    const { job } = worker;
    clearTimeout(worker.timer);
    worker.job = undefined;
    this.#workers.delete(worker);
    const fault = new Error(`the ${this.#options.name} was lost: ${reason}`);
    job?.failed(Object.assign(fault, { code }));
    this.#assign();
    if (this.size === 0) this.#closed?.();
  }

  #drop(job: Job<Value>): void {
    const place = this.#waiting.indexOf(job);
    if (place >= 0) this.#waiting.splice(place, 1);
    job.failed(new Error(UNWANTED));
    for (const worker of this.#workers) if (worker.job === job) this.#end(worker, UNWANTED);
  }
}
