import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { openDatabaseLine } from "../../../../test/fakes/database-line.ts";
import { silent } from "../../../../test/fakes/silent-log.ts";
import { useWebhookStore } from "../../../../test/fakes/webhook-store.ts";
import { Unavailable } from "../../../base/unavailable.ts";
import { Database, type Queryable } from "./database.ts";

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
    await expect.poll(sessions, { timeout: 120_000 }).toEqual([]);
    await unit.query("select 1");
  });
  await expect(broken).rejects.toBeInstanceOf(Unavailable);
  expect(await db.transaction((unit) => unit.query("select 1 as one"))).toEqual([{ one: 1 }]);
});

test("it is known when everything that was under way has ended, and nothing later is waited for", async () => {
  const db = new Database(store.connection, silent);
  onTestFinished(() => db.close());
  await db.settled();
  const ends: string[] = [];
  let commit = () => {};
  const mayCommit = new Promise<void>((resolve) => {
    commit = resolve;
  });
  const transaction = db.transaction(async (unit) => {
    await unit.query("select 1");
    await mayCommit;
    ends.push("transaction");
  });
  const settled = db.settled().then(() => ends.push("settled"));
  await db.query("select 1");
  expect(ends).toEqual([]);
  commit();
  await Promise.all([transaction, settled]);
  expect(ends).toEqual(["transaction", "settled"]);
});

// The part of PostgreSQL's protocol that a session needs which ends immediately (55.7): messages are a letter, a length
// and a body.
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

/** A server that ends every session in the same packet in which it is ready for the nth time. */
async function endingServer(readyTimes: number): Promise<Database> {
  const host = mkdtempSync(join(tmpdir(), "tandem-ending-"));
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    let times = 0;
    socket.on("data", () => {
      const answer = [++times === 1 ? SIGNED_IN : DONE, READY];
      if (times === readyTimes) socket.end(Buffer.concat([...answer, FATAL]));
      else socket.write(Buffer.concat(answer));
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
  // The pool makes settings and reads PostgreSQL's clock on a new session before it hands it out.
  for (const times of [1, 2, 3]) {
    const fresh = await endingServer(times);
    await expect(fresh.transaction((unit) => unit.query("select 1"))).rejects.toBeInstanceOf(Unavailable);
  }

  const used = await endingServer(4);
  const first = used.query("select 1");
  await expect(used.transaction((unit) => unit.query("select 1"))).rejects.toBeInstanceOf(Unavailable);
  expect(await first).toEqual([]);
});

/** A database with one connection, over a proxy that can hold data back. */
async function impatient(waitMs: number) {
  const line = await openDatabaseLine(store.connection);
  const db = new Database({ connectionString: line.url, waitMs }, silent, { connectionsMax: 1 });
  onTestFinished(async () => {
    line.release();
    await db.close();
    await line.close();
    await store.db.query("drop table if exists given_up");
  });
  await store.db.query("create table given_up (what text)");
  const pidOf = async () => (await db.query<{ pid: number }>("select pg_backend_pid() as pid"))[0]?.pid;
  const isGone = (pid: number | undefined) =>
    expect
      .poll(() => store.db.query("select from pg_stat_activity where pid = $1", [pid]), { timeout: 120_000 })
      .toEqual([]);
  return { line, db, pidOf, isGone };
}

test("a statement that was given up while PostgreSQL hung is not executed when it goes on", async () => {
  const { line, db, pidOf, isGone } = await impatient(3_000);
  const pid = await pidOf();
  line.hold("tandem");
  await expect(db.query("insert into given_up values ($1)", ["late"])).rejects.toBeInstanceOf(Unavailable);
  await expect(db.query("insert into given_up values ('later')")).rejects.toBeInstanceOf(Unavailable);
  line.release();
  await isGone(pid);
  expect(await store.db.query("select * from given_up")).toEqual([]);
});

test("nor is a transaction whose commit was given up", async () => {
  const { line, db, pidOf, isGone } = await impatient(3_000);
  const pid = await pidOf();
  const given = db.transaction(async (unit) => {
    await unit.query("insert into given_up values ('late')");
    line.hold("tandem");
  });
  await expect(given).rejects.toBeInstanceOf(Unavailable);
  line.release();
  await isGone(pid);
  expect(await store.db.query("select * from given_up")).toEqual([]);
});

test("when the clocks have moved apart, a session that knows how they stand takes the statement", async () => {
  const { db, pidOf } = await impatient(60_000);
  const before = await pidOf();
  const { now } = performance;
  const setBack = vi.spyOn(performance, "now").mockImplementation(() => now.call(performance) - 3_600_000);
  onTestFinished(() => setBack.mockRestore());
  await db.query("insert into given_up values ('in time')");
  expect(await store.db.query("select * from given_up")).toEqual([{ what: "in time" }]);
  expect(await pidOf()).not.toBe(before);
});

test("a statement that takes too long is ended by PostgreSQL, as out of reach, and the session goes on", async () => {
  const { db, pidOf } = await impatient(6_000);
  const pid = await pidOf();
  await expect(db.query("select pg_sleep(60)")).rejects.toBeInstanceOf(Unavailable);
  expect(await pidOf()).toBe(pid);
});

test("what was refused or never sent is known to be undone, what broke off is not", async () => {
  const { db } = await impatient(60_000);
  const cut = "select pg_terminate_backend(pg_backend_pid())";
  await expect(db.query(cut)).rejects.toMatchObject({ name: "Unavailable", isUndone: false });
  const full = db.query("do $$ begin raise exception 'disk full' using errcode = '53100'; end $$");
  await expect(full).rejects.toMatchObject({ name: "Unavailable", isUndone: true });
  const nowhere = new Database({ host: "/nowhere", user: "a", database: "a" }, silent);
  onTestFinished(() => nowhere.close());
  await expect(nowhere.query("select 1")).rejects.toMatchObject({ name: "Unavailable", isUndone: true });
});

test("a session that has become read-only is left at once, with all that may be of the same server", async () => {
  const db = new Database(store.connection, silent, { connectionsMax: 3 });
  onTestFinished(() => db.close());
  const pids = () =>
    Promise.all([1, 2, 3].map(() => db.query<{ pid: number }>("select pg_backend_pid() as pid, pg_sleep(0.2)")));
  const before = (await pids()).flat().map(({ pid }) => pid);
  expect(new Set(before).size).toBe(3);
  await db.query("set default_transaction_read_only = on");
  const write = () => db.query("create temp table written (what text) on commit drop");
  const outcomes = await Promise.allSettled([write(), write(), write()]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "fulfilled", "rejected"]);
  expect(outcomes.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { name: "Unavailable", isUndone: true },
  });
  const after = (await pids()).flat().map(({ pid }) => pid);
  expect(after.filter((pid) => before.includes(pid))).toEqual([]);
});

test("a server that is read-only is not used", async () => {
  const name = store.connection.database as string;
  await store.db.query(`alter database "${name}" set default_transaction_read_only = on`);
  onTestFinished(async () => {
    await store.db.query(`alter database "${name}" reset default_transaction_read_only`);
  });
  const db = new Database(store.connection, silent);
  onTestFinished(() => db.close());
  await expect(db.query("select 1")).rejects.toThrow("read-only");
  await store.db.query(`alter database "${name}" reset default_transaction_read_only`);
  expect(await db.query("select 1 as one")).toEqual([{ one: 1 }]);
});

test("a named statement is the same inside and outside of a transaction", async () => {
  const { db } = await impatient(60_000);
  const ask = (on: Queryable) => on.query({ name: "asked", text: "select $1::int as asked" }, [1]);
  expect(await ask(db)).toEqual([{ asked: 1 }]);
  expect(await db.transaction(ask)).toEqual([{ asked: 1 }]);
});
