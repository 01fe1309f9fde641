// The program that holds the media sockets: a thread, or for the fast path a process, so that a crash in native code
// does not lose the records of calls. It is a separate entry of the build, beside the main program.

import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import type { MediaOrder, MediaReport, RelaySettings } from "./control.ts";
import { openDgramSockets } from "./dgram-sockets.ts";
import { fastSockets } from "./fast-sockets.ts";
import { type OpenSockets, Relay } from "./relay.ts";

/** Audio is late after milliseconds, everything else after seconds. */
const NICENESS = -10;

try {
  // On Linux this is the priority of the thread alone.
  setPriority(NICENESS);
} catch {
  // Only root may raise it; without that, all share the processor evenly.
}

if (parentPort) {
  const port = parentPort;
  const relay = new Relay(openDgramSockets, workerData as RelaySettings, (report) => port.postMessage(report));
  port.on("message", (order: MediaOrder) => relay.carryOut(order));
} else {
  const report = (what: MediaReport) => void process.send?.(what);
  const early: MediaOrder[] = [];
  const keep = (order: unknown) => void early.push(order as MediaOrder);
  process.on("message", keep);
  // The server ends this process when its calls have ended; signals to the group are for the server.
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => {});
  process.on("disconnect", () => process.exit());
  if (!process.connected) process.exit();
  const relay = new Relay(await fastOrPortable(report), JSON.parse(process.argv[2] ?? "{}") as RelaySettings, report);
  process.off("message", keep);
  process.on("message", (order) => relay.carryOut(order as MediaOrder));
  for (const order of early) relay.carryOut(order);
}

async function fastOrPortable(report: (what: MediaReport) => void): Promise<OpenSockets> {
  try {
    if (process.platform !== "linux") throw new Error(`${process.platform} is not Linux`);
    return await fastSockets();
  } catch (error) {
    report({ kind: "notFast", reason: error instanceof Error ? error.message : String(error) });
    return openDgramSockets;
  }
}
