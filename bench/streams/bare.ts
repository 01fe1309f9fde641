// The peer of the streams: for each a bare WebSocket that sends back what it gets, and our relay of as many packets
// as a stream has: two phones that hear each other are those of two streams. Arguments: streams (an even number), the
// first port of the phones, the program's port. Sends each phone's port and the port to send to when all is open.

import { once } from "node:events";
import { WebSocket } from "ws";
import { openLeg, startEngine } from "../media/legs.ts";

const [count, phonePort, programPort] = process.argv.slice(2) as [string, string, string];
// The relay alone does not keep the process running.
process.on("disconnect", () => process.exit());
const engine = startEngine("fast");

async function openEcho(): Promise<void> {
  const socket = new WebSocket(`ws://127.0.0.1:${programPort}/`, { perMessageDeflate: false });
  socket.on("message", (data, binary) => socket.send(data as Buffer, { binary }));
  await once(socket, "open");
}

const lines: string[] = [];
for (let stream = 0; stream < Number(count); stream += 2) {
  const port = Number(phonePort) + stream;
  const [first, second] = [await openLeg(engine, port), await openLeg(engine, port + 1)];
  first.leg.joinWith(second.leg);
  lines.push(first.line, second.line);
  await openEcho();
  await openEcho();
}

process.send?.(lines);
