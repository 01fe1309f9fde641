// Finds or creates the cluster. Guarantees: a cluster is complete or absent (it is made under another name, then
// renamed). Two processes that create it at the same time get the same one.
//
// Normally it is <dataDir>/postgres. When Tandem runs as root below a directory that PostgreSQL's account may not
// enter, it is <systemDir>/clusters/<random>, and <dataDir>/postgres.location holds that path.

import { createHash, randomBytes } from "node:crypto";
import {
  chmod,
  chown,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { Log } from "../../base/log.ts";
import { type Account, accountFor, canEnter, isRoot, runAs } from "./postgres-account.ts";
import type { PostgresBinaries } from "./postgres-binaries.ts";
import { isAlive } from "./process-facts.ts";

export const databaseName = "tandem";
export const databaseUser = "tandem";
export const databasePort = 5432;

// sun_path has 104 bytes on macOS and 108 on Linux, including the final zero.
const socketPathBytesMax = 100;
const halfMadeAgeMsMax = 10 * 60 * 1000;

// Written into postgresql.conf once, so that an operator may change them with ALTER SYSTEM.
const settings: readonly string[] = [
  "shared_buffers=128MB",
  "max_connections=60",
  "jit=off",
  "timezone=UTC",
  "log_timezone=UTC",
  "log_checkpoints=off",
  // Rows and statements contain people's numbers and texts, which do not belong in a log.
  "log_error_verbosity=terse",
  "log_min_error_statement=panic",
  // Sessions keep plans, some made while a table was nearly empty. Statistics that are renewed soon replace them.
  "autovacuum_naptime=10s",
  // The statements of a killed server end soon after it.
  "client_connection_check_interval=1s",
];

export interface ClusterSite {
  readonly dataDir: string;
  readonly systemDir: string;
  /** undefined: not made yet. */
  readonly cluster: string | undefined;
  readonly account: Account | undefined;
}

export async function findCluster(dataDir: string, systemDir: string): Promise<ClusterSite> {
  await sweepHalfMade(dataDir);
  const away = await readLocation(dataDir);
  const cluster = away ?? ((await holdsCluster(join(dataDir, "postgres"))) ? join(dataDir, "postgres") : undefined);
  if (away && !(await holdsCluster(away))) {
    throw new Error(`${locationFile(dataDir)} says that the database is in ${away}, but there is none.`);
  }
  const account = await accountFor(cluster);
  if (cluster) await checkReach(cluster, account);
  return { dataDir, systemDir, cluster, account };
}

/** The major version of the PostgreSQL that made it. */
export async function clusterVersion(cluster: string): Promise<string> {
  return (await readFile(join(cluster, "PG_VERSION"), "utf8")).trim();
}

/** Creates the cluster and its database. Returns its path, or that of another process which was first. */
export async function createCluster(site: ClusterSite, binaries: PostgresBinaries, log: Log): Promise<string> {
  const startedMs = performance.now();
  const near = await canEnter(site.account, site.dataDir);
  const clusters = join(site.systemDir, "clusters");
  const target = near ? join(site.dataDir, "postgres") : join(clusters, randomBytes(8).toString("hex"));
  if (!near) {
    await mkdir(clusters, { recursive: true });
    for (const directory of [site.systemDir, clusters]) await chmod(directory, 0o755);
    await sweepHalfMade(clusters);
  }
  const half = `${target}.half-${process.pid}-${randomBytes(4).toString("hex")}`;
  try {
    await initialise(half, site.account, binaries);
    await rename(half, target).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
    });
    await syncDirectory(dirname(target));
  } finally {
    await rm(half, { recursive: true, force: true });
  }
  const ms = Math.round(performance.now() - startedMs);
  if (near) {
    log.info({ cluster: target, ms }, "database created");
    return target;
  }
  const cluster = await recordLocation(site.dataDir, target);
  log.info({ cluster, ms }, "database created outside the data directory, which PostgreSQL's account cannot enter");
  return cluster;
}

/** The directory of the unix socket: the cluster, or a private temporary directory if that path is too long. */
export async function socketDirFor(cluster: string, account: Account | undefined): Promise<string> {
  if (fitsSocket(cluster)) return cluster;
  const name = `tandem-${createHash("sha256").update(cluster).digest("hex").slice(0, 16)}`;
  for (const root of [tmpdir(), "/tmp"]) {
    const directory = join(root, name);
    if (!fitsSocket(directory) || !(await canEnter(account, root))) continue;
    await makePrivate(directory, account);
    return directory;
  }
  throw new Error(`No directory short enough for PostgreSQL's socket: ${cluster} is too long, and so is ${tmpdir()}.`);
}

function fitsSocket(directory: string): boolean {
  return Buffer.byteLength(join(directory, `.s.PGSQL.${databasePort}`)) <= socketPathBytesMax;
}

/** Everyone can write to the temporary directory, so a directory that is not private to us is refused. */
async function makePrivate(directory: string, account: Account | undefined): Promise<void> {
  await mkdir(directory, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  const found = await lstat(directory);
  const owner = account?.uid ?? process.getuid?.();
  const ours = found.uid === owner || (isRoot() && found.uid === 0);
  if (!found.isDirectory() || !ours || (found.mode & 0o077) !== 0) {
    throw new Error(`${directory} is not a private directory of ours; remove it or use a shorter data directory.`);
  }
  if (account) await chown(directory, account.uid, account.gid);
}

async function initialise(half: string, account: Account | undefined, binaries: PostgresBinaries): Promise<void> {
  await mkdir(half, { mode: 0o700 });
  if (account) await chown(half, account.uid, account.gid);
  const made = await runAs(account, binaries.initdb, [
    `--pgdata=${half}`,
    `--username=${databaseUser}`,
    "--auth=trust",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--data-checksums",
    ...settings.map((setting) => `--set=${setting}`),
  ]);
  if (made.code !== 0) throw new Error(`The database could not be created: ${made.output}`);
  // In single-user mode, before the rename, so that a cluster always has its database.
  const single = ["--single", "-D", half, "template1"];
  const named = await runAs(account, binaries.postgres, single, `create database ${databaseName}\n`);
  if (named.code !== 0 || /ERROR|FATAL/.test(named.output)) {
    throw new Error(`The database could not be created: ${named.output}`);
  }
}

/** Removes what killed processes left behind. The name contains the pid of the process. */
async function sweepHalfMade(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const pid = Number(/\.half-(\d+)-[0-9a-f]+$/.exec(name)?.[1]);
    if (!pid) continue;
    const path = join(directory, name);
    const ageMs = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? 0);
    const working = pid !== process.pid && (await isAlive(pid)) && ageMs < halfMadeAgeMsMax;
    // An initdb that outlived its parent may still be writing there; the next start removes the rest.
    if (!working) await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  }
}

async function holdsCluster(directory: string): Promise<boolean> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === "ENOENT") return [];
    throw new Error(
      `The database in ${directory} cannot be read by this user (${error.code}). Run Tandem as its owner, or set TANDEM_DATA_DIR to another directory.`,
      { cause: error },
    );
  });
  // The rename replaces an empty directory.
  if (names.length === 0) return false;
  if (names.includes("PG_VERSION")) return true;
  throw new Error(
    `${directory} is neither empty nor a PostgreSQL database. Move it away, or set TANDEM_DATA_DIR to another directory.`,
  );
}

async function checkReach(cluster: string, account: Account | undefined): Promise<void> {
  const { uid } = await stat(cluster);
  const owner = account?.uid ?? process.getuid?.();
  if (uid !== owner) {
    throw new Error(
      `The database in ${cluster} belongs to uid ${uid}, but PostgreSQL would run as uid ${owner}. Run Tandem as uid ${uid}, give the directory to uid ${owner} (chown -R), or set TANDEM_DATA_DIR to another one.`,
    );
  }
  if (await canEnter(account, cluster)) return;
  throw new Error(`PostgreSQL's account (uid ${owner}) may not enter ${cluster}; let it pass the directories above.`);
}

function locationFile(dataDir: string): string {
  return join(dataDir, "postgres.location");
}

async function readLocation(dataDir: string): Promise<string | undefined> {
  const text = await readFile(locationFile(dataDir), "utf8").catch(() => "");
  return text.trim() || undefined;
}

/** The first process to record its location wins; the other one's cluster is still empty and is removed. */
async function recordLocation(dataDir: string, cluster: string): Promise<string> {
  const half = `${locationFile(dataDir)}.half-${process.pid}-${basename(cluster)}`;
  await writeFile(half, `${cluster}\n`, { flush: true });
  try {
    await link(half, locationFile(dataDir));
    await syncDirectory(dataDir);
    return cluster;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    await rm(cluster, { recursive: true, force: true });
    return (await readLocation(dataDir)) ?? cluster;
  } finally {
    await rm(half, { force: true });
  }
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, "r");
  await handle.sync().finally(() => handle.close());
}
