// Counts callbacks in its own process, each path once. The message `callbacks` makes it report how many different ones
// have arrived, how many were repeated, and when the last one arrived; `forget` resets the counts.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Callbacks {
  readonly distinct: number;
  readonly repeated: number;
  /** By the machine's clock, in ms; 0 when none has arrived. */
  readonly lastMs: number;
}

const paths = new Set<string>();
let repeated = 0;
let lastMs = 0;
const server = createServer((request, response) => {
  const path = request.url ?? "";
  if (paths.has(path)) repeated++;
  paths.add(path);
  lastMs = performance.timeOrigin + performance.now();
  request.resume();
  response.end();
});
// Keeps idle connections open between rounds.
server.keepAliveTimeout = 600_000;
process.on("message", (question) => {
  if (question === "forget") {
    paths.clear();
    repeated = 0;
    lastMs = 0;
  }
  process.send?.({ distinct: paths.size, repeated, lastMs } satisfies Callbacks);
});
process.on("disconnect", () => process.exit(0));
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
