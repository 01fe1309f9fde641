// A greedy account's clients, in a process of their own, so that what they read does not delay what is measured here.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

export class Crowd {
  readonly #process: ChildProcess;
  readonly #ended: Promise<unknown>;

  private constructor(process: ChildProcess) {
    this.#process = process;
    this.#ended = once(process, "exit");
  }

  /** Resolves when the program says that its clients are busy: it sends a message. */
  static async start(program: string, args: readonly string[]): Promise<Crowd> {
    const started = fork(`bench/neighbours/${program}`, [...args], { execArgv: ["--import", "tsx"] });
    const crowd = new Crowd(started);
    await Promise.race([
      once(started, "message"),
      crowd.#ended.then(() => Promise.reject(new Error(`${program} ended`))),
    ]);
    return crowd;
  }

  /** The program ends when it is disconnected. */
  async stop(): Promise<void> {
    if (!this.#process.connected) throw new Error("the clients of the greedy account have ended early");
    this.#process.disconnect();
    await this.#ended;
  }
}
