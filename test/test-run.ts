// Resources that the files of one test run share. Servers are started when a test first requests them, and stopped with
// the run.
//
// - In the quick form, Node's options for servers that live for seconds (tandem.ts).
// - The directory for temporary files. It is removed with all that tests left in it, also when the run is killed
//   (run-watchdog.mjs).
// - One PostgreSQL. Every request gets a new database on it, with the current schema. The built-in one does not wait
//   for the disk: tests that kill PostgreSQL start their own. Debian's (stock-postgres.ts) has its default settings.
// - One Tandem for each process that runs test files. Such a process runs one file after the other, so that files never
//   use it at the same time.
//
// Test files request servers over HTTP: see shared-database.ts and use-tandem.ts.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../src/adapters/postgres/embedded-postgres.ts";
import { applySchema } from "../src/adapters/store/schema/apply-schema.ts";
import { SCHEMA } from "../src/adapters/store/schema/index.ts";
import { silent } from "./fakes/silent-log.ts";
import { isLong } from "./faults/form.ts";
import { isOnStockPostgres, StockPostgres } from "./stock-postgres.ts";
import { forgetTandem, socketUrl, startTandem, type Tandem } from "./tandem.ts";

declare module "vitest" {
  interface ProvidedContext {
    readonly testRunUrl: string;
  }
}

/** Has the current schema, and no connections. */
const TEMPLATE = "schema_of_today";
/** Linux keeps its files in memory. */
const MEMORY = "/dev/shm";
const MEMORY_BYTES_MIN = 8 * 2 ** 30;
/** For many servers at the same time. */
const CONNECTIONS_MAX = "900";
/** Settings for disposable data. */
const SETTINGS = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  // Short tests leave too little behind to vacuum; long ones measure what is read.
  autovacuum: isLong ? "on" : "off",
  max_connections: CONNECTIONS_MAX,
};

export default async function shareInRun(project: TestProject): Promise<() => Promise<void>> {
  const scratch = newDirectory(placeForFiles());
  const watchdog = startWatchdog(scratch);
  process.env.TMPDIR = scratch;
  if (!isLong) process.env.TEST_SERVERS = "short-lived";
  let postgres: Promise<SharedPostgres> | undefined;
  const servers = new Map<string, Promise<Tandem>>();
  const newDatabase = async (isEmpty = false) => {
    postgres ??= SharedPostgres.start(isOnStockPostgres({ ...process.env, ...project.config.env }));
    return (await postgres).create(isEmpty);
  };
  const startServer = async () => startTandem({ databaseUrl: await newDatabase() });
  const answer = async ({ method, url = "/" }: IncomingMessage): Promise<unknown> => {
    const { pathname, searchParams } = new URL(url, "http://run");
    if (method === "DELETE") return (await postgres)?.drop(searchParams.get("database") as string);
    if (pathname === "/databases") return newDatabase(searchParams.has("empty"));
    const worker = searchParams.get("worker") as string;
    if (!servers.has(worker)) servers.set(worker, startServer());
    return servers.get(worker);
  };
  const http = createServer((request, response) => {
    answer(request).then(
      (body) => response.end(JSON.stringify(body ?? null)),
      (fault) => response.writeHead(500).end(String(fault)),
    );
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  project.provide("testRunUrl", `http://127.0.0.1:${(http.address() as AddressInfo).port}`);
  return async () => {
    http.close();
    await Promise.all([...servers.values()].map(async (server) => (await server).stop()));
    await (await postgres)?.close();
    watchdog.kill();
    rmSync(scratch, { recursive: true, force: true });
  };
}

/** In its own process group, so that it is not stopped together with the run. */
function startWatchdog(scratch: string): ChildProcess {
  const program = fileURLToPath(new URL("./run-watchdog.mjs", import.meta.url));
  const child = spawn(process.execPath, [program, scratch], { detached: true, stdio: ["pipe", "ignore", "ignore"] });
  child.unref();
  return child;
}

class SharedPostgres {
  readonly #url: (database: string) => string;
  /** One connection: databases are created one after the other. */
  readonly #admin: pg.Pool;
  readonly #stop: () => Promise<void>;
  #made = 0;

  static async start(isStock: boolean): Promise<SharedPostgres> {
    const dataDir = newDirectory(tmpdir());
    const postgres = isStock
      ? await StockPostgres.startIn(join(dataDir, "postgres"), { max_connections: CONNECTIONS_MAX })
      : await startEmbedded(dataDir);
    const { host } = postgres.connection;
    const admin = new pg.Pool({ ...postgres.connection, max: 1 });
    // A pool ends before its connection does: PostgreSQL, stopped meanwhile, may still report an error on it.
    admin.on("connect", (client) => client.on("error", () => undefined));
    admin.on("error", () => undefined);
    await admin.query(`create database ${TEMPLATE}`);
    await asOne({ ...postgres.connection, database: TEMPLATE }, (client) => applySchema(client, SCHEMA));
    return new SharedPostgres(
      (database) => socketUrl(host, database),
      admin,
      async () => {
        await postgres.close();
        forgetTandem(dataDir);
      },
    );
  }

  private constructor(url: (database: string) => string, admin: pg.Pool, stop: () => Promise<void>) {
    this.#url = url;
    this.#admin = admin;
    this.#stop = stop;
  }

  async create(isEmpty: boolean): Promise<string> {
    const name = `test_${++this.#made}`;
    const template = isEmpty ? "template1" : TEMPLATE;
    // With file_copy, creating a database costs a sixth of what it costs through the log.
    await this.#admin.query(`create database ${name} template ${template} strategy file_copy`);
    return this.#url(name);
  }

  async drop(url: string): Promise<void> {
    await this.#admin.query(`drop database ${new URL(url).pathname.slice(1)} with (force)`);
  }

  async close(): Promise<void> {
    await this.#admin.end();
    await this.#stop();
  }
}

async function startEmbedded(dataDir: string): Promise<EmbeddedPostgres> {
  const fresh = await startEmbeddedPostgres({ dataDir, log: silent });
  await asOne(fresh.connection, async (client) => {
    for (const [name, value] of Object.entries(SETTINGS)) await client.query(`alter system set ${name} = ${value}`);
  });
  // max_connections is only read at the start.
  await fresh.close();
  return startEmbeddedPostgres({ dataDir, log: silent });
}

/**
 * Memory, if there is plenty and programs may run there: a database is hundreds of files, and ext4 is slow to create
 * files soon after others were removed. Long tests store too much for it.
 */
function placeForFiles(): string {
  if (isLong || !existsSync(MEMORY)) return tmpdir();
  const mount = readFileSync("/proc/mounts", "utf8")
    .split("\n")
    .find((line) => line.split(" ")[1] === MEMORY);
  const { bavail, bsize } = statfsSync(MEMORY);
  return !mount || mount.includes("noexec") || bavail * bsize < MEMORY_BYTES_MIN ? tmpdir() : MEMORY;
}

/** A directory that PostgreSQL can enter, which runs as another user where the tests run as root. */
function newDirectory(place: string): string {
  const directory = mkdtempSync(join(place, "tandem-run-"));
  chmodSync(directory, 0o755);
  return directory;
}

async function asOne(connection: pg.ClientConfig, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  await work(client);
  await client.end();
}
