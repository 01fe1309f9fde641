import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { takeTurns } from "./request-turns.ts";

const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
const CHUNK = 64 * 1024;

async function serving(serve: (request: IncomingMessage, response: ServerResponse) => void): Promise<Server> {
  const server = createServer(serve);
  takeTurns(server);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return server;
}

function connectTo(server: Server): Socket {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** The bodies of the next `count` answers, in order. */
function answersOn(socket: Socket, count: number): Promise<string[]> {
  return new Promise((resolve) => {
    const bodies: string[] = [];
    let text = "";
    socket.on("data", (chunk) => {
      const parts = (text + chunk.toString()).split(">");
      text = parts.pop() as string;
      for (const part of parts) bodies.push(part.slice(part.indexOf("<") + 1));
      if (bodies.length === count) resolve(bodies);
    });
  });
}

async function askOnce(server: Server, path: string): Promise<string[]> {
  const socket = connectTo(server);
  const answer = answersOn(socket, 1);
  socket.write(request(path));
  return answer;
}

const paths = (count: number) => Array.from({ length: count }, (_, at) => `/${at}`);

test("of pipelined requests one is served at a time, and their answers come in order", async () => {
  let running = 0;
  let runningMost = 0;
  const server = await serving((asked, response) => {
    runningMost = Math.max(runningMost, ++running);
    setImmediate(() => {
      running -= 1;
      response.end(`<${asked.url}>`);
    });
  });
  const socket = connectTo(server);
  const answers = answersOn(socket, 500);
  socket.write(paths(500).map(request).join(""));
  expect(await answers).toEqual(paths(500));
  expect(runningMost).toBe(1);
});

test("a connection with thousands of requests does not keep another waiting, nor is more read than a chunk", async () => {
  let arrived = 0;
  let served = 0;
  let servedBefore = 0;
  let release: (() => void) | undefined;
  const server = await serving((asked, response) => {
    if (asked.url === "/other") servedBefore = served;
    else served += 1;
    const answer = () => response.end(`<${asked.url}>`);
    if (asked.url === "/0") release = answer;
    else answer();
  });
  server.prependListener("request", () => {
    arrived += 1;
  });
  const flood = connectTo(server);
  const floodAnswers = answersOn(flood, 4_000);
  flood.write(paths(4_000).map(request).join(""));
  await expect.poll(() => release, { timeout: 120_000 }).toBeDefined();
  expect(await askOnce(server, "/other")).toEqual(["/other"]);
  expect(served).toBe(1);
  expect(arrived).toBeLessThan(CHUNK / request("/0").length + 3);

  release?.();
  expect(await askOnce(server, "/other")).toEqual(["/other"]);
  expect(servedBefore).toBeLessThan(1_000);
  expect(await floodAnswers).toEqual(paths(4_000));
});

test("a request with a body behind another is read when its turn has come", async () => {
  const server = await serving((asked, response) => {
    let body = "";
    asked.on("data", (chunk) => {
      body += chunk;
    });
    asked.on("end", () => response.end(`<${asked.url} ${body.length}>`));
  });
  const socket = connectTo(server);
  const answers = answersOn(socket, 3);
  const post = (path: string, body: string) =>
    `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  socket.write(post("/1", "x".repeat(10)) + post("/2", "x".repeat(300_000)) + post("/3", ""));
  expect(await answers).toEqual(["/1 10", "/2 300000", "/3 0"]);
});

test("what waits on a connection that is closed is not served", async () => {
  const served: string[] = [];
  const server = await serving((asked, response) => {
    served.push(asked.url ?? "");
    if (asked.url === "/other") {
      response.end("<other>");
      return;
    }
    asked.socket.destroy();
    response.end();
  });
  const socket = connectTo(server).on("error", () => undefined);
  socket.write(paths(10).map(request).join(""));
  await once(socket, "close");
  await askOnce(server, "/other");
  expect(served).not.toContain("/9");
});
