// The receiver of the webhook benchmark, a plain node:http server like an application's. Listens on every loopback
// address, so that each endpoint can have its own host; paths below /hang never get an answer. Records when each
// resource first arrived; GET /report returns and clears that. Prints its port.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

let arrivals: [string, number][] = [];

const server = createServer((request, response) => {
  if (request.url === "/report") {
    response.end(JSON.stringify(arrivals));
    arrivals = [];
    return;
  }
  let body = "";
  request.setEncoding("utf8");
  request.on("data", (chunk: string) => {
    body += chunk;
  });
  request.on("end", () => {
    if (request.url?.startsWith("/hang")) return;
    const start = body.indexOf('"Sid":"') + 7;
    arrivals.push([body.slice(start, body.indexOf('"', start)), performance.timeOrigin + performance.now()]);
    response.end("ok");
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "0.0.0.0", () => console.log((server.address() as AddressInfo).port));
