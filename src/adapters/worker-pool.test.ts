import { expect, test } from "vitest";
import type { ProgramOwner } from "./program.ts";
import { GO_ON, WorkerPool, type WorkerPoolOptions } from "./worker-pool.ts";

/** A program that does what the test says. */
class FakeProgram {
  readonly owner: ProgramOwner;
  readonly orders: unknown[] = [];
  isKilled = false;
  isHeld = true;

  constructor(owner: ProgramOwner) {
    this.owner = owner;
  }

  send(order: unknown): void {
    this.orders.push(order);
  }

  hold(isHeld: boolean): void {
    this.isHeld = isHeld;
  }

  kill(): void {
    this.isKilled = true;
  }

  done(value: string): void {
    this.owner.hear({ kind: "done", value });
  }
}

function newPool(options: Partial<WorkerPoolOptions> = {}) {
  const programs: FakeProgram[] = [];
  const start = (owner: ProgramOwner) => {
    const program = new FakeProgram(owner);
    programs.push(program);
    return program;
  };
  const pool = new WorkerPool<string>({ name: "engine", start, sizeMax: 2, idleMs: 60_000, ...options });
  return { pool, programs, program: (at: number) => programs[at] as FakeProgram };
}

test("a free program gets the next job, and more are started only while all are busy", async () => {
  const { pool, programs, program } = newPool();
  const jobs = ["a", "b", "c"].map((order) => pool.run(order));
  expect(programs.map(({ orders }) => orders)).toEqual([["a"], ["b"]]);
  program(1).done("B");
  expect(await jobs[1]).toBe("B");
  expect(program(1).orders).toEqual(["b", "c"]);
  program(1).done("C");
  program(0).done("A");
  expect(await Promise.all(jobs)).toEqual(["A", "B", "C"]);
  const last = pool.run("d");
  expect(pool.size).toBe(2);
  expect(program(0).orders).toEqual(["a", "d"]);
  program(0).done("D");
  expect(await last).toBe("D");
});

test("only a program with a job keeps the process alive", async () => {
  const { pool, program } = newPool();
  const job = pool.run("a");
  expect(program(0).isHeld).toBe(true);
  program(0).done("A");
  await job;
  expect(program(0).isHeld).toBe(false);
});

test("a failed job is reported with its code, and the program goes on", async () => {
  const { pool, programs, program } = newPool({ sizeMax: 1 });
  const [first, second] = [pool.run("a"), pool.run("b")];
  program(0).owner.hear({ kind: "failed", reason: "no space", code: "ENOSPC" });
  await expect(first).rejects.toMatchObject({ message: "no space", code: "ENOSPC" });
  program(0).done("B");
  expect(await second).toBe("B");
  expect(programs).toHaveLength(1);
});

test("a program that dies fails its job alone, and is replaced", async () => {
  const { pool, program } = newPool({ sizeMax: 1 });
  const [first, second] = [pool.run("a"), pool.run("b")];
  program(0).owner.ended("it ended with 1", "EPIPE");
  await expect(first).rejects.toMatchObject({ message: "the engine was lost: it ended with 1", code: "EPIPE" });
  expect(pool.size).toBe(1);
  program(1).done("B");
  expect(await second).toBe("B");
});

test("a killed program takes up its place until it has ended", async () => {
  const { pool, programs, program } = newPool({ sizeMax: 1, silenceMs: 1 });
  const [first, second] = [pool.run("a"), pool.run("b")];
  await expect.poll(() => program(0).isKilled).toBe(true);
  expect(programs).toHaveLength(1);
  // What it reports now is too late.
  program(0).done("A");
  expect(program(0).orders).toEqual(["a"]);
  program(0).owner.ended("it ended with SIGKILL");
  await expect(first).rejects.toThrow("the engine was lost: it made no progress for 0.001 s");
  program(1).done("B");
  expect(await second).toBe("B");
});

test("progress keeps a slow program alive", async () => {
  const { pool, program } = newPool({ silenceMs: 1_000 });
  const job = pool.run("a");
  program(0).owner.hear({ kind: "progress" });
  program(0).done("A");
  expect(await job).toBe("A");
});

test("a program that has done a unit goes on when it is told to, and its silence until then is no fault", async () => {
  const { pool, program } = newPool({ silenceMs: 20 });
  const turns: (() => void)[] = [];
  const job = pool.run("a", { nextUnit: () => new Promise((resolve) => void turns.push(resolve)) });
  program(0).owner.hear({ kind: "unitDone" });
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect([program(0).isKilled, program(0).isHeld, program(0).orders]).toEqual([false, true, ["a"]]);
  turns[0]?.();
  await expect.poll(() => program(0).orders).toEqual(["a", GO_ON]);
  program(0).done("A");
  expect(await job).toBe("A");
  const alone = pool.run("b");
  program(0).owner.hear({ kind: "unitDone" });
  await expect.poll(() => program(0).orders).toEqual(["a", GO_ON, "b", GO_ON]);
  // Now its silence counts again.
  await expect.poll(() => program(0).isKilled).toBe(true);
  program(0).owner.ended("it ended with SIGKILL");
  await expect(alone).rejects.toThrow("it made no progress");
});

test("a program that dies while it waits is replaced, and is told nothing", async () => {
  const { pool, program } = newPool({ sizeMax: 1 });
  let goOn = () => {};
  const nextUnit = () =>
    new Promise<void>((resolve) => {
      goOn = resolve;
    });
  const [first, second] = [pool.run("a", { nextUnit }), pool.run("b")];
  program(0).owner.hear({ kind: "unitDone" });
  program(0).owner.ended("it ended with 1");
  await expect(first).rejects.toThrow("the engine was lost: it ended with 1");
  goOn();
  await Promise.resolve();
  expect([program(0).orders, program(1).orders]).toEqual([["a"], ["b"]]);
  program(1).done("B");
  expect(await second).toBe("B");
});

test("a job whose next unit is refused fails with the reason, and ends its program", async () => {
  const { pool, program } = newPool();
  const job = pool.run("a", { nextUnit: () => Promise.reject(new Error("the queue was closed")) });
  program(0).owner.hear({ kind: "unitDone" });
  await expect.poll(() => program(0).isKilled).toBe(true);
  program(0).owner.ended("it ended with SIGKILL");
  await expect(job).rejects.toThrow("the engine was lost: the queue was closed");
});

test("a program without a job is ended", async () => {
  const { pool, program } = newPool({ idleMs: 1 });
  const job = pool.run("a");
  program(0).done("A");
  await job;
  await expect.poll(() => program(0).isKilled).toBe(true);
  expect(pool.size).toBe(1);
  program(0).owner.ended("it ended with SIGKILL");
  expect(pool.size).toBe(0);
});

test("a job that is no longer wanted fails at once, and ends the program that does it", async () => {
  const { pool, programs, program } = newPool({ sizeMax: 1 });
  const [running, waiting] = [new AbortController(), new AbortController()];
  const jobs = [pool.run("a", { stop: running.signal }), pool.run("b", { stop: waiting.signal }), pool.run("c")];
  waiting.abort();
  await expect(jobs[1]).rejects.toThrow("no longer wanted");
  expect(program(0).isKilled).toBe(false);
  running.abort();
  await expect(jobs[0]).rejects.toThrow("no longer wanted");
  expect(program(0).isKilled).toBe(true);
  expect(programs).toHaveLength(1);
  program(0).owner.ended("it ended with SIGKILL");
  expect(program(1).orders).toEqual(["c"]);
  program(1).done("C");
  expect(await jobs[2]).toBe("C");
  await expect(pool.run("d", { stop: running.signal })).rejects.toThrow("no longer wanted");
});

test("closing refuses what waits, ends what runs, and waits for the end", async () => {
  const { pool, program } = newPool({ sizeMax: 1 });
  const jobs = [pool.run("a"), pool.run("b")];
  const refusals = Promise.all(jobs.map((job) => expect(job).rejects.toThrow("the engines were closed")));
  let isClosed = false;
  const closing = pool.close().then(() => {
    isClosed = true;
  });
  expect(program(0).isKilled).toBe(true);
  await Promise.resolve();
  expect(isClosed).toBe(false);
  program(0).owner.ended("it ended with SIGKILL");
  await closing;
  await refusals;
  await expect(pool.run("c")).rejects.toThrow("the engines were closed");
});
