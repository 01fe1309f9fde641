// Sends at a fixed rate whatever the server does, so that a stall shows in every request it delayed. Arguments: URL,
// authorization, file of requests (a path, or a path, a tab and a form to post), requests per second, seconds, and how
// many connections (256 by default; each additional one costs the server). Prints latencies in ms, counted from when
// each request was due, as one JSON object. `senderBusy` is the share of the time that this program itself was busy:
// near 1 the latencies are its own.

import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";

const [url, authorization, file, rateText, secondsText, connectionsText = "256"] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
  string?,
];
const { hostname, port } = new URL(url);
const requests = readFileSync(file, "utf8").trim().split("\n").map(requestOf);
const rate = Number(rateText);
const total = Math.round(rate * Number(secondsText));

/** Shared by all connections: each piece is parsed before the next one is read. */
const buffer = Buffer.allocUnsafe(64 * 1024);
const latenciesMs: number[] = [];
const idle: Connection[] = [];
let failed = 0;

interface Connection {
  readonly socket: Socket;
  /** When the request on it was due. */
  dueMs: number;
  text: string;
}

function open(): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const callback = (length: number) => hear(connection, buffer.toString("latin1", 0, length));
    const socket = connect({ host: hostname, port: Number(port), noDelay: true, onread: { buffer, callback } });
    const connection: Connection = { socket, dueMs: 0, text: "" };
    socket.once("error", reject);
    socket.once("connect", () => resolve(connection));
  });
}

/** Always returns true, so that the socket continues to read. */
function hear(connection: Connection, piece: string): true {
  const text = connection.text + piece;
  connection.text = text;
  const head = text.indexOf("\r\n\r\n");
  if (head < 0 || text.length < head + 4 + Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)) return true;
  if (!text.startsWith("HTTP/1.1 200")) failed++;
  latenciesMs.push(performance.now() - connection.dueMs);
  connection.text = "";
  idle.push(connection);
  sendDue();
  return true;
}

function requestOf(line: string): string {
  const [path, form] = line.split("\t");
  const common = `Host: bench\r\nAuthorization: ${authorization}\r\n`;
  if (form === undefined) return `GET ${path} HTTP/1.1\r\n${common}\r\n`;
  return `POST ${path} HTTP/1.1\r\n${common}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}\r\n\r\n${form}`;
}

let due = 0;
let sent = 0;
function sendDue(): void {
  while (sent < due && idle.length > 0) {
    const connection = idle.pop() as Connection;
    connection.dueMs = startMs + (sent / rate) * 1000;
    connection.socket.write(requests[sent++ % requests.length] as string, "latin1");
  }
}

idle.push(...(await Promise.all(Array.from({ length: Number(connectionsText) }, open))));
const startMs = performance.now();
const busyBefore = performance.eventLoopUtilization();
await new Promise<void>((resolve) => {
  const timer = setInterval(() => {
    due = Math.min(total, Math.floor(((performance.now() - startMs) / 1000) * rate));
    sendDue();
    if (latenciesMs.length === total) {
      clearInterval(timer);
      resolve();
    }
  }, 1);
});
const senderBusy = Number(performance.eventLoopUtilization(busyBefore).utilization.toFixed(2));
latenciesMs.sort((a, b) => a - b);
const percentile = (share: number) =>
  Number((latenciesMs[Math.floor((latenciesMs.length - 1) * share)] ?? 0).toFixed(2));
console.log(
  JSON.stringify({
    requests: total,
    failed,
    p50: percentile(0.5),
    p99: percentile(0.99),
    p999: percentile(0.999),
    senderBusy,
  }),
);
process.exit(0);
