// Sends at a fixed rate whatever the server does, so that a stall shows in every request it delayed. Arguments: URL,
// authorization, file of requests (a path, or a path, a tab and a form to post), requests per second, seconds. Prints
// latencies in ms, counted from when each request was due, as one JSON object.

import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";

const [url, authorization, file, rateText, secondsText] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
];
const { hostname, port } = new URL(url);
const requests = readFileSync(file, "utf8").trim().split("\n").map(requestOf);
const rate = Number(rateText);
const total = Math.round(rate * Number(secondsText));
const CONNECTIONS = 256;

const latenciesMs: number[] = [];
const due: number[] = [];
const idle: Connection[] = [];
let failed = 0;

interface Connection {
  readonly socket: Socket;
  sentFor: number;
  buffer: string;
}

function open(): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    const connection: Connection = { socket, sentFor: 0, buffer: "" };
    socket.setEncoding("latin1");
    socket.on("data", (chunk: string) => hear(connection, chunk));
    socket.once("error", reject);
    socket.once("connect", () => resolve(connection));
  });
}

function hear(connection: Connection, chunk: string): void {
  connection.buffer += chunk;
  const head = connection.buffer.indexOf("\r\n\r\n");
  if (head < 0) return;
  const length = Number(/content-length: (\d+)/i.exec(connection.buffer)?.[1] ?? 0);
  if (connection.buffer.length < head + 4 + length) return;
  if (!connection.buffer.startsWith("HTTP/1.1 200")) failed++;
  latenciesMs.push(performance.now() - connection.sentFor);
  connection.buffer = "";
  idle.push(connection);
  sendDue();
}

function requestOf(line: string): string {
  const [path, form] = line.split("\t");
  const common = `Host: bench\r\nAuthorization: ${authorization}\r\n`;
  if (form === undefined) return `GET ${path} HTTP/1.1\r\n${common}\r\n`;
  return `POST ${path} HTTP/1.1\r\n${common}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}\r\n\r\n${form}`;
}

let sent = 0;
function sendDue(): void {
  while (due.length > 0 && idle.length > 0) {
    const connection = idle.pop() as Connection;
    connection.sentFor = due.shift() as number;
    connection.socket.write(requests[sent++ % requests.length] as string);
  }
}

idle.push(...(await Promise.all(Array.from({ length: CONNECTIONS }, open))));
const startMs = performance.now();
let scheduled = 0;
await new Promise<void>((resolve) => {
  const timer = setInterval(() => {
    const until = Math.min(total, Math.floor(((performance.now() - startMs) / 1000) * rate));
    for (; scheduled < until; scheduled++) due.push(startMs + (scheduled / rate) * 1000);
    sendDue();
    if (latenciesMs.length === total) {
      clearInterval(timer);
      resolve();
    }
  }, 1);
});
latenciesMs.sort((a, b) => a - b);
const percentile = (share: number) =>
  Number((latenciesMs[Math.floor((latenciesMs.length - 1) * share)] ?? 0).toFixed(2));
console.log(
  JSON.stringify({ requests: total, failed, p50: percentile(0.5), p99: percentile(0.99), p999: percentile(0.999) }),
);
process.exit(0);
