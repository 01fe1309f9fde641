// The inside of a NAT of the tests, run in a network namespace of its own: it has the address of the telephone and, as
// sockets, every port of the server that the telephone may send to. What arrives there goes to the outside, in the
// process of the test, and back. Only node and `ip` are needed.
//
// Also leads from a Unix socket to a TCP port inside, by which the telephone is controlled.

import { execFileSync } from "node:child_process";
import { createSocket } from "node:dgram";
import { connect, createServer } from "node:net";

const [address, server, ports, controlPath, controlPort] = process.argv.slice(2);

execFileSync("ip", ["link", "set", "lo", "up"]);
execFileSync("ip", ["address", "add", `${address}/32`, "dev", "lo"]);

const sockets = new Map();
for (const port of ports.split(",").map(Number)) {
  const socket = createSocket("udp4");
  socket.on("message", (octets, from) => {
    process.send({ from: from.port, port, octets: octets.toString("latin1") });
  });
  await new Promise((resolve) => socket.bind(port, server, resolve));
  sockets.set(port, socket);
}

process.on("message", ({ to, port, octets }) => {
  sockets.get(port)?.send(Buffer.from(octets, "latin1"), to, address, () => {});
});
process.on("disconnect", () => process.exit());

const lead = (outside) => {
  const inside = connect(Number(controlPort), "127.0.0.1");
  // It does not listen yet.
  inside.once("error", () => setTimeout(() => lead(outside), 50));
  inside.once("connect", () => {
    outside.pipe(inside).pipe(outside);
    outside.once("close", () => inside.destroy());
  });
};
createServer(lead).listen(controlPath, () => process.send({ isReady: true }));
