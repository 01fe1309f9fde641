// A connection that is held for the life of the process, for what belongs to a session: LISTEN and advisory locks. When
// it breaks, or no longer responds (a query checks it every second), it reconnects with growing pauses.

import type pg from "pg";
import { backoffMs } from "../../../base/backoff.ts";
import type { Log } from "../../../base/log.ts";
import { type ConnectionSettings, connectMs, waitMs } from "./database.ts";
import { refuseReadOnly } from "./read-only.ts";
import { DatabaseSession } from "./session.ts";

export interface HeldConnectionOrder {
  readonly settings: ConnectionSettings;
  /** Its purpose, as shown in PostgreSQL's list of sessions and in our log. */
  readonly name: string;
  readonly log: Log;
  /** Runs after every (re)connection; when it fails the connection counts as lost. */
  readonly opened: (client: pg.Client) => Promise<void>;
  /** Runs every second; when it fails, as it must in a session that is read-only, the connection counts as lost. */
  readonly beat?: (client: pg.Client) => Promise<unknown>;
  readonly lost?: () => void;
}

// TCP keepalive notices a peer that vanished without closing.
const KEEP_ALIVE_MS = 10_000;
const BEAT_MS = 1_000;
/** Others wait some seconds for a holder that was cut off (lease-holders.ts). */
const BACKOFF = { msMin: 100, msMax: 1_000 };

export class HeldConnection {
  readonly #order: HeldConnectionOrder;
  #client: pg.Client | undefined;
  #isOpening = false;
  /** The error that broke the connection while it was being opened; the opening call throws it. */
  #brokenBy: Error | undefined;
  #retry: NodeJS.Timeout | undefined;
  #beats: NodeJS.Timeout | undefined;
  #failures = 0;
  #isClosed = false;

  constructor(order: HeldConnectionOrder) {
    this.#order = order;
  }

  /** Undefined while the connection is lost. */
  get client(): pg.Client | undefined {
    return this.#client;
  }

  /** Throws when the first connection fails; later failures are retried. */
  async open(): Promise<void> {
    const { settings, name, opened } = this.#order;
    const client = new DatabaseSession({
      ...settings,
      application_name: `tandem ${name} ${process.pid}`,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      connectionTimeoutMillis: connectMs(settings),
      query_timeout: waitMs(settings),
    });
    client.on("error", (error) => this.drop(client, error));
    client.on("end", () => this.drop(client, undefined));
    this.#client = client;
    this.#isOpening = true;
    this.#brokenBy = undefined;
    try {
      await client.connect();
      await refuseReadOnly(client);
      await opened(client);
      if (this.#brokenBy) throw this.#brokenBy;
    } catch (fault) {
      this.#client = undefined;
      client.end().catch(() => undefined);
      throw fault;
    } finally {
      this.#isOpening = false;
    }
    this.#failures = 0;
    this.#keepBeating(client);
  }

  /** Drops the connection, if it is still the current one, and reconnects. */
  drop(client: pg.Client, error: Error | undefined): void {
    if (this.#isClosed || client !== this.#client) return;
    if (this.#isOpening) {
      // The opening call handles the error; if it were handled here too, it would reconnect twice.
      this.#brokenBy ??= error ?? new Error("the session ended while it was opened");
      client.end().catch(() => undefined);
      return;
    }
    this.#client = undefined;
    clearInterval(this.#beats);
    client.end().catch(() => undefined);
    this.#order.lost?.();
    this.#tryAgain(error);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    clearInterval(this.#beats);
    await this.#client?.end().catch(() => undefined);
  }

  #keepBeating(client: pg.Client): void {
    const { beat = refuseReadOnly } = this.#order;
    let isBeating = false;
    this.#beats = setInterval(() => {
      if (isBeating) return;
      isBeating = true;
      beat(client).then(
        () => {
          isBeating = false;
        },
        (error: Error) => this.drop(client, error),
      );
    }, BEAT_MS);
  }

  #tryAgain(error: Error | undefined): void {
    if (this.#isClosed) return;
    const { log, name } = this.#order;
    const retryMs = backoffMs(BACKOFF, ++this.#failures);
    log.warn({ connection: name, reason: error?.message, retryMs }, "database session lost");
    this.#retry = setTimeout(() => {
      this.open().catch((fault: Error) => this.#tryAgain(fault));
    }, retryMs);
  }
}
