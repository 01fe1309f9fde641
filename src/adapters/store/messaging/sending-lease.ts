// The lease of the one process that sends: an advisory lock in a session of its own, which the holder uses every
// second. Another process takes over when the holder gave the lease up or is dead (lease-holders.ts). Each take-over
// begins a new term. The record of a submit carries its term, and a statement that writes one locks the term's row
// until it commits (`holdTerm`): a take-over comes before or after it, so a process that has lost the lease cannot
// begin to send. A holder that was cut off from the database, or whose database failed over, has some seconds to get
// the lock back, and continues in its term: what it is sending stays its own.

import type pg from "pg";
import type { Log } from "../../../base/log.ts";
import type { ConnectionSettings } from "../engine/database.ts";
import { HeldConnection } from "../engine/held-connection.ts";
import { LeaseHolders } from "../engine/lease-holders.ts";
import { SENDING_LOCK, SENDING_LOCKS, THE_SENDER } from "../engine/locks.ts";
import { refuseReadOnly } from "../engine/read-only.ts";

const ASK_MS = 1_000;

/** SQL: this term, locked until the transaction ends, if it is the current one; no row when another has begun. */
export const holdTerm = (term: string) => `select term from sending_lease where term = ${term} for share`;

export interface LeaseHolder {
  /** The lease is ours in a new term; submits of other terms are over. If this throws, another term is begun. */
  began(term: number): Promise<void>;
  /** The term is over. No other term begins before this resolves. */
  ended(): Promise<void>;
  /** While this is false, the lease is left to other processes. */
  mayHold(): boolean;
}

export class SendingLease {
  readonly #connection: HeldConnection;
  readonly #holder: LeaseHolder;
  readonly #log: Log;
  readonly #holders: LeaseHolders;
  #term: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** One attempt at a time: the session may break and reconnect while a term is still being begun. */
  #asking: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(settings: ConnectionSettings, holder: LeaseHolder, log: Log) {
    this.#holder = holder;
    this.#log = log;
    this.#holders = new LeaseHolders(SENDING_LOCKS, settings);
    this.#connection = new HeldConnection({
      settings,
      name: "sender",
      log,
      opened: (client) => this.#ask(client),
      beat: (client) => this.#renew(client),
    });
  }

  open(): Promise<void> {
    return this.#connection.open();
  }

  /** Releases the lock after the term has ended, so that no other process treats messages being sent as lost. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#asking;
    await this.#end();
    const { client } = this.#connection;
    if (client) await this.#holders.leave(client).catch(() => undefined);
    await this.#connection.close();
  }

  #ask(client: pg.Client): Promise<void> {
    const asked = this.#asking.then(() => this.#askNow(client));
    this.#asking = asked.catch(() => undefined);
    return asked;
  }

  #renew(client: pg.Client): Promise<unknown> {
    if (this.#term !== undefined && !this.#holder.mayHold())
      this.#ask(client).catch((error: Error) => this.#connection.drop(client, error));
    return refuseReadOnly(client);
  }

  async #askNow(client: pg.Client): Promise<void> {
    if (this.#isClosed) return;
    if (!this.#holder.mayHold()) return this.#leave(client);
    if (this.#term === undefined && (await this.#isHeldByOther(client))) return this.#askAgain(client);
    const { rows } = await client.query<{ locked: boolean; term: number }>(
      `select pg_try_advisory_lock(${SENDING_LOCK}) as locked, term from sending_lease`,
    );
    const [row] = rows;
    if (row?.locked && row.term === this.#term) return;
    if (this.#term !== undefined && row?.term !== this.#term) {
      this.#log.warn({}, "sending of messages lost to another process");
      await this.#end();
    }
    if (!row?.locked) {
      await this.#holders.reclaim(client, THE_SENDER);
      return this.#askAgain(client);
    }
    await this.#holders.enter(client, THE_SENDER);
    const next = await client.query<{ term: number }>(
      "update sending_lease set term = term + 1, started_at = now() returning term",
    );
    const term = next.rows[0]?.term as number;
    await this.#holder.began(term);
    this.#term = term;
    this.#log.info({ term }, "sending of messages taken over");
  }

  async #isHeldByOther(client: pg.Client): Promise<boolean> {
    const { living, ended } = await this.#holders.look(client);
    if (ended > 0) this.#log.warn({}, "the process that sends messages hangs");
    return living.includes(THE_SENDER);
  }

  /** Ends the term, releases the lock for other processes, and tries again later. */
  async #leave(client: pg.Client): Promise<void> {
    if (this.#term !== undefined) this.#log.warn({}, "sending of messages left to other processes");
    await this.#end();
    await this.#holders.leave(client);
    await client.query("select pg_advisory_unlock_all()");
    this.#askAgain(client);
  }

  async #end(): Promise<void> {
    if (this.#term === undefined) return;
    this.#term = undefined;
    await this.#holder.ended();
  }

  #askAgain(client: pg.Client): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#connection.client === client)
        this.#ask(client).catch((error: Error) => this.#connection.drop(client, error));
    }, ASK_MS);
  }
}
