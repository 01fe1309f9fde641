// Counts callbacks in its own process, and answers a request for the count.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

let count = 0;
const server = createServer((request, response) => {
  count++;
  request.resume();
  response.end();
});
process.on("message", () => process.send?.({ count }));
process.on("disconnect", () => process.exit(0));
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
