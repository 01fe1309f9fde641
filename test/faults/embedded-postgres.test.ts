// What can go wrong with a database that we run ourselves, provoked for real.

import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, cp, lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { startEmbeddedPostgres } from "../../src/adapters/postgres/embedded-postgres.ts";
import { type Account, canEnter, isRoot } from "../../src/adapters/postgres/postgres-account.ts";
import { findPostgresPackage } from "../../src/adapters/postgres/postgres-binaries.ts";
import type { PostgresConnection } from "../../src/adapters/postgres/postgres-owner.ts";
import { runningSocketDir } from "../../src/adapters/postgres/postmaster.ts";
import { isAlive, isPostmasterOf } from "../../src/adapters/postgres/process-facts.ts";
import { silent } from "../fakes/silent-log.ts";

type Saying =
  | { kind: "loaded" }
  | { kind: "log"; fact: string }
  | { kind: "ready"; pid: number; connection: PostgresConnection }
  | { kind: "refused"; message: string; pid?: number }
  | { kind: "closed" };

interface Server {
  readonly process: ChildProcessWithoutNullStreams;
  readonly facts: string[];
  next(): Promise<Exclude<Saying, { kind: "log" }>>;
  start(): Promise<Extract<Saying, { kind: "ready" }>>;
  kill(): Promise<void>;
}

/** Built, because about forty processes run it. */
const program = fileURLToPath(new URL("../../dist/embedded-postgres-server.mjs", import.meta.url));
const nobody: Account = { uid: 65534, gid: 65534 };

let root: string;
let dataDir: string;
let systemDir: string;
let servers: Server[];
/** Has a cluster that was created, started and stopped. */
let used: string;

beforeAll(async () => {
  used = await mkdtemp(join(tmpdir(), "tandem-faults-used-"));
  await chmod(used, 0o755);
  await (await startEmbeddedPostgres({ dataDir: used, log: silent })).close();
  await build({
    entryPoints: [fileURLToPath(new URL("./embedded-postgres-server.ts", import.meta.url))],
    outfile: program,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    logLevel: "warning",
  });
});

afterAll(() => rm(used, { recursive: true, force: true }));

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "tandem-faults-"));
  await chmod(root, 0o755);
  dataDir = join(root, "data");
  systemDir = join(root, "system");
  servers = [];
});

afterEach(async () => {
  for (const server of servers) await server.kill();
  for (const cluster of await clustersBelow(root)) await killPostmaster(cluster);
  await rm(root, { recursive: true, force: true });
});

/** For tests that are not about a first start, which is the slowest part. */
function useData(): void {
  execFileSync("cp", ["-a", used, dataDir]);
}

describe("one server per data directory", () => {
  test("a second server is refused and told the pid of the first", async () => {
    useData();
    const first = await launch({ dataDir });
    await first.start();
    const second = await launch({ dataDir });
    second.process.stdin.write("start\n");
    const answer = await second.next();
    expect(answer).toMatchObject({ kind: "refused", pid: first.process.pid });
    expect(answer).toHaveProperty("message", expect.stringContaining(`pid ${first.process.pid}`));
    expect(await isAlive(first.process.pid ?? 0)).toBe(true);
  });

  test("of servers starting at the very same moment exactly one wins, on a new directory and on a used one", async () => {
    for (let round = 0; round < 5; round += 1) {
      const rivals = await Promise.all([launch({ dataDir }), launch({ dataDir }), launch({ dataDir })]);
      for (const rival of rivals) rival.process.stdin.write("start\n");
      const answers = await Promise.all(rivals.map((rival) => rival.next()));
      const winner = rivals[answers.findIndex((answer) => answer.kind === "ready")];
      expect(answers.map((answer) => answer.kind).sort()).toEqual(["ready", "refused", "refused"]);
      for (const answer of answers) {
        if (answer.kind === "refused") expect(answer.pid, answer.message).toBe(winner?.process.pid);
      }
      // Odd rounds leave an orphaned postmaster to the next, even rounds do not.
      if (round % 2) await winner?.kill();
      else await close(winner);
    }
    expect((await readdir(dataDir)).sort()).toEqual(["postgres", "postgres.log"]);
  });

  test("a server that closes leaves the directory to the next, which waits for a lock file that is being written", async () => {
    useData();
    const first = await launch({ dataDir });
    const { pid } = await first.start();
    await close(first);
    expect(await isAlive(pid)).toBe(false);
    const second = await launch({ dataDir });
    // As a rival's postmaster leaves it briefly: created, and without its pid.
    const lock = join(dataDir, "postgres", "postmaster.pid");
    await writeFile(lock, "");
    second.process.stdin.write("start\n");
    await until(async () => /lock file "postmaster.pid" is empty/.test(await logOf(dataDir)));
    await rm(lock);
    expect(await second.next()).toMatchObject({ kind: "ready" });
    await close(second);
  });

  test("a rival that reads the lock file while it is being written finds the socket", async () => {
    useData();
    const first = await launch({ dataDir });
    await first.start();
    const lock = join(dataDir, "postgres", "postmaster.pid");
    const lines = (await readFile(lock, "utf8")).split("\n");
    await writeFile(lock, lines.slice(0, 5).join("\n").slice(0, -5));
    const rival = await launch({ dataDir });
    rival.process.stdin.write("start\n");
    expect(await rival.next()).toMatchObject({ kind: "refused", pid: first.process.pid });
    await writeFile(lock, lines.join("\n"));
    await close(first);
  });

  test("the socket's directory is taken from a line that is whole", async () => {
    useData();
    const server = await launch({ dataDir });
    await server.start();
    const cluster = join(dataDir, "postgres");
    const lock = join(cluster, "postmaster.pid");
    const text = await readFile(lock, "utf8");
    const whole = join(root, "whole");
    await writeFile(whole, text);
    await writeFile(lock, text.split("\n").slice(0, 5).join("\n").slice(0, -5));
    const found = runningSocketDir(cluster);
    // Our sequential reads end later than its first read.
    for (let read = 0; read < 5; read += 1) await readFile(lock);
    await rename(whole, lock);
    expect(await found).toBe(cluster);
    await close(server);
  });
});

describe("a killed server", () => {
  test("loses nothing it had committed, and its successor is ready at once", async () => {
    useData();
    const first = await launch({ dataDir });
    const { connection } = await first.start();
    await query(connection, "create table kept (value text)");
    await query(connection, "insert into kept values ('still here')");
    await first.kill();
    const second = await launch({ dataDir });
    const again = await second.start();
    expect(await query(again.connection, "select value from kept")).toEqual([{ value: "still here" }]);
    await close(second);
    expect(await isAlive(again.pid)).toBe(false);
  });

  test("leaves no statement running beside its successor", async () => {
    useData();
    const first = await launch({ dataDir });
    const { connection } = await first.start();
    const leftover = new pg.Client(connection);
    leftover.on("error", () => undefined);
    await leftover.connect();
    const sleeping = leftover.query("select pg_sleep(600)").catch((error: { code: string }) => error.code);
    await first.kill();
    await (await launch({ dataDir })).start();
    expect(await sleeping).toBe("57P01");
  });

  test("together with its PostgreSQL loses nothing either", async () => {
    useData();
    const first = await launch({ dataDir });
    const { connection, pid } = await first.start();
    await query(connection, "create table kept as select generate_series(1, 1000) as value");
    process.kill(first.process.pid ?? 0, "SIGKILL");
    process.kill(pid, "SIGKILL");
    await once(first.process, "exit");
    const second = await launch({ dataDir });
    const again = await second.start();
    expect(await query(again.connection, "select count(*)::int from kept")).toEqual([{ count: 1000 }]);
  });

  test("in the middle of its first start leaves nothing half-made", async () => {
    const first = await launch({ dataDir });
    first.process.stdin.write("start\n");
    await until(async () => (await names(dataDir)).some((name) => name.includes(".half-")));
    await first.kill();
    expect(await names(join(dataDir, "postgres"))).toEqual([]);
    const second = await launch({ dataDir });
    await second.start();
    await close(second);
    expect((await names(dataDir)).filter((name) => !name.includes(".half-")).sort()).toEqual([
      "postgres",
      "postgres.log",
    ]);
  });
});

describe("leftovers", () => {
  test("a postmaster.pid whose pid now belongs to another process neither blocks the start nor harms that process", async () => {
    useData();
    const first = await launch({ dataDir });
    const { pid, connection } = await first.start();
    process.kill(first.process.pid ?? 0, "SIGKILL");
    process.kill(pid, "SIGKILL");
    await until(async () => !(await isAlive(pid)));
    const { uid, gid } = await lstat(join(dataDir, "postgres"));
    // Of the same user: the only kind that PostgreSQL itself would mistake for a running server.
    const stranger = spawn("sleep", ["600"], { stdio: "ignore", ...(isRoot() ? { uid, gid } : {}) });
    try {
      for (const name of ["postmaster.pid", ".s.PGSQL.5432.lock"]) {
        const file = join(connection.host, name);
        const text = await readFile(file, "utf8");
        await writeFile(file, text.replace(/^\d+/, String(stranger.pid)));
      }
      const second = await launch({ dataDir });
      await second.start();
      await close(second);
      expect(stranger.exitCode).toBeNull();
      expect(stranger.signalCode).toBeNull();
    } finally {
      stranger.kill("SIGKILL");
    }
  });

  test("half-made clusters of dead processes are swept away", async () => {
    const dead = spawn("true");
    await once(dead, "exit");
    await mkdir(join(dataDir, `postgres.half-${dead.pid}-00000000`, "base"), { recursive: true });
    await mkdir(join(dataDir, `postgres.half-${process.pid}-00000000`, "base"), { recursive: true });
    const server = await startEmbeddedPostgres({ dataDir, log: silent });
    await server.close();
    expect((await names(dataDir)).sort()).toEqual(["postgres", "postgres.log"]);
  });

  test("a directory that is not a database is refused, not overwritten", async () => {
    await mkdir(join(dataDir, "postgres"), { recursive: true });
    await writeFile(join(dataDir, "postgres", "thesis.txt"), "years of work");
    await expect(startEmbeddedPostgres({ dataDir, log: silent })).rejects.toThrow(/neither empty nor/);
    expect(await names(join(dataDir, "postgres"))).toEqual(["thesis.txt"]);
  });
});

describe("PostgreSQL itself", () => {
  test("killed, is started again, and the server still owns it", async () => {
    useData();
    const server = await startEmbeddedPostgres({ dataDir, log: silent });
    await query(server.connection, "create table kept as select 1 as value");
    for (let round = 0; round < 2; round += 1) {
      const { pid } = server;
      process.kill(pid, "SIGKILL");
      await until(async () => server.pid !== pid);
      expect(await query(server.connection, "select value from kept")).toEqual([{ value: 1 }]);
    }
    const rival = await launch({ dataDir });
    rival.process.stdin.write("start\n");
    expect(await rival.next()).toMatchObject({ kind: "refused", pid: process.pid });
    await server.close();
    expect(await isAlive(server.pid)).toBe(false);
  });

  test("cutting the lock's connection only, is owned again without a restart", async () => {
    useData();
    const server = await startEmbeddedPostgres({ dataDir, log: silent });
    const holder = `select pid from pg_stat_activity where application_name = 'tandem server ${process.pid}'`;
    const [before] = await query(server.connection, holder);
    await query(server.connection, `select pg_terminate_backend(pid) from (${holder}) as holder`);
    await until(async () => {
      const [after] = await query(server.connection, holder);
      return after !== undefined && after.pid !== before?.pid;
    });
    await server.close();
    expect(await isAlive(server.pid)).toBe(false);
  });

  test("dying just before close is not left running", async () => {
    useData();
    const server = await startEmbeddedPostgres({ dataDir, log: silent });
    process.kill(server.pid, "SIGKILL");
    await server.close();
    await until(async () => !(await isAlive(server.pid)));
    expect(await livePostmaster(join(dataDir, "postgres"))).toBeUndefined();
  });

  test("unable to start, says why", async () => {
    useData();
    const server = await startEmbeddedPostgres({ dataDir, log: silent });
    await server.close();
    await writeFile(join(dataDir, "postgres", "postgresql.auto.conf"), "shared_buffers = 'plenty'\n");
    await expect(startEmbeddedPostgres({ dataDir, log: silent })).rejects.toThrow(/invalid value .*shared_buffers/);
  });

  test("taken over by another server while down, is reported as lost and left to that one", async () => {
    useData();
    const lost = vi.fn();
    const server = await startEmbeddedPostgres({ dataDir, log: silent, onLost: lost });
    const rival = await launch({ dataDir });
    // Moving the configuration away makes our own restarts fail until the rival has started.
    const config = join(dataDir, "postgres", "postgresql.conf");
    await rename(config, `${config}.away`);
    process.kill(server.pid, "SIGKILL");
    await until(async () => /could not access the server configuration file/.test(await logOf(dataDir)));
    await rename(`${config}.away`, config);
    rival.process.stdin.write("start\n");
    const answer = await rival.next();
    if (answer.kind === "ready") {
      await vi.waitFor(() => expect(lost).toHaveBeenCalledOnce(), 120_000);
      expect(lost.mock.calls[0]?.[0]).toMatchObject({ pid: rival.process.pid });
      await server.close();
      expect(await isPostmasterOf(answer.pid, join(dataDir, "postgres"))).toBe(true);
    } else {
      // Our restart was quicker, which is just as good.
      expect(answer).toMatchObject({ kind: "refused", pid: process.pid });
      await server.close();
    }
  });
});

describe("places", () => {
  test("a data directory with a very long path works", async () => {
    const long = join(root, ...Array.from({ length: 6 }, (_, index) => `${index}`.repeat(40)));
    const server = await startEmbeddedPostgres({ dataDir: long, log: silent });
    const { host } = server.connection;
    try {
      expect(host.startsWith(long)).toBe(false);
      expect((await lstat(host)).mode & 0o777).toBe(0o700);
      expect(await query(server.connection, "select 1 as one")).toEqual([{ one: 1 }]);
      const rival = await launch({ dataDir: long }, { TMPDIR: "/tmp" });
      rival.process.stdin.write("start\n");
      expect(await rival.next()).toMatchObject({ kind: "refused", pid: process.pid });
    } finally {
      await server.close();
      await rm(host, { recursive: true, force: true });
    }
  });

  test("a path with spaces, commas and quotes works", async () => {
    const server = await startEmbeddedPostgres({ dataDir: join(root, `it's "my", data`), log: silent });
    expect(await query(server.connection, "select 1 as one")).toEqual([{ one: 1 }]);
    await server.close();
  });

  test.runIf(isRoot())("as root below a closed directory the database goes elsewhere and is found again", async () => {
    const closed = join(root, "closed");
    await mkdir(closed, { mode: 0o700 });
    const source = await findPostgresPackage();
    await cp(source.native, join(closed, "native"), { recursive: true, verbatimSymlinks: true });
    const options = {
      dataDir: join(closed, "data"),
      systemDir,
      source: { native: join(closed, "native"), version: source.version },
    };
    const first = await launch(options);
    const { connection } = await first.start();
    await query(connection, "create table kept as select 1 as value");
    const location = (await readFile(join(closed, "data", "postgres.location"), "utf8")).trim();
    expect(dirname(location)).toBe(join(systemDir, "clusters"));
    expect((await lstat(location)).mode & 0o777).toBe(0o700);
    expect(first.facts.join()).toMatch(/programs copied.*outside the data directory/);
    await close(first);

    const rivals = await Promise.all([launch(options), launch(options)]);
    for (const rival of rivals) rival.process.stdin.write("start\n");
    const answers = await Promise.all(rivals.map((rival) => rival.next()));
    expect(answers.map((answer) => answer.kind).sort()).toEqual(["ready", "refused"]);
    expect(await query(connection, "select value from kept")).toEqual([{ value: 1 }]);
    expect((await readdir(systemDir)).sort()).toEqual(["clusters", `postgres-${source.version}`]);
  });

  test.runIf(isRoot())(
    "as root below a closed directory, simultaneous first starts agree on one database",
    async () => {
      const closed = join(root, "closed");
      await mkdir(closed, { mode: 0o700 });
      const options = { dataDir: join(closed, "data"), systemDir };
      const rivals = await Promise.all([launch(options), launch(options), launch(options)]);
      for (const rival of rivals) rival.process.stdin.write("start\n");
      const answers = await Promise.all(rivals.map((rival) => rival.next()));
      expect(answers.map((answer) => answer.kind).sort()).toEqual(["ready", "refused", "refused"]);
      expect(await readdir(join(systemDir, "clusters"))).toHaveLength(1);
    },
  );

  test.runIf(isRoot())("as root the database does not run as root", async () => {
    const server = await startEmbeddedPostgres({ dataDir, log: silent });
    expect((await lstat(`/proc/${server.pid}`)).uid).not.toBe(0);
    await server.close();
  });

  test("an ordinary user needs nothing but the data directory", async (context) => {
    const account = isRoot() ? nobody : undefined;
    if (!(await canEnter(account, dirname(program)))) return context.skip();
    await mkdir(dataDir);
    if (account) await chown(dataDir, account.uid, account.gid);
    const first = await launch({ dataDir, systemDir }, {}, account);
    const { connection } = await first.start();
    expect(connection.host).toBe(join(dataDir, "postgres"));
    await query(connection, "create table kept as select 1 as value");
    await first.kill();
    const second = await launch({ dataDir, systemDir }, {}, account);
    await second.start();
    expect(await query(connection, "select value from kept")).toEqual([{ value: 1 }]);
    await close(second);
    expect(await names(root)).toEqual(["data"]);
    // A later start as root keeps the cluster's owner.
    if (!isRoot()) return;
    const third = await startEmbeddedPostgres({ dataDir, systemDir, log: silent });
    expect((await lstat(`/proc/${third.pid}`)).uid).toBe(nobody.uid);
    await third.close();
  });

  test("an ordinary user with a read-only installation that lacks its links gets a copy", async (context) => {
    const account = isRoot() ? nobody : undefined;
    if (!(await canEnter(account, dirname(program)))) return context.skip();
    const source = await findPostgresPackage();
    const native = join(root, "package", "native");
    await cp(source.native, native, {
      recursive: true,
      filter: async (path) => !(await lstat(path)).isSymbolicLink(),
    });
    await chmod(join(native, "lib"), 0o555);
    await mkdir(dataDir);
    if (account) await chown(dataDir, account.uid, account.gid);
    const server = await launch({ dataDir, systemDir, source: { native, version: "1" } }, {}, account);
    await server.start();
    await close(server);
    await chmod(join(native, "lib"), 0o755);
    expect((await names(dataDir)).sort()).toEqual(["postgres", "postgres-1", "postgres.log"]);
  });
});

async function launch(options: object, environment: object = {}, account?: Account): Promise<Server> {
  const child = spawn(process.execPath, [program, JSON.stringify(options)], {
    cwd: dirname(program),
    env: { PATH: process.env.PATH, ...environment },
    ...(account ? { uid: account.uid, gid: account.gid } : {}),
  });
  let complaint = "";
  child.stderr.on("data", (chunk: Buffer) => {
    complaint += chunk.toString("utf8");
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const facts: string[] = [];
  const server: Server = {
    process: child,
    facts,
    next: async () => {
      for (;;) {
        const line = await lines.next();
        if (line.done) throw new Error(`the server fell silent: ${complaint}`);
        const saying = JSON.parse(line.value) as Saying;
        if (saying.kind !== "log") return saying;
        facts.push(saying.fact);
      }
    },
    start: async () => {
      child.stdin.write("start\n");
      const answer = await server.next();
      if (answer.kind === "ready") return answer;
      throw new Error(`expected a ready server: ${JSON.stringify(answer)}`);
    },
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    },
  };
  servers.push(server);
  expect(await server.next()).toEqual({ kind: "loaded" });
  return server;
}

async function close(server: Server | undefined): Promise<void> {
  server?.process.stdin.write("close\n");
  expect(await server?.next()).toEqual({ kind: "closed" });
}

async function query(connection: PostgresConnection, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  await vi.waitUntil(condition, { timeout: 120_000, interval: 5 });
}

async function names(directory: string): Promise<string[]> {
  return readdir(directory).catch((): string[] => []);
}

function logOf(directory: string): Promise<string> {
  return readFile(join(directory, "postgres.log"), "utf8").catch(() => "");
}

async function clustersBelow(directory: string): Promise<string[]> {
  const found = await readdir(directory, { recursive: true });
  return found.filter((path) => path.endsWith("/postmaster.pid")).map((path) => dirname(join(directory, path)));
}

async function livePostmaster(cluster: string): Promise<number | undefined> {
  const pid = Number.parseInt(await readFile(join(cluster, "postmaster.pid"), "utf8").catch(() => ""), 10);
  return pid > 0 && (await isPostmasterOf(pid, cluster)) ? pid : undefined;
}

async function killPostmaster(cluster: string): Promise<void> {
  const pid = await livePostmaster(cluster);
  if (pid === undefined) return;
  process.kill(pid, "SIGQUIT");
  await until(async () => !(await isAlive(pid)));
}
