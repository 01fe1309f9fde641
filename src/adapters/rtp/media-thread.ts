// The engine's end of the thread that holds the sockets: starts it, gives it orders and hears its reports. A thread
// that dies has lost its legs: each is told as inactive, and the next leg starts another thread.

import { Worker } from "node:worker_threads";
import type { MediaOrder, MediaReport, ThreadSettings } from "./control.ts";

export interface ThreadOwner {
  hear(report: MediaReport): void;
  /** Once, when the thread ended without being asked to. */
  lost(reason: string): void;
}

export class MediaThread {
  readonly #worker: Worker;
  #isClosing = false;

  /** `file` is the thread's program. */
  constructor(file: URL, workerData: ThreadSettings, owner: ThreadOwner) {
    this.#worker = new Worker(file, { workerData });
    this.#worker.unref();
    let reason = "it ended";
    this.#worker.on("message", (report: MediaReport) => owner.hear(report));
    this.#worker.on("error", (error) => {
      reason = error.message;
    });
    this.#worker.on("exit", () => {
      if (!this.#isClosing) owner.lost(reason);
    });
  }

  order(order: MediaOrder): void {
    this.#worker.postMessage(order);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#worker.terminate();
  }
}
