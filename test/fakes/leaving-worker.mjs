// A media relay that opens legs, and exits at the first order that follows.

import { parentPort } from "node:worker_threads";

const port = parentPort ?? process;
const tell = (reports) => (parentPort ? parentPort.postMessage(reports) : process.send?.(reports));

port.on("message", (orders) => {
  for (const { kind, leg } of orders) {
    if (kind !== "open") process.exit(1);
    tell([{ kind: "opened", leg }]);
  }
});
