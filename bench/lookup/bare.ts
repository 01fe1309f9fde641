// The peer of the lookup benchmark: a bare fastify route that checks the same credentials and returns a constant.
// Arguments: account sid, token. Prints its port.

import { hash, timingSafeEqual } from "node:crypto";
import type { AddressInfo } from "node:net";
import fastify from "fastify";

const [sid, token] = process.argv.slice(2) as [string, string];
const digest = hash("sha256", token, "buffer");
const answer = { number: "+14154740200", status: "Inactive", type: "Landline", carrierName: "AT&T" };

const app = fastify();
app.get("/carrierLookup/v1/Numbers/:Number", (request, reply) => {
  const text = Buffer.from((request.headers.authorization ?? "").slice(6), "base64").toString("utf8");
  const colon = text.indexOf(":");
  const given = hash("sha256", text.slice(colon + 1), "buffer");
  if (text.slice(0, colon) !== sid || !timingSafeEqual(given, digest)) return reply.code(401).send({});
  return answer;
});
await app.listen({ host: "127.0.0.1", port: 0 });
console.log((app.server.address() as AddressInfo).port);
