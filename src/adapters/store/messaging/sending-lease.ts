// Who sends: one process at a time, the one that holds an advisory lock in a session of its own. PostgreSQL lets the lock go when the
// session ends, so another process takes over within a second of a death. Each take-over begins a new term; claims carry the term
// they were made in, and who makes one holds the term while doing so (`holdTerm`): a take-over comes before or after, so whoever was
// pushed out can claim and begin nothing any more. A process whose session broke and which gets the lock back before anybody else
// goes on in its old term: a restart of the database interrupts nothing.

import type pg from "pg";
import type { Log } from "../../../base/log.ts";
import type { ConnectionSettings } from "../engine/database.ts";
import { HeldConnection } from "../engine/held-connection.ts";
import { SENDING_LOCK } from "../engine/locks.ts";

const ASK_MS = 1_000;

/** SQL: this term, held until the transaction ends, while it is the present one; nothing when another has begun. */
export const holdTerm = (term: string) => `select term from sending_lease where term = ${term} for share`;

export interface LeaseHolder {
  /** It is ours in a new term: whatever other terms had claimed was theirs. When it fails it is tried again in another term. */
  began(term: number): Promise<void>;
  /** The term is over. No other begins before this is done. */
  ended(): Promise<void>;
}

export class SendingLease {
  readonly #connection: HeldConnection;
  readonly #holder: LeaseHolder;
  readonly #log: Log;
  #term: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** One question at a time: the session may break, and the next one ask, while a term is still being begun. */
  #asking: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(settings: ConnectionSettings, holder: LeaseHolder, log: Log) {
    this.#holder = holder;
    this.#log = log;
    this.#connection = new HeldConnection({ settings, name: "sender", log, opened: (client) => this.#ask(client) });
  }

  open(): Promise<void> {
    return this.#connection.open();
  }

  /** The lock is let go when the term is over, so that nobody takes what is still under way for lost. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#asking;
    await this.#end();
    await this.#connection.close();
  }

  #ask(client: pg.Client): Promise<void> {
    const asked = this.#asking.then(() => this.#askNow(client));
    this.#asking = asked.catch(() => undefined);
    return asked;
  }

  async #askNow(client: pg.Client): Promise<void> {
    if (this.#isClosed) return;
    const { rows } = await client.query<{ locked: boolean; term: number }>(
      `select pg_try_advisory_lock(${SENDING_LOCK}) as locked, term from sending_lease`,
    );
    const [row] = rows;
    if (row?.locked && row.term === this.#term) return;
    if (this.#term !== undefined && row?.term !== this.#term) {
      this.#log.warn({}, "sending of messages lost to another process");
      await this.#end();
    }
    if (!row?.locked) return this.#askAgain(client);
    const next = await client.query<{ term: number }>(
      "update sending_lease set term = term + 1, started_at = now() returning term",
    );
    const term = next.rows[0]?.term as number;
    await this.#holder.began(term);
    this.#term = term;
    this.#log.info({ term }, "sending of messages taken over");
  }

  async #end(): Promise<void> {
    if (this.#term === undefined) return;
    this.#term = undefined;
    await this.#holder.ended();
  }

  #askAgain(client: pg.Client): void {
    this.#timer = setTimeout(() => {
      if (this.#connection.client === client)
        this.#ask(client).catch((error: Error) => this.#connection.drop(client, error));
    }, ASK_MS);
  }
}
