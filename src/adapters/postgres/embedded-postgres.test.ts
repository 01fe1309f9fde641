import { chmod, lstat, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { silent } from "../../../test/fakes/silent-log.ts";
import type { Log } from "../../base/log.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./embedded-postgres.ts";
import { isAlive } from "./process-facts.ts";

vi.setConfig({ hookTimeout: 60_000, testTimeout: 30_000 });

let root: string;
let server: EmbeddedPostgres;
let client: pg.Client;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "tandem-postgres-"));
  await chmod(root, 0o755);
  server = await startEmbeddedPostgres({ dataDir: join(root, "data"), systemDir: join(root, "system"), log: silent });
  client = new pg.Client(server.connection);
  await client.connect();
});

afterAll(async () => {
  await client?.end();
  await server?.close();
  await rm(root, { recursive: true, force: true });
});

test.each([
  ["listen_addresses", ""],
  ["fsync", "on"],
  ["synchronous_commit", "on"],
  ["data_checksums", "on"],
  ["server_encoding", "UTF8"],
  ["TimeZone", "UTC"],
  ["max_connections", "60"],
  ["shared_buffers", "128MB"],
  ["autovacuum_naptime", "10s"],
])("the database runs with %s = '%s'", async (name, value) => {
  const result = await client.query<{ value: string }>("select current_setting($1) as value", [name]);
  expect(result.rows[0]?.value).toBe(value);
});

test("letters beyond ASCII are letters, and sorting does not depend on the machine", async () => {
  const result = await client.query("select upper('ünï') as upper, 'Z' < 'a' as ordered");
  expect(result.rows).toEqual([{ upper: "ÜNÏ", ordered: true }]);
});

test("only the database's own account gets at its socket", async () => {
  expect((await lstat(server.connection.host)).mode & 0o777).toBe(0o700);
  expect((await lstat(join(server.connection.host, ".s.PGSQL.5432"))).mode & 0o777).toBe(0o700);
});

test("a second start in the same process is refused as well", async () => {
  await expect(startEmbeddedPostgres({ dataDir: join(root, "data"), log: silent })).rejects.toThrow(
    `Another Tandem server (pid ${process.pid}) is using the data directory`,
  );
});

test("closing twice is closing once, and the directory can be used again", async () => {
  const dataDir = join(root, "other");
  const lines: object[] = [];
  const info: Log["info"] = (fields, fact) => lines.push({ ...fields, fact });
  const other = await startEmbeddedPostgres({ dataDir, log: { ...silent, info } });
  await Promise.all([other.close(), other.close()]);
  await other.close();
  expect(await isAlive(other.pid)).toBe(false);
  // Every line of the log has a pid already, which is ours.
  expect(lines.filter((line) => "pid" in line)).toEqual([]);
  const about = lines.filter((line) => "postgresPid" in line);
  expect(about).toMatchObject([
    { fact: "PostgreSQL started", postgresPid: other.pid },
    { fact: "PostgreSQL stopped", postgresPid: other.pid, gone: true },
  ]);
  const again = await startEmbeddedPostgres({ dataDir, log: silent });
  expect(again.pid).not.toBe(other.pid);
  await again.close();
});
