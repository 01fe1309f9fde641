// The connection pool. Nothing waits for PostgreSQL without end, and a statement that was given up is not carried out
// later: a statement that changes something either begins in time, by the clock of PostgreSQL itself, and ends in time,
// or has no effect (statement-deadline.ts). Errors that mean that PostgreSQL cannot be used at the moment become
// Unavailable, which states whether it is certain that nothing was done; others are our faults.

import pg from "pg";
import type { Log } from "../../../base/log.ts";
import { Unavailable } from "../../../base/unavailable.ts";
import { type NamedStatement, textOf } from "./named-statements.ts";
import { READ_ONLY } from "./read-only.ts";
import { DatabaseSession, type Parameters, type SessionConfig } from "./session.ts";
import { isDeadlinePassed, SessionDeadlines } from "./statement-deadline.ts";

export interface Queryable {
  query<Row extends object>(statement: string | NamedStatement, values?: readonly unknown[]): Promise<Row[]>;
}

/** Runs statements in one session, without timeouts. */
export function queryableOver(client: pg.ClientBase): Queryable {
  return {
    query: async <Row extends object>(statement: string | NamedStatement, values: readonly unknown[] = []) =>
      (await client.query(textOf(statement), [...values])).rows as Row[],
  };
}

export interface ConnectionSettings
  extends Pick<pg.ClientConfig, "host" | "port" | "user" | "password" | "database" | "connectionString"> {
  /** How long to wait for the answer to a statement. */
  readonly waitMs?: number;
}

const CONNECTIONS_MAX = 10;
const CONNECT_MS_MAX = 5_000;
const WAIT_MS = 10_000;
// A statement that begins and ends within these shares of the wait is answered before it times out.
const BEGIN_SHARE = 0.3;
const RUN_SHARE = 0.6;
/** A new connection costs PostgreSQL a new process that reads its catalogues again. */
const IDLE_MS_MAX = 300_000;

export const waitMs = (settings: ConnectionSettings) => settings.waitMs ?? WAIT_MS;
export const connectMs = (settings: ConnectionSettings) => Math.min(CONNECT_MS_MAX, waitMs(settings));

export interface DatabaseOptions {
  readonly connectionsMax?: number;
  /** PostgreSQL's settings in its sessions. */
  readonly parameters?: Parameters;
}

export class Database implements Queryable {
  readonly #pool: pg.Pool;
  readonly #deadlines: SessionDeadlines;
  readonly #underWay = new Set<Promise<unknown>>();
  #unavailable = 0;
  /** Grows when a session turns out to be read-only: those that are older may be sessions with the same server. */
  #age = 0;
  readonly #ages = new WeakMap<pg.ClientBase, number>();
  /** Why the last write failed; a health check that has found room again makes it undefined. */
  storageFault: string | undefined;
  /** When PostgreSQL last answered a statement, by our monotonic clock. */
  answeredMs = Number.NEGATIVE_INFINITY;

  constructor(settings: ConnectionSettings, log: Log, extra: DatabaseOptions = {}) {
    const limitMs = waitMs(settings);
    this.#deadlines = new SessionDeadlines(limitMs * BEGIN_SHARE);
    const session: SessionConfig = {
      ...settings,
      parameters: {
        statement_timeout: limitMs * RUN_SHARE,
        // A transaction waits for nothing but statements: one that is idle this long belongs to a process that hangs.
        idle_in_transaction_session_timeout: Math.min(limitMs, WAIT_MS),
        ...extra.parameters,
      },
    };
    this.#pool = new pg.Pool({
      ...session,
      Client: DatabaseSession,
      max: extra.connectionsMax ?? CONNECTIONS_MAX,
      connectionTimeoutMillis: connectMs(settings),
      idleTimeoutMillis: IDLE_MS_MAX,
      query_timeout: limitMs,
      application_name: `tandem ${process.pid}`,
      onConnect: (client) => {
        this.#ages.set(client, this.#age);
        return this.#deadlines.learn(client);
      },
    });
    this.#pool.on("error", (error) => log.warn({ reason: error.message }, "database connection lost"));
  }

  query<Row extends object>(statement: string | NamedStatement, values: readonly unknown[] = []): Promise<Row[]> {
    return this.#reaching(async () => {
      const startMs = performance.now();
      try {
        return await this.#queryOnce<Row>(statement, values);
      } catch (fault) {
        const isLate = performance.now() - startMs > this.#deadlines.beginMs;
        if (!isDeadlinePassed(fault) || isLate) throw fault;
        // Refused before its deadline: the clocks have drifted apart. A new session reads PostgreSQL's clock again.
        return await this.#queryOnce<Row>(statement, values);
      }
    });
  }

  transaction<Value>(work: (unit: Queryable) => Promise<Value>): Promise<Value> {
    return this.#reaching(async () => {
      const client = await this.#connect();
      let isOver = false;
      try {
        await client.query("begin");
        const value = await work({
          query: (statement, values = []) => this.#deadlines.query(client, statement, values),
        });
        await client.query(this.#deadlines.commit(client));
        return value;
      } catch (fault) {
        // A rollback behind a statement that hangs would hang, too; closing the session also rolls back.
        isOver = isSessionOver(fault) || (await isRefused(client.query("rollback")));
        throw fault;
      } finally {
        client.release(isOver);
      }
    });
  }

  /** Its connections, what waits for one, and how often PostgreSQL could not be used since the start. */
  get load() {
    const { totalCount: open, idleCount: idle, waitingCount: waiting } = this.#pool;
    return { open, idle, waiting, unavailable: this.#unavailable };
  }

  /** Resolves when every statement and transaction now under way has ended. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#underWay]);
  }

  async close(): Promise<void> {
    if (!this.#pool.ended) await this.#pool.end();
  }

  async #queryOnce<Row extends object>(statement: string | NamedStatement, values: readonly unknown[]): Promise<Row[]> {
    const client = await this.#connect();
    let isOver = false;
    try {
      const rows = await this.#deadlines.query<Row>(client, statement, values);
      this.answeredMs = performance.now();
      return rows;
    } catch (fault) {
      isOver = isSessionOver(fault);
      throw fault;
    } finally {
      client.release(isOver);
    }
  }

  async #connect(): Promise<pg.PoolClient> {
    try {
      for (;;) {
        const client = await this.#pool.connect();
        if (this.#ages.get(client) === this.#age) return client;
        client.release(true);
      }
    } catch (fault) {
      throw this.#translate(fault, true);
    }
  }

  async #reaching<Value>(work: () => Promise<Value>): Promise<Value> {
    const running = work();
    this.#underWay.add(running);
    try {
      return await running;
    } catch (fault) {
      throw this.#translate(fault, isRolledBack(fault));
    } finally {
      this.#underWay.delete(running);
    }
  }

  #translate(fault: unknown, isUndone: boolean): unknown {
    if (fault instanceof Unavailable || !isOutOfReach(fault)) return fault;
    const reason = reasonOf(fault);
    this.#unavailable++;
    if (codeOf(fault) === READ_ONLY) this.#age++;
    if (STORAGE_CODES.test(codeOf(fault) ?? "")) this.storageFault = reason;
    return new Unavailable(reason, { cause: fault, isUndone });
  }
}

/** Disk full, I/O error, read-only. */
const STORAGE_CODES = /^(53100|58030|25006)$/;
const CODES_OF_THE_END = /^(08...|25P03|57P0.)$/;
/** Out of resources, timed out, being shut down, or not there at all. */
const CODES_OUT_OF_REACH =
  /^(08...|25P03|53...|57014|57P0.|ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOTFOUND|EMFILE|ENFILE)$/;
const MESSAGES_OUT_OF_REACH =
  /connection terminated|timeout exceeded when trying to connect|client has encountered a connection error|query read timeout|timeout expired/i;

function reasonOf(fault: unknown): string {
  if (isDeadlinePassed(fault)) return "the statement did not begin in time";
  return fault instanceof Error ? fault.message : String(fault);
}

function codeOf(error: unknown): string | undefined {
  const { code } = error as { code?: unknown };
  return typeof code === "string" ? code : undefined;
}

function isOutOfReach(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  if (code === undefined) return MESSAGES_OUT_OF_REACH.test(error.message);
  return CODES_OUT_OF_REACH.test(code) || STORAGE_CODES.test(code) || isDeadlinePassed(error);
}

/**
 * The session is broken, ended, still busy or read-only, or its offset to PostgreSQL's clock is wrong: it must not be
 * reused.
 */
function isSessionOver(fault: unknown): boolean {
  if (!(fault instanceof pg.DatabaseError)) return isOutOfReach(fault);
  return isDeadlinePassed(fault) || fault.code === READ_ONLY || CODES_OF_THE_END.test(fault.code ?? "");
}

/**
 * PostgreSQL reported an error and the session goes on. One that ends the session or the server may follow a commit.
 */
function isRolledBack(fault: unknown): boolean {
  return fault instanceof pg.DatabaseError && fault.severity === "ERROR";
}

function isRefused(query: Promise<unknown>): Promise<boolean> {
  return query.then(
    () => false,
    () => true,
  );
}
