import { chmod, chown, lstat, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { silent } from "../../../test/fakes/silent-log.ts";
import type { Log } from "../../base/log.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./embedded-postgres.ts";
import { accountFor, runAs } from "./postgres-account.ts";
import { findPostgresPackage, prepareBinaries } from "./postgres-binaries.ts";
import { hasPostmaster } from "./postmaster.ts";
import { isAlive } from "./process-facts.ts";

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
  // Every log line already has a pid field: that of our own process.
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

describe("a database that Tandem did not make is refused with what to do", () => {
  const newCluster = async (name: string) => {
    const dataDir = join(root, name);
    const cluster = join(dataDir, "postgres");
    await mkdir(cluster, { recursive: true, mode: 0o755 });
    const account = await accountFor(undefined);
    if (account) await chown(cluster, account.uid, account.gid);
    return { dataDir, cluster, account };
  };

  test("where its user is unknown, and PostgreSQL is left stopped", async () => {
    const { dataDir, cluster, account } = await newCluster("foreign");
    const copyRoot = join(root, "system");
    const source = await findPostgresPackage();
    const { initdb } = await prepareBinaries({ source, account, copyRoot, log: silent });
    expect(await runAs(account, initdb, [`--pgdata=${cluster}`, "--username=other"])).toMatchObject({ code: 0 });
    await expect(startEmbeddedPostgres({ dataDir, systemDir: copyRoot, log: silent })).rejects.toThrow(
      /is not one that Tandem made \(role "tandem" does not exist\)\. Move it away, .*TANDEM_DATABASE_URL/,
    );
    expect(await hasPostmaster(cluster)).toBe(false);
  });

  test("where it is of another version", async () => {
    const { dataDir, cluster } = await newCluster("older");
    await writeFile(join(cluster, "PG_VERSION"), "13\n");
    await expect(startEmbeddedPostgres({ dataDir, log: silent })).rejects.toThrow(
      /was made by PostgreSQL 13, but the programs here are those of PostgreSQL \d+\. Run the version/,
    );
  });
});
