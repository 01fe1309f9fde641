import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { type ConnectionLimit, limitConnections } from "./connection-limit.ts";
import { TrustedProxies } from "./trusted-proxies.ts";

/** Answers all input, and greets each connection that the limit keeps. */
async function serving(limit: ConnectionLimit, proxies: readonly string[] = []): Promise<Server> {
  const server = createServer();
  limitConnections(server, limit, new TrustedProxies(proxies));
  server.on("connection", (socket) => {
    onTestFinished(() => void socket.destroy());
    if (!socket.destroyed) socket.on("data", () => socket.write("heard")).write("welcome");
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  return server;
}

/** The connection, or undefined when the server closed it. */
async function knock(server: Server, localAddress: string): Promise<Socket | undefined> {
  const socket = connect({ host: "127.0.0.1", port: (server.address() as AddressInfo).port, localAddress });
  socket.on("error", () => undefined);
  onTestFinished(() => void socket.destroy());
  const isKept = await Promise.race([once(socket, "data").then(() => true), once(socket, "close").then(() => false)]);
  return isKept ? socket : undefined;
}

async function speak(server: Server, localAddress: string): Promise<Socket | undefined> {
  const socket = await knock(server, localAddress);
  socket?.write("hello");
  if (socket) await once(socket, "data");
  return socket;
}

test("an address may hold so many connections, and leaves those of others alone", async () => {
  const server = await serving({ connectionsMax: 10, connectionsPerAddressMax: 2 });
  for (const isKept of [true, true, false]) expect((await speak(server, "127.0.0.2")) !== undefined).toBe(isKept);
  expect(await speak(server, "127.0.0.3")).toBeDefined();
});

test("a proxy that is trusted speaks for many, but all together may hold no more than there are", async () => {
  const server = await serving({ connectionsMax: 3, connectionsPerAddressMax: 1 }, ["127.0.0.2/32"]);
  for (const isKept of [true, true, true, false]) expect((await speak(server, "127.0.0.2")) !== undefined).toBe(isKept);
  expect(await speak(server, "127.0.0.3")).toBeUndefined();
});

test.each([
  ["its address", { connectionsMax: 10, connectionsPerAddressMax: 3 }, "127.0.0.2"],
  ["anybody", { connectionsMax: 3, connectionsPerAddressMax: 10 }, "127.0.0.3"],
])(
  "one too many takes the place of the longest silent one of %s, and of none that ever spoke",
  async (_whose, limit, newcomer) => {
    const server = await serving(limit);
    const spoke = await speak(server, "127.0.0.2");
    const [first, second] = [await knock(server, "127.0.0.2"), await knock(server, "127.0.0.2")];
    const closed = once(first as Socket, "close");
    expect(await speak(server, newcomer)).toBeDefined();
    await closed;
    expect([spoke?.closed, second?.closed]).toEqual([false, false]);
  },
);

test("a closed connection frees capacity for another", async () => {
  const server = await serving({ connectionsMax: 10, connectionsPerAddressMax: 1 });
  const taken = once(server, "connection");
  expect(await speak(server, "127.0.0.2")).toBeDefined();
  const [socket] = await taken;
  socket.destroy();
  await once(socket, "close");
  expect(await speak(server, "127.0.0.2")).toBeDefined();
});
