// The receiver of the webhook benchmark. Listens on every loopback address, so that each endpoint can be a host of its own; paths
// below /hang never answer. Remembers when each resource first arrived; GET /report answers that and forgets it. Prints its port.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

let arrivals: [string, number][] = [];

const server = createServer((request, response) => {
  if (request.url === "/report") {
    response.end(JSON.stringify(arrivals));
    arrivals = [];
    return;
  }
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    if (request.url?.startsWith("/hang")) return;
    const body = Buffer.concat(chunks).toString("utf8");
    arrivals.push([/"Sid":"([^"]+)"/.exec(body)?.[1] ?? "", performance.timeOrigin + performance.now()]);
    response.end("ok");
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "0.0.0.0", () => console.log((server.address() as AddressInfo).port));
