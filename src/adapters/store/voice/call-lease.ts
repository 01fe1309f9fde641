// The lease of a process that has calls: an id, and an advisory lock on it in a session of its own. PostgreSQL releases
// the lock when the session ends, so the other processes notice a killed process immediately and take its calls over. A
// process whose session breaks takes the same id again; it loses the calls that another process took over meanwhile.

import type pg from "pg";
import type { Log } from "../../../base/log.ts";
import type { ConnectionSettings } from "../engine/database.ts";
import { HeldConnection } from "../engine/held-connection.ts";
import { CALL_LOCKS } from "../engine/locks.ts";

const TAKE_OVER = `
with owners as materialized (
  select distinct process as id from calls where status <> 'Completed' and process <> $1
), dead as materialized (
  select id from owners where pg_try_advisory_xact_lock(${CALL_LOCKS}, id)
)
update calls set process = $1, is_taken_over = true from dead where calls.process = dead.id and calls.status <> 'Completed'`;

export class CallLease {
  readonly #connection: HeldConnection;
  #id: number | undefined;

  constructor(settings: ConnectionSettings, log: Log) {
    this.#connection = new HeldConnection({ settings, name: "calls", log, opened: (client) => this.#take(client) });
  }

  get id(): number {
    return this.#id ?? 0;
  }

  open(): Promise<void> {
    return this.#connection.open();
  }

  /** Takes over the calls of dead processes: they are to be ended. */
  async takeOver(): Promise<void> {
    await this.#connection.client?.query(TAKE_OVER, [this.id]);
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  async #take(client: pg.Client): Promise<void> {
    const taken = await client.query<{ id: number }>(
      `select id from (select coalesce($1::int, nextval('call_process_ids')::int) as id) as next
        where pg_try_advisory_lock(${CALL_LOCKS}, id)`,
      [this.#id ?? null],
    );
    const id = taken.rows[0]?.id;
    if (id === undefined) throw new Error("the lease of this process's calls is held by another session");
    this.#id = id;
  }
}
