// PostgreSQL as Debian ships it, with its default settings: what most users with their own database will have. If it
// dies it is restarted, as its service would do. A run uses it where TEST_POSTGRES=15 (see vitest.config.ts).

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import {
  type Account,
  accountFor,
  asAccount,
  postgresEnvironment,
  runAs,
} from "../src/adapters/postgres/postgres-account.ts";
import type { PostgresConnection } from "../src/adapters/postgres/postgres-owner.ts";
import { requirePeer } from "./peers/peer.ts";

const PROGRAMS = "/usr/lib/postgresql/15/bin";
/** Delay before a start is retried: sessions of a killed one may still be ending. */
const RETRY_MS = 100;
/** Name of its user and of its database, as in the built-in one. */
const NAME = "tandem";

/** Its path; undefined where it is not installed. */
export function requireStockPostgres(): string | undefined {
  return requirePeer("postgres", "postgresql-15", { PATH: PROGRAMS, CI: process.env.CI });
}

export function isOnStockPostgres(environment: Readonly<Record<string, unknown>> = process.env): boolean {
  return environment.TEST_POSTGRES === "15";
}

/** Returns the user who may use it; undefined for ours. */
async function makeFor(directory: string): Promise<Account | undefined> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const account = await accountFor(undefined);
  if (account) chownSync(directory, account.uid, account.gid);
  return account;
}

/** Those that have not been closed, by directory. */
const running = new Map<string, StockPostgres>();
process.once("exit", () => {
  for (const postgres of running.values()) postgres.close();
});

export class StockPostgres {
  readonly connection: PostgresConnection;
  readonly #directory: string;
  readonly #settings: readonly string[];
  readonly #account: Account | undefined;
  #process: ChildProcess;
  #closed: Promise<void> | undefined;

  static runningIn(directory: string): StockPostgres | undefined {
    return running.get(directory);
  }

  /**
   * Starts it in `directory`, which its user must be able to reach. Returns the one that runs there already, if any.
   */
  static async startIn(directory: string, settings: Readonly<Record<string, string>> = {}): Promise<StockPostgres> {
    const known = running.get(directory);
    if (known) return known;
    const account = await makeFor(directory);
    const order = [
      `--pgdata=${directory}`,
      `--username=${NAME}`,
      "--auth=trust",
      "--encoding=UTF8",
      "--locale=C.UTF-8",
    ];
    const made = await runAs(account, join(PROGRAMS, "initdb"), [...order, "--no-sync"]);
    if (made.code !== 0) throw new Error(made.output);
    const postgres = new StockPostgres(directory, settings, account);
    const client = await postgres.#whenReady();
    await client.query(`create database ${NAME}`);
    await client.end();
    return postgres;
  }

  /** Starts one that follows `primary`. */
  static async startStandby(directory: string, primary: StockPostgres): Promise<StockPostgres> {
    await primary.copyTo(directory, "--write-recovery-conf");
    return StockPostgres.#startCopy(directory, {});
  }

  /** Starts a copy that recovers as these settings say. */
  static startRecovering(directory: string, settings: Readonly<Record<string, string>>): Promise<StockPostgres> {
    writeFileSync(join(directory, "recovery.signal"), "");
    return StockPostgres.#startCopy(directory, settings);
  }

  static async #startCopy(directory: string, settings: Readonly<Record<string, string>>): Promise<StockPostgres> {
    const postgres = new StockPostgres(directory, settings, await accountFor(undefined));
    const client = await postgres.#whenReady();
    await client.end();
    return postgres;
  }

  private constructor(directory: string, settings: Readonly<Record<string, string>>, account: Account | undefined) {
    const options = Object.entries({ listen_addresses: "", unix_socket_directories: directory, ...settings });
    this.#directory = directory;
    this.#settings = options.flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    this.#account = account;
    running.set(directory, this);
    this.connection = { host: directory, port: 5432, user: NAME, database: NAME, ssl: false };
    this.#process = this.#start();
  }

  /** Copies its files while it runs. */
  async copyTo(directory: string, ...options: readonly string[]): Promise<void> {
    const account = await makeFor(directory);
    const { host, port, user } = this.connection;
    const from = [`--host=${host}`, `--port=${port}`, `--username=${user}`];
    const to = [`--pgdata=${directory}`, "--checkpoint=fast", "--no-sync"];
    const copied = await runAs(account, join(PROGRAMS, "pg_basebackup"), [...from, ...to, ...options]);
    if (copied.code !== 0) throw new Error(copied.output);
    // The lock of the socket of the one that was copied, which is among its files.
    rmSync(join(directory, ".s.PGSQL.5432.lock"), { force: true });
  }

  /** Stops it immediately, and removes its files when it has ended. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    running.delete(this.#directory);
    const ended = once(this.#process, "exit");
    if (this.#process.kill("SIGQUIT")) await ended;
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #start(): ChildProcess {
    const started = spawn(join(PROGRAMS, "postgres"), ["-D", this.#directory, ...this.#settings], {
      ...{ cwd: "/", env: postgresEnvironment, stdio: "ignore" },
      ...asAccount(this.#account),
    });
    started.once("exit", async () => {
      await delay(RETRY_MS);
      if (!this.#closed) this.#process = this.#start();
    });
    return started;
  }

  async #whenReady(): Promise<pg.Client> {
    for (;;) {
      const client = new pg.Client({ ...this.connection, database: "postgres" });
      try {
        await client.connect();
        return client;
      } catch {
        await delay(RETRY_MS);
      }
    }
  }
}
