import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { silent } from "../../../../test/fakes/silent-log.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../postgres/embedded-postgres.ts";
import { type Migration, runMigrations } from "./apply-schema.ts";

vi.setConfig({ hookTimeout: 60_000 });

const first: Migration = { name: "0001-first", sql: "create table first (value int); insert into first values (1)" };
const second: Migration = { name: "0002-second", sql: "insert into first values (2)" };
const third: Migration = { name: "0003-third", sql: "insert into first values (3)" };

let root: string;
let server: EmbeddedPostgres;
let pool: pg.Pool;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "tandem-migrations-"));
  await chmod(root, 0o755);
  server = await startEmbeddedPostgres({ dataDir: join(root, "data"), systemDir: join(root, "system"), log: silent });
});

afterAll(async () => {
  await server?.close();
  await rm(root, { recursive: true, force: true });
});

beforeEach(() => {
  pool = new pg.Pool(server.connection);
});

afterEach(async () => {
  await pool.query("drop table if exists schema_migrations, first");
  await pool.end();
});

test("an empty database gets every migration in order, and none twice", async () => {
  expect(await runMigrations(pool, [first])).toEqual(["0001-first"]);
  expect(await runMigrations(pool, [first, second, third])).toEqual(["0002-second", "0003-third"]);
  expect(await runMigrations(pool, [first, second, third])).toEqual([]);
  expect(await values()).toEqual([1, 2, 3]);
});

test("a single client will do instead of a pool", async () => {
  const client = await pool.connect();
  expect(await runMigrations(client, [first])).toEqual(["0001-first"]);
  client.release();
});

test("processes that start at once all succeed, and each migration is applied once", async () => {
  const names = await Promise.all(Array.from({ length: 8 }, () => runMigrations(pool, [first, second, third])));
  expect(names.flat().sort()).toEqual(["0001-first", "0002-second", "0003-third"]);
  expect(await values()).toEqual([1, 2, 3]);
});

test("a migration that fails changes nothing and names itself; those before it stay", async () => {
  const broken: Migration = { name: "0002-broken", sql: "insert into first values (2); select nonsense" };
  await expect(runMigrations(pool, [first, broken])).rejects.toThrow(/0002-broken failed: .*nonsense/);
  expect(await values()).toEqual([1]);
  expect(await runMigrations(pool, [first, second])).toEqual(["0002-second"]);
});

test("a migration changed after it was applied is refused", async () => {
  await runMigrations(pool, [first]);
  const changed = { ...first, sql: `${first.sql}; select 1` };
  await expect(runMigrations(pool, [changed])).rejects.toThrow("Migration 0001-first was changed after it was applied");
});

test("the line endings of a checkout are no change", async () => {
  await runMigrations(pool, [{ ...first, sql: "create table first (\n  value int\n)" }]);
  expect(await runMigrations(pool, [{ ...first, sql: "create table first (\r\n  value int\r\n)" }])).toEqual([]);
});

test("a database that a newer version has used is refused", async () => {
  await runMigrations(pool, [first, second]);
  await expect(runMigrations(pool, [first])).rejects.toThrow(/0002-second.*newer version/);
});

test("a database with a gap is refused", async () => {
  await runMigrations(pool, [first, third]);
  await expect(runMigrations(pool, [first, second, third])).rejects.toThrow(
    "has migration 0003-third but not 0002-second",
  );
});

test("migrations listed out of order are refused before anything is touched", async () => {
  await expect(runMigrations(pool, [second, first])).rejects.toThrow("0001-first is listed after 0002-second");
});

async function values(): Promise<number[]> {
  const result = await pool.query<{ value: number }>("select value from first order by value");
  return result.rows.map((row) => row.value);
}
