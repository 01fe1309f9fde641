// A program of a benchmark on a core of its own, with the options of Node that users have. It sends something when it
// is ready, answers when it is asked, in order, and exits when it is disconnected.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { RUNTIME_FLAGS } from "../../scripts/runtime-flags.mjs";

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class Pinned<Ready> {
  readonly #child: ChildProcess;
  readonly #waiting: Waiting[] = [];
  /** What it sent first. */
  readonly ready: Promise<Ready>;

  constructor(core: string, file: string, args: readonly string[]) {
    const program = [process.execPath, ...RUNTIME_FLAGS, "--import", "tsx", `bench/streams/${file}`, ...args];
    this.#child = spawn("taskset", ["-c", core, ...program], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    this.#child.on("message", (answer) => this.#waiting.shift()?.resolve(answer));
    this.#child.on("exit", (code) => {
      for (const { reject } of this.#waiting.splice(0)) reject(new Error(`${file} ended with ${code}`));
    });
    this.ready = this.#answer<Ready>();
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  ask<Answer>(): Promise<Answer> {
    const answer = this.#answer<Answer>();
    this.#child.send("ask");
    return answer;
  }

  #answer<Answer>(): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve: (answer) => resolve(answer as Answer), reject });
    });
  }

  /** Its own child that runs this file. */
  childOf(file: string): number {
    const child = readdirSync("/proc").find((name) => /^\d+$/.test(name) && this.#isChild(name, file));
    if (child === undefined) throw new Error(`${file} does not run`);
    return Number(child);
  }

  #isChild(pid: string, file: string): boolean {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
      return parent === this.pid && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(file);
    } catch {
      return false;
    }
  }

  async stop(): Promise<void> {
    if (!this.#child.connected) return;
    const exited = once(this.#child, "exit");
    this.#child.disconnect();
    await exited;
  }
}
