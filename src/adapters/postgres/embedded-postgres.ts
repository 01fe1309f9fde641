// The built-in database: a real PostgreSQL in the data directory, reachable only by a unix socket.
//
// Guarantees: one server per data directory, decided by a lock in the database (postgres-owner.ts). A postmaster left
// by a killed server is taken over, not restarted; one that dies is started again. `close()` stops it.
// Connections do not survive a restart of PostgreSQL: the owner of a pool must retry.

import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { backoffMs } from "../../base/backoff.ts";
import type { Log } from "../../base/log.ts";
import { isRoot } from "./postgres-account.ts";
import { findPostgresPackage, type PostgresPackage, prepareBinaries } from "./postgres-binaries.ts";
import {
  clusterVersion,
  createCluster,
  databaseName,
  databasePort,
  databaseUser,
  findCluster,
  socketDirFor,
} from "./postgres-cluster.ts";
import { boundLog, logTail } from "./postgres-log.ts";
import { claim, DataDirInUseError, endLeftovers, type Ownership, type PostgresConnection } from "./postgres-owner.ts";
import {
  clearStaleLocks,
  hasPostmaster,
  type Postmaster,
  type PostmasterSite,
  runningSocketDir,
  startPostmaster,
  stopPostmaster,
} from "./postmaster.ts";

export interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  readonly log: Log;
  /** Called once if another server took over the data directory while PostgreSQL was down; this server must stop. */
  readonly onLost?: (error: Error) => void;
  /** As root: the place for programs and clusters that PostgreSQL's account cannot reach elsewhere. */
  readonly systemDir?: string;
  /** PostgreSQL's programs; default: the installed npm package. */
  readonly source?: PostgresPackage;
}

export interface EmbeddedPostgres {
  readonly connection: PostgresConnection;
  /** The postmaster's pid; it changes when PostgreSQL is started again. */
  readonly pid: number;
  close(): Promise<void>;
}

// Recovery after a power cut replays at most max_wal_size (1 GB), which takes well under a minute.
const startMsMax = 120_000;
// PostgreSQL notices a dead client immediately if its connection is idle, and the connection with the lock always is.
const dyingHolderMsMax = 5_000;
const poll = { msMin: 10, msMax: 320 };
const restart = { msMin: 100, msMax: 5_000 };
const logCheckMs = 60_000;

// The lock distinguishes processes, but not two servers in one process.
const startedHere = new Set<string>();

export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  mkdirSync(options.dataDir, { recursive: true });
  const dataDir = realpathSync(options.dataDir);
  if (startedHere.has(dataDir)) throw new DataDirInUseError(dataDir, process.pid);
  startedHere.add(dataDir);
  try {
    const site = await prepareSite(options, dataDir);
    const server = new OwnedPostgres(options, dataDir, site);
    await server.start();
    return server;
  } catch (error) {
    startedHere.delete(dataDir);
    throw error;
  }
}

async function prepareSite(options: EmbeddedPostgresOptions, dataDir: string): Promise<PostmasterSite> {
  const { log, systemDir = "/var/lib/tandem" } = options;
  const found = await findCluster(dataDir, systemDir);
  const { account } = found;
  const source = options.source ?? (await findPostgresPackage());
  if (found.cluster !== undefined) await checkVersion(found.cluster, source);
  const binaries = await prepareBinaries({
    source,
    account,
    copyRoot: isRoot() ? systemDir : dataDir,
    log,
  });
  const cluster = found.cluster ?? (await createCluster(found, binaries, log));
  const socketDir = (await runningSocketDir(cluster)) ?? (await socketDirFor(cluster, account));
  return { cluster, socketDir, account, binaries, logFile: join(dataDir, "postgres.log") };
}

/** Explains that PostgreSQL has no user or database of ours; returns any other fault unchanged. */
function notOurs(fault: unknown, cluster: string): unknown {
  const { code = "", message } = fault as NodeJS.ErrnoException;
  if (code !== "28000" && code !== "3D000") return fault;
  return new Error(
    `The database in ${cluster} is not one that Tandem made (${message}). Move it away, or set TANDEM_DATA_DIR to another directory; if Tandem is to use that PostgreSQL, set TANDEM_DATABASE_URL.`,
    { cause: fault },
  );
}

async function checkVersion(cluster: string, { version }: PostgresPackage): Promise<void> {
  const made = await clusterVersion(cluster);
  const [have] = version.split(".");
  if (made === have) return;
  throw new Error(
    `The database in ${cluster} was made by PostgreSQL ${made}, but the programs here are those of PostgreSQL ${have}. Run the version of Tandem that made it, back it up and restore it here; or move it away, and a new one is made.`,
  );
}

class OwnedPostgres implements EmbeddedPostgres {
  readonly connection: PostgresConnection;
  readonly #options: EmbeddedPostgresOptions;
  readonly #dataDir: string;
  readonly #site: PostmasterSite;
  readonly #closing = new AbortController();
  #ownership: Ownership | undefined;
  #recovery: Promise<void> = Promise.resolve();
  #logCheck: NodeJS.Timeout | undefined;
  #closed: Promise<void> | undefined;
  #pid = 0;

  constructor(options: EmbeddedPostgresOptions, dataDir: string, site: PostmasterSite) {
    this.#options = options;
    this.#dataDir = dataDir;
    this.#site = site;
    this.connection = {
      host: site.socketDir,
      port: databasePort,
      user: databaseUser,
      database: databaseName,
      ssl: false,
    };
  }

  get pid(): number {
    return this.#pid;
  }

  async start(): Promise<void> {
    const startedMs = performance.now();
    const { started } = await this.#own();
    const ms = Math.round(performance.now() - startedMs);
    this.#options.log.info(
      { postgresPid: this.#pid, ms },
      started ? "PostgreSQL started" : "running PostgreSQL taken over",
    );
    // If the connection breaks just now, PostgreSQL has ended those sessions itself.
    if (!started && this.#ownership) await endLeftovers(this.#ownership.client).catch(() => undefined);
    this.#logCheck = setInterval(() => {
      boundLog(this.#site.logFile).catch((error) =>
        this.#options.log.warn({ error: String(error) }, "PostgreSQL's log not shortened"),
      );
    }, logCheckMs).unref();
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#closing.abort();
    clearInterval(this.#logCheck);
    await this.#recovery;
    const { cluster } = this.#site;
    const ownership = this.#ownership;
    if (ownership) {
      // The shutdown itself releases the lock, so no other server can take over before.
      const gone = await stopPostmaster(ownership.postmasterPid, cluster, this.#options.log);
      await ownership.client.end().catch(() => undefined);
      this.#options.log.info({ postgresPid: ownership.postmasterPid, gone }, "PostgreSQL stopped");
    }
    startedHere.delete(this.#dataDir);
  }

  /** Retries the claim until the cluster is ours, starting a postmaster whenever there is none. */
  async #own(): Promise<{ started: boolean }> {
    const site = this.#site;
    const untilMs = performance.now() + startMsMax;
    let failures = 0;
    let holderUntilMs: number | undefined;
    let postmaster: Postmaster | undefined;
    while (performance.now() < untilMs) {
      const answer = await claim(this.connection).catch(async (fault: unknown) => {
        if (postmaster?.pid !== undefined) await stopPostmaster(postmaster.pid, site.cluster, this.#options.log);
        throw notOurs(fault, site.cluster);
      });
      if (answer.kind === "owned") {
        this.#keep(answer.ownership);
        return { started: postmaster?.pid === this.#pid };
      }
      if (answer.kind === "held") {
        holderUntilMs ??= performance.now() + dyingHolderMsMax;
        if (answer.living || performance.now() > holderUntilMs) throw new DataDirInUseError(this.#dataDir, answer.pid);
      } else holderUntilMs = undefined;
      const failure = postmaster?.failure();
      if (failure && !failure.passing) throw new Error(`PostgreSQL did not start:\n${failure.logTail}`);
      if (failure) {
        postmaster = undefined;
        failures += 1;
      }
      if (answer.kind === "absent" && !postmaster && !(await hasPostmaster(site.cluster))) {
        await clearStaleLocks(site);
        postmaster = await startPostmaster(site);
      }
      // Waits for a starting postmaster even when closing, because nothing else would stop it.
      if (this.#closing.signal.aborted && !postmaster) throw new Error("closed");
      await delay(backoffMs(poll, failures + 1));
    }
    // PostgreSQL is left running: a recovery that takes this long must not start again with every start.
    throw new Error(`PostgreSQL was not ready after ${startMsMax / 1000} s:\n${await logTail(site.logFile)}`);
  }

  #keep(ownership: Ownership): void {
    this.#ownership = ownership;
    this.#pid = ownership.postmasterPid;
    ownership.client.once("end", () => {
      this.#ownership = undefined;
      if (this.#closing.signal.aborted) return;
      this.#options.log.error({ postgresPid: this.#pid }, "connection to PostgreSQL lost");
      this.#recovery = this.#recover();
    });
  }

  async #recover(): Promise<void> {
    const { log, onLost } = this.#options;
    for (let failures = 1; !this.#closing.signal.aborted; failures++) {
      try {
        const { started } = await this.#own();
        log.info(
          { postgresPid: this.#pid },
          started ? "PostgreSQL started again" : "connection to PostgreSQL restored",
        );
        return;
      } catch (error) {
        if (this.#closing.signal.aborted) return;
        log.error({ error: String(error) }, "PostgreSQL not restored");
        if (error instanceof DataDirInUseError) return onLost?.(error);
        await delay(backoffMs(restart, failures), undefined, { signal: this.#closing.signal }).catch(() => undefined);
      }
    }
  }
}
