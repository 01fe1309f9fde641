// A program of ours that runs beside this process, in a thread or in a process of its own. Both are used alike.
//
// Guarantees: `ended` is called exactly once, when the program has ended, also when it could not be started.

import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";

export interface Program {
  send(order: unknown): void;
  /** Whether it keeps this process alive; at first it does. */
  hold(isHeld: boolean): void;
  /** Ends it immediately, whatever it does; `ended` follows. */
  kill(): void;
}

export interface ProgramOwner {
  hear(report: unknown): void;
  /** `code` is that of the error that ended it, if it has one. */
  ended(reason: string, code?: string): void;
}

export type StartProgram = (owner: ProgramOwner) => Program;

export function threadOf(file: URL, workerData: unknown): StartProgram {
  return (owner) => {
    const worker = new Worker(file, { workerData });
    let reason = "it ended";
    worker.on("message", (report) => owner.hear(report));
    worker.on("error", (error) => {
      reason = error.message;
    });
    worker.on("exit", () => owner.ended(reason));
    return {
      send: (order) => worker.postMessage(order),
      hold: (isHeld) => (isHeld ? worker.ref() : worker.unref()),
      kill: () => void worker.terminate(),
    };
  };
}

export interface ProcessOptions {
  readonly execArgv?: readonly string[];
  /** `advanced` is for samples, which JSON would make ten times as long. */
  readonly serialization?: "json" | "advanced";
}

export function processOf(
  file: URL,
  words: readonly string[],
  { execArgv = [], serialization = "json" }: ProcessOptions = {},
): StartProgram {
  return (owner) => {
    const stdio = ["ignore", "ignore", "inherit", "ipc"] as const;
    const child = fork(fileURLToPath(file), words, { stdio: [...stdio], execArgv: [...execArgv], serialization });
    let fault: NodeJS.ErrnoException | undefined;
    const ended = (how: string) => owner.ended(fault?.message ?? how, fault?.code);
    child.on("message", (report) => owner.hear(report));
    // A broken channel is followed by `exit`; a program that could not be started is not.
    child.on("error", (error) => {
      fault ??= error;
      if (child.pid === undefined) ended("it could not be started");
    });
    child.on("exit", (code, signal) => ended(`it ended with ${signal ?? code}`));
    const hold = (isHeld: boolean) => {
      const change = isHeld ? "ref" : "unref";
      child[change]();
      child.channel?.[change]();
    };
    return {
      send: (order) => void child.send(order as object, () => {}),
      hold,
      kill() {
        // Otherwise this process could exit before the program has.
        hold(true);
        child.kill("SIGKILL");
      },
    };
  };
}
