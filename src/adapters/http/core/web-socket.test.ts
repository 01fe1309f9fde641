import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { silent } from "../../../../test/fakes/silent-log.ts";
import { systemClock } from "../../../base/clock.ts";
import { makeIds } from "../../../base/ids.ts";
import { HttpServer } from "./http-server.ts";
import { RefusalLog } from "./refusal-log.ts";
import { openUpgrades, socketFaults } from "./web-socket.ts";

const http = new HttpServer({
  log: silent,
  uuids: makeIds(systemClock),
  refusals: new RefusalLog(systemClock),
  trustProxy: [],
  corsOrigins: ["https://portal.example"],
});
let port = 0;

beforeAll(async () => {
  http.get("/echo", () => {
    const socket = (opened: WebSocket) => void opened.on("message", (data) => opened.send(`${data}!`));
    return { status: 101, headers: {}, text: "", socket };
  });
  http.route({
    method: "POST",
    path: "/plain",
    handle: (_exchange, body) => ({ status: 200, headers: {}, text: JSON.stringify(body) }),
  });
  openUpgrades(http.server);
  await http.listen({ host: "127.0.0.1", port: 0 });
  port = (http.server.address() as AddressInfo).port;
});
afterAll(() => http.close());

const open = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });

async function statusOf(socket: WebSocket): Promise<number> {
  const [, response] = (await once(socket, "unexpected-response")) as [unknown, { readonly statusCode: number }];
  socket.on("error", () => undefined);
  socket.terminate();
  return response.statusCode;
}

async function exchange(text: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.write(text);
  let answer = "";
  for await (const chunk of socket) answer += chunk;
  return answer;
}

test("a WebSocket is opened and used", async () => {
  const socket = open("/echo");
  await once(socket, "open");
  socket.send("hello");
  const [data] = (await once(socket, "message")) as [Buffer];
  expect(data.toString()).toBe("hello!");
  socket.close();
  await once(socket, "close");
});

test("a refused one is answered as any request is, and its connection ends", async () => {
  expect(await statusOf(open("/nowhere"))).toBe(404);
  const answer = await exchange(
    "GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
  );
  expect(answer).toMatch(/^HTTP\/1.1 404 .*X-Request-Id: .*Connection: close/s);
});

test.each([
  ["https://evil.example", 403],
  ["https://portal.example", 403],
  ["null", 403],
])("a page of %s opens none", async (origin, status) => {
  expect(await statusOf(open("/echo", { Origin: origin }))).toBe(status);
});

test("a page of ours opens one", async () => {
  const socket = open("/echo", { Origin: `http://127.0.0.1:${port}` });
  await once(socket, "open");
  socket.terminate();
});

test("a message that is too long ends it", async () => {
  const socket = open("/echo");
  await once(socket, "open");
  socket.send("x".repeat(5_000));
  const [code] = (await once(socket, "close")) as [number];
  expect(code).toBe(1009);
});

test("a request that asks for HTTP/2 is served as it is, with its body, also behind another", async () => {
  const body = '{"a":1}';
  const asks = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n";
  const plain = `POST /plain HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  const answer = await exchange(`${plain}\r\n${body}${plain}${asks}\r\n${body}`);
  expect(answer.split("\r\n\r\n")).toHaveLength(3);
  expect(answer.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
  expect(answer.endsWith(body)).toBe(true);
});

test("what is wrong with a request for one is reported", () => {
  expect(Object.keys(socketFaults({}))).toEqual([
    "Upgrade",
    "Connection",
    "Sec-WebSocket-Version",
    "Sec-WebSocket-Key",
  ]);
  const key = Buffer.alloc(16).toString("base64");
  const good = {
    upgrade: "WebSocket",
    connection: "keep-alive, Upgrade",
    "sec-websocket-version": "13",
    "sec-websocket-key": key,
  };
  expect(socketFaults(good)).toEqual({});
  expect(Object.keys(socketFaults({ ...good, connection: "keep-alive" }))).toEqual(["Connection"]);
});
