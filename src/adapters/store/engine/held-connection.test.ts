import { once } from "node:events";
import { type AddressInfo, createServer, connect as dial, type Socket } from "node:net";
import pg from "pg";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { openDatabaseLine } from "../../../../test/fakes/database-line.ts";
import { silent } from "../../../../test/fakes/silent-log.ts";
import { useWebhookStore } from "../../../../test/fakes/webhook-store.ts";
import type { ConnectionSettings } from "./database.ts";
import { HeldConnection } from "./held-connection.ts";

const store = useWebhookStore();
let door: Awaited<ReturnType<typeof openDoor>>;
const held: HeldConnection[] = [];
/** How often a session was lost or a reconnection failed. */
let failures = 0;

beforeEach(async () => {
  failures = 0;
  door = await openDoor(store.connection);
  // The test advances pauses and beats; sockets run in real time.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
});
afterEach(async () => {
  vi.useRealTimers();
  for (const connection of held.splice(0)) await connection.close();
  await door.close();
});

function hold(opened: (client: pg.Client) => Promise<void> = async () => undefined, lost = () => {}): HeldConnection {
  const log = { ...silent, warn: () => void failures++ };
  const connection = new HeldConnection({ settings: door.settings, name: "test", log, opened, lost });
  held.push(connection);
  return connection;
}

test("a first connection that fails is the caller's fault to handle, and nothing is tried behind his back", async () => {
  door.shut();
  await expect(hold().open()).rejects.toThrow();
  await door.everythingGone();
  expect(vi.getTimerCount()).toBe(0);
});

test("a session that breaks while it is being opened counts as one failure, not as two", async () => {
  let sessions = 0;
  let isBroken = false;
  const lost = vi.fn();
  const connection = hold(async (client) => {
    sessions++;
    await client.query("select 1");
    if (sessions === 2) {
      door.breakAll();
      await client.query("select pg_sleep(60)").finally(() => {
        isBroken = true;
      });
    }
  }, lost);
  await connection.open();
  door.breakAll();
  await until(() => failures === 1);
  vi.runOnlyPendingTimers();
  await until(() => isBroken && failures > 1);
  await door.everythingGone();
  expect(vi.getTimerCount()).toBe(1);
  vi.runOnlyPendingTimers();
  await until(() => sessions === 3);
  expect(door.open()).toBe(1);
  expect(lost).toHaveBeenCalledTimes(1);
});

test("however often it fails to come back, there is one connection in the end", async () => {
  const connection = hold();
  await connection.open();
  door.shut();
  door.breakAll();
  for (let failure = 1; failure <= 5; failure++) {
    await until(() => failures === failure);
    await door.everythingGone();
    expect(vi.getTimerCount()).toBe(1);
    expect(door.accepted()).toBe(failure);
    vi.runOnlyPendingTimers();
    await until(() => door.accepted() === failure + 1);
  }
  door.unlock();
  await until(() => failures === 6);
  vi.runOnlyPendingTimers();
  await until(() => connection.client !== undefined && door.open() === 1);
  const { rows } = await (connection.client as pg.Client).query("select 42 as answer");
  expect(rows).toEqual([{ answer: 42 }]);
  // Only the timer of the beat is left.
  expect(vi.getTimerCount()).toBe(1);
});

test("a session that falls silent is given up for another one", async () => {
  const line = await openDatabaseLine(store.connection);
  onTestFinished(() => line.close());
  vi.useRealTimers();
  let sessions = 0;
  const settings = { connectionString: line.url, waitMs: 500 };
  const opened = async () => void sessions++;
  const connection = new HeldConnection({ settings, name: "test", log: silent, opened });
  held.push(connection);
  await connection.open();
  line.hold("tandem test");
  await expect.poll(() => connection.client, { timeout: 120_000 }).toBeUndefined();
  line.release();
  await expect.poll(() => sessions, { timeout: 120_000 }).toBe(2);
});

test("one that is closed does not come back", async () => {
  const connection = hold();
  await connection.open();
  await connection.close();
  await door.everythingGone();
  expect(vi.getTimerCount()).toBe(0);
});

test("one that is closed while it comes back leaves nothing behind", async () => {
  const connection = hold();
  await connection.open();
  door.breakAll();
  await until(() => failures === 1);
  vi.runOnlyPendingTimers();
  await connection.close();
  await door.everythingGone();
  expect(vi.getTimerCount()).toBe(0);
});

/** `vi.waitUntil` would advance the fake timers while it waits. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const untilMs = performance.now() + 30_000;
  while (!(await isSo())) {
    if (performance.now() > untilMs) throw new Error("waited in vain");
    await new Promise(setImmediate);
  }
}

/** A proxy to PostgreSQL that can refuse connections and break them. */
async function openDoor(settings: ConnectionSettings) {
  let isShut = false;
  let accepted = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    accepted++;
    socket.on("error", () => undefined);
    if (isShut) return void socket.destroy();
    const inner = dial(`${settings.host}/.s.PGSQL.${settings.port ?? 5432}`);
    inner.on("error", () => undefined);
    sockets.add(socket);
    socket.on("close", () => {
      sockets.delete(socket);
      inner.destroy();
    });
    inner.on("close", () => socket.destroy());
    socket.pipe(inner).pipe(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const watcher = new pg.Client(settings);
  await watcher.connect();
  return {
    settings: { ...settings, host: "127.0.0.1", port },
    shut: () => {
      isShut = true;
    },
    unlock: () => {
      isShut = false;
    },
    breakAll: () => {
      for (const socket of sockets) socket.destroy();
    },
    accepted: () => accepted,
    open: () => sockets.size,
    /** Resolves when no session is left, neither here nor in PostgreSQL, and close events have been handled. */
    async everythingGone() {
      await until(async () => {
        const { rows } = await watcher.query(
          "select from pg_stat_activity where datname = current_database() and application_name like 'tandem test %'",
        );
        return sockets.size === 0 && rows.length === 0;
      });
      await new Promise(setImmediate);
    },
    async close() {
      await watcher.end();
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
