import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { type ConnectionLimit, limitConnections } from "./connection-limit.ts";

/** Greets whom it keeps. */
async function serving(limit: ConnectionLimit, proxies: readonly string[] = []): Promise<Server> {
  const server = createServer();
  limitConnections(server, limit, proxies);
  server.on("connection", (socket) => {
    onTestFinished(() => void socket.destroy());
    if (!socket.destroyed) socket.write("welcome");
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  return server;
}

/** Whether the server keeps the connection. */
async function isKept(server: Server, localAddress: string): Promise<boolean> {
  const socket = connect({ host: "127.0.0.1", port: (server.address() as AddressInfo).port, localAddress });
  socket.on("error", () => undefined);
  onTestFinished(() => void socket.destroy());
  return Promise.race([
    once(socket, "data").then(
      () => true,
      () => false,
    ),
    once(socket, "close").then(() => false),
  ]);
}

test("an address may hold so many connections, and leaves those of others alone", async () => {
  const server = await serving({ connectionsMax: 10, connectionsPerAddressMax: 2 });
  for (const expected of [true, true, false]) expect(await isKept(server, "127.0.0.2")).toBe(expected);
  expect(await isKept(server, "127.0.0.3")).toBe(true);
});

test("a proxy that is trusted speaks for many, but all together may hold no more than there are", async () => {
  const server = await serving({ connectionsMax: 3, connectionsPerAddressMax: 1 }, ["127.0.0.2/32"]);
  for (const expected of [true, true, true, false]) expect(await isKept(server, "127.0.0.2")).toBe(expected);
  expect(await isKept(server, "127.0.0.3")).toBe(false);
});

test("a connection that is closed makes room for another", async () => {
  const server = await serving({ connectionsMax: 10, connectionsPerAddressMax: 1 });
  const taken = once(server, "connection");
  expect(await isKept(server, "127.0.0.2")).toBe(true);
  const [socket] = await taken;
  socket.destroy();
  await once(socket, "close");
  expect(await isKept(server, "127.0.0.2")).toBe(true);
});
