// The thread that holds the sockets of media. It is an entry of its own in the build, beside the program.

import { parentPort, workerData } from "node:worker_threads";
import type { MediaOrder, MediaReport, ThreadSettings } from "./control.ts";
import { openDgramSockets } from "./dgram-sockets.ts";
import { Relay } from "./relay.ts";

const port = parentPort;
if (!port) throw new Error("is started by the media engine only");
const relay = new Relay(openDgramSockets, workerData as ThreadSettings, (report: MediaReport) =>
  port.postMessage(report),
);
port.on("message", (order: MediaOrder) => relay.carryOut(order));
