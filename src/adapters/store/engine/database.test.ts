import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { silent } from "../../../../test/fakes/silent-log.ts";
import { useWebhookStore } from "../../../../test/fakes/webhook-store.ts";
import { Unavailable } from "../../../base/unavailable.ts";
import { Database } from "./database.ts";

const store = useWebhookStore();

test("a transaction whose session is ended in the middle of a statement fails as out of reach, and the next one works", async () => {
  const { db } = store;
  const broken = db.transaction((unit) => unit.query("select pg_terminate_backend(pg_backend_pid())"));
  await expect(broken).rejects.toBeInstanceOf(Unavailable);
  expect(await db.transaction((unit) => unit.query("select 1 as one"))).toEqual([{ one: 1 }]);
});

test("so does one whose session is ended between two statements", async () => {
  const { db } = store;
  const broken = db.transaction(async (unit) => {
    const [own] = await unit.query<{ pid: number }>("select pg_backend_pid() as pid");
    const pid = own?.pid;
    await db.query("select pg_terminate_backend($1)", [pid]);
    const sessions = () => db.query("select 1 from pg_stat_activity where pid = $1", [pid]);
    await expect.poll(sessions, { timeout: 30_000 }).toEqual([]);
    await unit.query("select 1");
  });
  await expect(broken).rejects.toBeInstanceOf(Unavailable);
  expect(await db.transaction((unit) => unit.query("select 1 as one"))).toEqual([{ one: 1 }]);
});

// PostgreSQL's protocol, as far as a session needs it that ends at once (55.7): messages are a letter, a length and a
// body.
const message = (letter: string, body: string) => {
  const head = Buffer.alloc(5);
  head.write(letter);
  head.writeInt32BE(4 + Buffer.byteLength(body), 1);
  return Buffer.concat([head, Buffer.from(body)]);
};
const SIGNED_IN = message("R", "\0\0\0\0");
const READY = message("Z", "I");
const DONE = message("C", "SELECT 0\0");
const FATAL = message("E", "SFATAL\0VFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0");

/** A server that ends every session, in the same breath, as soon as it is ready for the first or the second time. */
async function endingServer(readyTimes: 1 | 2): Promise<Database> {
  const host = mkdtempSync(join(tmpdir(), "tandem-ending-"));
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => {
      if (readyTimes === 1) return socket.end(Buffer.concat([SIGNED_IN, READY, FATAL]));
      socket.once("data", () => socket.end(Buffer.concat([DONE, READY, FATAL])));
      return socket.write(Buffer.concat([SIGNED_IN, READY]));
    });
  });
  await new Promise<void>((done) => server.listen(join(host, ".s.PGSQL.5432"), done));
  const db = new Database({ host, port: 5432, user: "a", database: "a" }, silent, { connectionsMax: 1 });
  onTestFinished(async () => {
    await db.close();
    server.close();
    rmSync(host, { recursive: true });
  });
  return db;
}

test("a session that ends at the moment it is lent out fails as out of reach and ends nothing else", async () => {
  const fresh = await endingServer(1);
  await expect(fresh.transaction((unit) => unit.query("select 1"))).rejects.toBeInstanceOf(Unavailable);

  const used = await endingServer(2);
  const first = used.query("select 1");
  await expect(used.transaction((unit) => unit.query("select 1"))).rejects.toBeInstanceOf(Unavailable);
  expect(await first).toEqual([]);
});
