import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, createServer as createListener, type Server as Listener } from "node:net";
import { afterEach, expect, test } from "vitest";
import { checkServer } from "./server-probe.ts";

let running: (Server | Listener) | undefined;

afterEach(async () => {
  if (running && "closeAllConnections" in running) running.closeAllConnections();
  await new Promise((resolve) => (running ? running.close(resolve) : resolve(undefined)));
  running = undefined;
});

async function listen(server: Server | Listener): Promise<number> {
  running = server;
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
}

const serve = (listener: RequestListener) => listen(createServer(listener));

const check = (port: number, knownUrl?: string) => checkServer({ host: "127.0.0.1", port, isTls: false, knownUrl });

function readyz(status: number, checks: object, state: object = {}): RequestListener {
  return (_request, response) =>
    response
      .writeHead(status, { "X-Request-Id": "r", Date: new Date().toUTCString() })
      .end(JSON.stringify({ checks, ...state }));
}

test("a server that is ready is found at its port, and its clock is read", async () => {
  const port = await serve(readyz(200, { server: "ok", store: "ok" }));
  const { aheadMs, findings } = await check(port);
  expect(findings.map(({ check, verdict }) => [check, verdict])).toEqual([
    ["Port", "ok"],
    ["Server", "ok"],
  ]);
  expect(aheadMs).toBeTypeOf("number");
});

test("a server at another port than configured is found by what it wrote down", async () => {
  const port = await serve(readyz(200, { server: "ok" }));
  const { findings } = await check(1, `http://127.0.0.1:${port}`);
  expect(findings[1]?.found).toBe(`ready at http://127.0.0.1:${port}`);
});

test("a server that is not ready is reported with what it lacks", async () => {
  const port = await serve(readyz(503, { server: "ok", store: "out of reach" }));
  const { findings } = await check(port);
  expect(findings[1]).toMatchObject({
    verdict: "fail",
    found: expect.stringContaining("not ready: store out of reach"),
  });
});

test("a link that is down is reported, and the server is ready all the same", async () => {
  const port = await serve(readyz(200, { server: "ok", store: "ok" }, { links: { east: "bound", west: "down" } }));
  const { findings } = await check(port);
  expect(findings.slice(1)).toMatchObject([
    { check: "Server", verdict: "ok" },
    { check: "Carrier link", verdict: "warn", found: "west is down", advice: expect.stringContaining("Links") },
  ]);
});

test.each([
  ["another web server", createServer((_request, response) => response.end("<h1>Hello</h1>"))],
  ["a program that hangs up", createListener((socket) => socket.destroy())],
])("a port taken by %s is reported", async (_, other) => {
  const port = await listen(other);
  const { findings } = await check(port);
  expect(findings[0]).toMatchObject({
    check: "Port",
    verdict: "fail",
    found: expect.stringContaining("another program"),
  });
  expect(findings[0]?.advice).toContain("TANDEM_PORT");
});

test("a free port is free, and no server runs", async () => {
  const port = await serve(() => undefined);
  await new Promise((resolve) => running?.close(resolve));
  running = undefined;
  const { findings } = await check(port, "http://127.0.0.1:1");
  expect(findings.map(({ verdict }) => verdict)).toEqual(["ok", "ok"]);
  expect((await check(0)).findings[0]?.found).toContain("any free one");
});

test("an address that is not of this machine is reported", async () => {
  const { findings } = await checkServer({ host: "192.0.2.1", port: 8080, isTls: false, knownUrl: undefined });
  expect(findings[0]).toMatchObject({ verdict: "fail", advice: expect.stringContaining("TANDEM_HOST") });
});
