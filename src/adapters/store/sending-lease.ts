// Who sends: one process at a time, the one that holds an advisory lock in a session of its own. PostgreSQL lets the lock go when the
// session ends, so another process takes over within a second of a death. Each take-over begins a new term; claims carry the term
// they were made in, so whoever was pushed out can claim and begin nothing any more. A process whose session broke and which gets the
// lock back before anybody else goes on in its old term: a restart of the database interrupts nothing.

import type pg from "pg";
import type { Log } from "../../base/log.ts";
import type { ConnectionSettings } from "./database.ts";
import { HeldConnection } from "./held-connection.ts";

const LOCK = 0x54414e53;
const ASK_MS = 1_000;

export interface LeaseHolder {
  /** It is ours in a new term: whatever other terms had claimed was theirs. */
  began(term: number): Promise<void>;
  /** Somebody else has it. */
  lost(): void;
}

export class SendingLease {
  readonly #connection: HeldConnection;
  readonly #holder: LeaseHolder;
  readonly #log: Log;
  #term: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(settings: ConnectionSettings, holder: LeaseHolder, log: Log) {
    this.#holder = holder;
    this.#log = log;
    this.#connection = new HeldConnection({ settings, name: "sender", log, opened: (client) => this.#ask(client) });
  }

  open(): Promise<void> {
    return this.#connection.open();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#connection.close();
  }

  async #ask(client: pg.Client): Promise<void> {
    if (this.#isClosed) return;
    const { rows } = await client.query<{ locked: boolean; term: number }>(
      `select pg_try_advisory_lock(${LOCK}, 0) as locked, term from sending_lease`,
    );
    const [row] = rows;
    if (!row?.locked) {
      if (this.#term !== undefined && row?.term !== this.#term) this.#giveUp();
      this.#askAgain(client);
      return;
    }
    if (row.term === this.#term) return;
    if (this.#term !== undefined) this.#giveUp();
    const next = await client.query<{ term: number }>(
      "update sending_lease set term = term + 1, started_at = now() returning term",
    );
    this.#term = next.rows[0]?.term as number;
    this.#log.info({ term: this.#term }, "sending of messages taken over");
    await this.#holder.began(this.#term);
  }

  #giveUp(): void {
    this.#term = undefined;
    this.#log.warn({}, "sending of messages lost to another process");
    this.#holder.lost();
  }

  #askAgain(client: pg.Client): void {
    this.#timer = setTimeout(() => {
      if (this.#connection.client === client)
        this.#ask(client).catch((error: Error) => this.#connection.drop(client, error));
    }, ASK_MS);
  }
}
