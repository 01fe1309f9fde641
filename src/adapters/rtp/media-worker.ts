// The program that holds the media sockets: a thread, or for the fast path a process, so that a crash in native code
// does not lose the records of calls. It is a separate entry of the build, beside the main program.

import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { systemClock } from "../../base/clock.ts";
import type { MediaReport, RelaySettings } from "./control.ts";
import { openDgramSockets } from "./dgram-sockets.ts";
import { fastSockets } from "./fast-sockets.ts";
import { gatherSends } from "./gathered-sends.ts";
import { packReports, type SentOrder, unpackOrders } from "./packed-sound.ts";
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
  const report = reportBy((reports) => port.postMessage(packReports(reports)));
  const relay = new Relay(openDgramSockets, workerData as RelaySettings, report);
  port.on("message", (orders: readonly SentOrder[]) => carryOut(relay, orders));
} else {
  const report = reportBy((reports) => {
    // A server that is killed is noticed as it disconnects.
    process.send?.(packReports(reports), undefined, undefined, () => {});
  });
  const early: SentOrder[] = [];
  const keep = (orders: unknown) => void early.push(...(orders as readonly SentOrder[]));
  process.on("message", keep);
  // The server ends this process when its calls have ended; signals to the group are for the server.
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => {});
  process.on("disconnect", () => process.exit());
  if (!process.connected) process.exit();
  const relay = new Relay(await fastOrPortable(report), JSON.parse(process.argv[2] ?? "{}") as RelaySettings, report);
  process.off("message", keep);
  process.on("message", (orders) => carryOut(relay, orders as readonly SentOrder[]));
  carryOut(relay, early);
}

/** A port that is refused is urgent: the call waits, perhaps for many of them. */
function reportBy(send: (reports: readonly MediaReport[]) => void): (report: MediaReport) => void {
  const gathered = gatherSends<MediaReport>(systemClock, send);
  return (report) => gathered(report, report.kind === "refused");
}

function carryOut(relay: Relay, orders: readonly SentOrder[]): void {
  unpackOrders(orders, (order) => relay.carryOut(order));
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
