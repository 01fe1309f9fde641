// The connection pool. Errors that mean that PostgreSQL cannot be reached become Unavailable; others are our faults.

import pg from "pg";
import type { Log } from "../../../base/log.ts";
import { Unavailable } from "../../../base/unavailable.ts";

export interface Queryable {
  /** With a name, for statements on the hot path: parsed and planned once per connection. */
  query<Row extends object>(text: string, values?: readonly unknown[], name?: string): Promise<Row[]>;
}

export interface ConnectionSettings
  extends Pick<pg.ClientConfig, "host" | "port" | "user" | "password" | "database" | "connectionString"> {
  /** How long to wait for the answer to a statement. */
  readonly waitMs?: number;
}

const CONNECTIONS_MAX = 10;
const CONNECT_MS_MAX = 5_000;
const WAIT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 30_000;

export const waitMs = (settings: ConnectionSettings): number => settings.waitMs ?? WAIT_MS;
export const connectMs = (settings: ConnectionSettings): number => Math.min(CONNECT_MS_MAX, waitMs(settings));

export interface DatabaseOptions {
  readonly connectionsMax?: number;
  /** Server settings of its sessions, as on PostgreSQL's command line. */
  readonly options?: string;
}

export class Database implements Queryable {
  readonly #pool: pg.Pool;

  constructor(settings: ConnectionSettings, log: Log, extra: DatabaseOptions = {}) {
    this.#pool = new pg.Pool({
      ...settings,
      max: extra.connectionsMax ?? CONNECTIONS_MAX,
      ...(extra.options === undefined ? {} : { options: extra.options }),
      connectionTimeoutMillis: connectMs(settings),
      statement_timeout: STATEMENT_TIMEOUT_MS,
      application_name: `tandem ${process.pid}`,
    });
    this.#pool.on("error", (error) => log.warn({ reason: error.message }, "database connection lost"));
    // The pool does not listen for errors of a connection in use, and an error without a listener would end the
    // process. The next statement on the connection reports it.
    this.#pool.on("connect", (client) => client.on("error", () => undefined));
  }

  query<Row extends object>(text: string, values: readonly unknown[] = [], name?: string): Promise<Row[]> {
    return reaching(async () => (await this.#pool.query<Row>(statement(text, values, name))).rows);
  }

  transaction<Value>(work: (unit: Queryable) => Promise<Value>): Promise<Value> {
    return reaching(async () => {
      const client = await this.#pool.connect();
      let broken: Error | undefined;
      try {
        await client.query("begin");
        const value = await work({
          query: async <Row extends object>(text: string, values: readonly unknown[] = [], name?: string) =>
            (await client.query<Row>(statement(text, values, name))).rows,
        });
        await client.query("commit");
        return value;
      } catch (fault) {
        await client.query("rollback").catch((error: Error) => {
          broken = error;
        });
        throw fault;
      } finally {
        client.release(broken);
      }
    });
  }

  isReachable(): Promise<boolean> {
    return this.query("select 1").then(
      () => true,
      () => false,
    );
  }

  async close(): Promise<void> {
    if (!this.#pool.ended) await this.#pool.end();
  }
}

function statement(text: string, values: readonly unknown[], name: string | undefined): pg.QueryConfig {
  return name === undefined ? { text, values: [...values] } : { name, text, values: [...values] };
}

async function reaching<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (isOutOfReach(error))
      throw new Unavailable(error instanceof Error ? error.message : String(error), { cause: error });
    throw error;
  }
}

const CODES_OUT_OF_REACH = /^(08...|57P0[123]|53300|ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|EMFILE|ENFILE)$/;

function isOutOfReach(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === "string") return CODES_OUT_OF_REACH.test(code);
  return /connection terminated|timeout exceeded when trying to connect|client has encountered a connection error/i.test(
    error.message,
  );
}
