import { spawn } from "node:child_process";
import { once } from "node:events";
import pg from "pg";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { useWebhookStore } from "../../../../test/fakes/webhook-store.ts";
import { LeaseHolders } from "./lease-holders.ts";
import { nameOf, type ProcessName } from "./this-process.ts";

const store = useWebhookStore();
const LOCKS = 7;
const ID = 3;
/** Other databases of the same PostgreSQL have locks, too. */
const OF_HERE = `select from pg_locks where locktype = 'advisory'
   and database = (select oid from pg_database where datname = current_database())`;
const ELSEWHERE: ProcessName = { place: "another machine", pid: 1, started: "1" };

afterEach(async () => {
  vi.restoreAllMocks();
  await store.db.query("delete from lease_holders");
});

async function connect(): Promise<pg.Client> {
  const client = new pg.Client(store.connection);
  client.on("error", () => undefined);
  onTestFinished(() => client.end().catch(() => undefined));
  await client.connect();
  return client;
}

/** The row of a lease whose process has this name. */
const enter = ({ place, pid, started }: ProcessName) =>
  store.db.query("insert into lease_holders values ($1, $2, 'theirs', $3, $4, $5)", [LOCKS, ID, place, pid, started]);

async function newHolder(): Promise<pg.Client> {
  const client = await connect();
  await client.query("select pg_advisory_lock($1, $2)", [LOCKS, ID]);
  return client;
}

/** Looks as often as a process does in `seconds`. */
async function newLooker() {
  let nowMs = 0;
  vi.spyOn(performance, "now").mockImplementation(() => nowMs);
  const holders = new LeaseHolders(LOCKS, { ...store.connection, waitMs: 4_000 });
  let client = await connect();
  const look = async (seconds = 1) => {
    let last = await holders.look(client);
    for (let second = 1; second < seconds; second++) {
      nowMs += 1_000;
      last = await holders.look(client);
    }
    nowMs += 1_000;
    return last;
  };
  const reconnect = async () => {
    client = await connect();
  };
  return { holders, look, reconnect };
}

test("a holder that was cut off has five looks to come back", async () => {
  await enter(ELSEWHERE);
  const { look } = await newLooker();
  expect(await look(5)).toEqual({ living: [ID], ended: 0 });
  expect(await look()).toEqual({ living: [], ended: 0 });
});

test("one that comes back has them again", async () => {
  await enter(ELSEWHERE);
  const { look } = await newLooker();
  await look(5);
  const holder = await newHolder();
  expect((await look()).living).toEqual([ID]);
  await holder.end();
  expect((await look(5)).living).toEqual([ID]);
  expect((await look()).living).toEqual([]);
});

test("a looker that was away itself begins to count again", async () => {
  await enter(ELSEWHERE);
  const { look, reconnect } = await newLooker();
  await look(5);
  await reconnect();
  expect((await look(5)).living).toEqual([ID]);
  expect((await look()).living).toEqual([]);
});

test("looks that follow each other at once count once", async () => {
  await enter(ELSEWHERE);
  const { holders } = await newLooker();
  const client = await connect();
  for (let time = 0; time < 20; time++) expect((await holders.look(client)).living).toEqual([ID]);
});

test("a holder that gave its lease up is not waited for", async () => {
  const { look } = await newLooker();
  const client = await newHolder();
  const holders = new LeaseHolders(LOCKS, store.connection);
  await holders.enter(client, ID);
  expect((await look()).living).toEqual([ID]);
  await holders.leave(client);
  await client.query("select pg_advisory_unlock_all()");
  expect((await look()).living).toEqual([]);
});

test("a holder whose process has ended on this machine is not waited for, and one that only was cut off is", async () => {
  const { look } = await newLooker();
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  await once(child, "spawn");
  await enter(nameOf(child.pid as number));
  expect((await look()).living).toEqual([ID]);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect((await look()).living).toEqual([]);
});

test("a silent holder is dead after as many looks as there are seconds to wait, its session is ended, and it stays dead", async () => {
  await enter(ELSEWHERE);
  await newHolder();
  const { look } = await newLooker();
  expect(await look(4)).toEqual({ living: [ID], ended: 0 });
  expect(await look()).toEqual({ living: [], ended: 1 });
  const isFree = async () => (await store.db.query(`${OF_HERE} and classid = $1::int::oid`, [LOCKS])).length === 0;
  vi.restoreAllMocks();
  await vi.waitUntil(isFree, { timeout: 120_000 });
  expect((await look()).living).toEqual([]);
});

test("a holder that uses its session, or for which PostgreSQL works, lives", async () => {
  await enter(ELSEWHERE);
  const holder = await newHolder();
  const { look } = await newLooker();
  for (let time = 0; time < 6; time++) {
    await holder.query("select 1");
    expect((await look()).living).toEqual([ID]);
  }
  const blocker = await connect();
  await blocker.query("select pg_advisory_lock(9, 9)");
  const waiting = holder.query("select pg_advisory_lock(9, 9)");
  await vi.waitUntil(async () => (await store.db.query(`${OF_HERE} and not granted`)).length === 1, {
    timeout: 120_000,
  });
  expect(await look(8)).toEqual({ living: [ID], ended: 0 });
  await blocker.query("select pg_advisory_unlock(9, 9)");
  await waiting;
});

test("a process ends an earlier session of its own, and none that took the lease over", async () => {
  const holders = new LeaseHolders(LOCKS, store.connection);
  const [broken, fresh] = [await newHolder(), await connect()];
  await holders.enter(broken, ID);
  const isGone = new Promise((resolve) => broken.once("end", resolve));
  await holders.reclaim(fresh, ID);
  await isGone;
  await store.db.query("update lease_holders set lease = 'theirs'");
  const theirs = await newHolder();
  await holders.reclaim(fresh, ID);
  expect((await theirs.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
});
