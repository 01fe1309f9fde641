// The program at the other end of the streams' sockets. Arguments: `echo`, which sends back all sound with its time
// in the markers; or `speak`, which sends each connection 50 messages a second, at most every ten milliseconds, as
// our streams do, and takes their answers. Both send messages of the same form. Sends its port to its parent, and
// whenever that asks, what it did since it was asked last. When it is asked first it clears the streams: what began
// to wait while all were opened would wait for as long as it goes on to speak.

import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";
import { MarkerStamper } from "./marker.ts";

/** What the program did. */
export interface ProgramCounts {
  /** Of sound, that came. */
  readonly messages: number;
  /** The share of the time that its thread worked. */
  readonly busy: number;
}

const TICK_MS = 10;
const FRAME_OCTETS = 160;
const MEDIA = '{"event":"media"';
const START = '{"event":"start"';
/** After the payload. */
const END = '"}}';
const PAYLOAD = Math.ceil(FRAME_OCTETS / 3) * 4;

let messages = 0;
let busySince = performance.eventLoopUtilization();

function nowUs(): number {
  return (performance.timeOrigin + performance.now()) * 1000;
}

/** A message of sound up to its payload. */
function headOf(streamSid: string): string {
  return `{"event":"media","streamSid":"${streamSid}","media":{"payload":"`;
}

const clearings: (() => void)[] = [];

function echo(socket: WebSocket): void {
  const stamper = new MarkerStamper();
  let head = "";
  socket.on("message", (data: Buffer) => {
    const event = data.toString("latin1", 0, MEDIA.length);
    if (event === START) {
      const { streamSid } = JSON.parse(data.toString());
      head = headOf(streamSid);
      clearings.push(() => socket.send(JSON.stringify({ event: "clear", streamSid })));
    }
    if (event !== MEDIA) return;
    messages++;
    const end = data.length - END.length;
    const octets = Buffer.from(data.toString("latin1", end - PAYLOAD, end), "base64");
    stamper.stamp(octets, nowUs());
    socket.send(`${head}${octets.toString("base64")}${END}`);
  });
}

const speakers: (() => void)[] = [];

function speak(socket: WebSocket): void {
  const head = headOf(`MZ${randomBytes(16).toString("hex")}`);
  const payload = randomBytes(FRAME_OCTETS).toString("base64");
  speakers.push(() => socket.send(`${head}${payload}${END}`));
  socket.on("message", () => {
    messages++;
  });
}

/** Each connection speaks at every other tick. A late tick makes up for those that it missed. */
function speakInTurns(): void {
  const startMs = performance.now();
  let ticks = 0;
  setInterval(() => {
    for (; (ticks + 1) * TICK_MS <= performance.now() - startMs; ticks++) {
      for (let at = ticks % 2; at < speakers.length; at += 2) speakers[at]?.();
    }
  }, TICK_MS);
}

const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false, backlog: 4_096 });
server.on("connection", process.argv[2] === "echo" ? echo : speak);
if (process.argv[2] !== "echo") speakInTurns();
server.on("listening", () => process.send?.((server.address() as AddressInfo).port));
process.on("message", () => {
  for (const clear of clearings.splice(0)) clear();
  const busy = performance.eventLoopUtilization(busySince).utilization;
  process.send?.({ messages, busy } satisfies ProgramCounts);
  messages = 0;
  busySince = performance.eventLoopUtilization();
});
process.on("disconnect", () => process.exit());
