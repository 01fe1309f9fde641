import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { connectionTo, dropDatabase, newDatabase } from "../../../../test/shared-database.ts";
import { applySchema, inspectSchema } from "./apply-schema.ts";
import type { SchemaStep } from "./schema-step.ts";

const first: SchemaStep = { name: "0001-first", sql: "create table first (value int); insert into first values (1)" };
const second: SchemaStep = { name: "0002-second", sql: "insert into first values (2)" };
const third: SchemaStep = { name: "0003-third", sql: "insert into first values (3)" };

let url: string;
let pool: pg.Pool;

beforeAll(async () => {
  url = await newDatabase("empty");
});

afterAll(() => dropDatabase(url));

beforeEach(() => {
  pool = new pg.Pool(connectionTo(url));
  // A pool ends before its connections do: they may still report that their database was dropped.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
});

afterEach(async () => {
  await pool.query("drop table if exists schema_steps, first");
  await pool.end();
});

test("an empty database gets every step in order, and none twice", async () => {
  expect(await applySchema(pool, [first])).toEqual(["0001-first"]);
  expect(await applySchema(pool, [first, second, third])).toEqual(["0002-second", "0003-third"]);
  expect(await applySchema(pool, [first, second, third])).toEqual([]);
  expect(await values()).toEqual([1, 2, 3]);
});

test("an upgrade is told step by step, and a new database is none", async () => {
  const told: string[] = [];
  await applySchema(pool, [first, second], (name) => told.push(name));
  expect(told).toEqual([]);
  await applySchema(pool, [first, second, third], (name) => told.push(name));
  expect(told).toEqual(["0003-third"]);
});

test("a single client will do instead of a pool", async () => {
  const client = await pool.connect();
  expect(await applySchema(client, [first])).toEqual(["0001-first"]);
  client.release();
});

test("processes that start at once all succeed, and each step is applied once", async () => {
  const names = await Promise.all(Array.from({ length: 8 }, () => applySchema(pool, [first, second, third])));
  expect(names.flat().sort()).toEqual(["0001-first", "0002-second", "0003-third"]);
  expect(await values()).toEqual([1, 2, 3]);
});

test("a step that fails changes nothing and names itself; those before it stay", async () => {
  const broken: SchemaStep = { name: "0002-broken", sql: "insert into first values (2); select nonsense" };
  await expect(applySchema(pool, [first, broken])).rejects.toThrow(/0002-broken failed: .*nonsense/);
  expect(await values()).toEqual([1]);
  expect(await applySchema(pool, [first, second])).toEqual(["0002-second"]);
});

test("a step changed after it was applied is refused", async () => {
  await applySchema(pool, [first]);
  const changed = { ...first, sql: `${first.sql}; select 1` };
  await expect(applySchema(pool, [changed])).rejects.toThrow("Schema step 0001-first was changed after it was applied");
});

test("the line endings of a checkout are no change", async () => {
  await applySchema(pool, [{ ...first, sql: "create table first (\n  value int\n)" }]);
  expect(await applySchema(pool, [{ ...first, sql: "create table first (\r\n  value int\r\n)" }])).toEqual([]);
});

const additive: SchemaStep = {
  name: "0016-additive",
  sql: "alter table schema_steps add column is_additive boolean not null default false",
};
const newer: SchemaStep = { name: "0020-newer", sql: "alter table first add column other int" };

test("a version that does not know steps that only add starts all the same, and one that does goes on", async () => {
  const ours = [first, additive];
  await applySchema(pool, [...ours, newer]);
  expect(await applySchema(pool, ours)).toEqual([]);
  const client = await pool.connect();
  expect(await inspectSchema(client, ours)).toEqual({ appliedCount: 2, next: undefined });
  client.release();
  expect(await applySchema(pool, [...ours, newer, { name: "0021-more", sql: "select 1" }])).toEqual(["0021-more"]);
  const other = { name: "0020-other", sql: "select 1" };
  await expect(applySchema(pool, [...ours, other])).rejects.toThrow(/0020-newer/);
});

test("a step that only adds does not make others wait behind it for a table that is in use", async () => {
  await applySchema(pool, [first, additive]);
  const reader = await pool.connect();
  await reader.query("begin; select from first");
  const applied = applySchema(pool, [first, additive, newer]);
  const isWaiting = async () => {
    const { rows } = await pool.query("select from pg_locks where not granted and relation = 'first'::regclass");
    return rows.length > 0;
  };
  await vi.waitUntil(isWaiting, { timeout: 120_000 });
  // Behind the step; it goes on when the step gives up.
  await pool.query("select from first");
  await reader.query("commit");
  reader.release();
  expect(await applied).toEqual(["0020-newer"]);
});

test("a database that a newer version has used is refused", async () => {
  await applySchema(pool, [first, second]);
  await expect(applySchema(pool, [first])).rejects.toThrow(/0002-second.*newer version/);
});

test("a database with a gap is refused", async () => {
  await applySchema(pool, [first, third]);
  await expect(applySchema(pool, [first, second, third])).rejects.toThrow(
    "has schema step 0003-third but not 0002-second",
  );
});

test("steps listed out of order are refused before anything is touched", async () => {
  await expect(applySchema(pool, [second, first])).rejects.toThrow("0001-first is listed after 0002-second");
});

test("a database of before these steps is refused, with what to do, and left as it is", async () => {
  await pool.query("create table schema_migrations (name text primary key)");
  try {
    const advice = /made by an earlier version.*Move the data directory away.*TANDEM_DATABASE_URL/;
    await expect(applySchema(pool, [first])).rejects.toThrow(advice);
    await expect(look([first])).rejects.toThrow(advice);
    expect((await pool.query("select to_regclass('first') as made")).rows).toEqual([{ made: null }]);
  } finally {
    await pool.query("drop table schema_migrations");
  }
});

test("a look tells how far the schema is and changes nothing", async () => {
  expect(await look([first, second])).toEqual({ appliedCount: 0, next: first });
  expect((await pool.query("select to_regclass('schema_steps') as made")).rows).toEqual([{ made: null }]);
  await applySchema(pool, [first]);
  expect(await look([first, second])).toEqual({ appliedCount: 1, next: second });
  expect(await look([first])).toEqual({ appliedCount: 1, next: undefined });
});

async function look(steps: readonly SchemaStep[]) {
  const client = await pool.connect();
  try {
    return await inspectSchema(client, steps);
  } finally {
    client.release();
  }
}

async function values(): Promise<number[]> {
  const result = await pool.query<{ value: number }>("select value from first order by value");
  return result.rows.map((row) => row.value);
}
