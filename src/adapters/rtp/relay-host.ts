// The engine's end of the thread or process that holds the sockets: starts it, sends it orders and receives its
// reports. When it dies, its legs are lost: each is reported as inactive, and the next leg starts a new one.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { MediaOrder, MediaReport, RelaySettings } from "./control.ts";

export interface RelayOwner {
  hear(report: MediaReport): void;
  /** Called once, when it ended without being asked to. */
  lost(reason: string): void;
}

export interface RelayHost {
  order(order: MediaOrder): void;
  close(): Promise<void>;
}

/** `file` is the program to run. */
export function startRelay(file: URL, settings: RelaySettings, owner: RelayOwner): RelayHost {
  return settings.path === "fast" ? startProcess(file, settings, owner) : startThread(file, settings, owner);
}

function startThread(file: URL, workerData: RelaySettings, owner: RelayOwner): RelayHost {
  const worker = new Worker(file, { workerData });
  worker.unref();
  let isClosing = false;
  let reason = "it ended";
  worker.on("message", (report: MediaReport) => owner.hear(report));
  worker.on("error", (error) => {
    reason = error.message;
  });
  worker.on("exit", () => {
    if (!isClosing) owner.lost(reason);
  });
  return {
    order: (order) => worker.postMessage(order),
    async close() {
      isClosing = true;
      await worker.terminate();
    },
  };
}

function startProcess(file: URL, settings: RelaySettings, owner: RelayOwner): RelayHost {
  const child: ChildProcess = fork(fileURLToPath(file), [JSON.stringify(settings)], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    execArgv: [],
    // Speech is samples, which JSON would make ten times as long.
    serialization: "advanced",
  });
  child.unref();
  child.channel?.unref();
  let isClosing = false;
  child.on("message", (report) => owner.hear(report as MediaReport));
  // A broken channel is followed by `exit`.
  child.on("error", () => {});
  child.on("exit", (code, signal) => {
    if (!isClosing) owner.lost(`it ended with ${signal ?? code}`);
  });
  return {
    order: (order) => void child.send(order, () => {}),
    async close() {
      isClosing = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    },
  };
}
