// The lease of a process that has calls: an id, and an advisory lock on it in a session of its own. The other processes
// take the calls of a dead process over, what it was encoding (lease-holders.ts), and the registrations that it held. A
// process whose session breaks takes the same id again and keeps its calls, unless it was taken for dead meanwhile.

import type pg from "pg";
import type { Log } from "../../../base/log.ts";
import { REGISTRATIONS_CHANGED } from "../engine/channels.ts";
import type { ConnectionSettings } from "../engine/database.ts";
import { HeldConnection } from "../engine/held-connection.ts";
import { LeaseHolders } from "../engine/lease-holders.ts";
import { CALL_LOCKS } from "../engine/locks.ts";

const TAKE_OVER = `
with owners as materialized (
  select process as id from calls where status <> 'Completed' and process <> $1 and process <> all ($2::int[])
  union
  select process from registrations where process <> $1 and process <> all ($2::int[])
), dead as materialized (
  select id from owners where pg_try_advisory_xact_lock(${CALL_LOCKS}, id)
), given_up as (
  delete from lease_holders where lock_class = ${CALL_LOCKS} and id in (select id from dead)
), taken as (
  update calls set process = $1, is_taken_over = true from dead
   where calls.process = dead.id and calls.status <> 'Completed'
), unconnected as (
  delete from registrations using dead where process = dead.id and transport <> 'UDP' returning trunk
), left_behind as (
  update registrations set process = null from dead where process = dead.id and transport = 'UDP' returning trunk
)
select pg_notify('${REGISTRATIONS_CHANGED}', trunk)
  from (select trunk from unconnected union select trunk from left_behind) as changed`;

export class CallLease {
  readonly #connection: HeldConnection;
  readonly #holders: LeaseHolders;
  readonly #log: Log;
  #id: number | undefined;

  constructor(settings: ConnectionSettings, log: Log) {
    this.#log = log;
    this.#holders = new LeaseHolders(CALL_LOCKS, settings);
    this.#connection = new HeldConnection({ settings, name: "calls", log, opened: (client) => this.#take(client) });
  }

  get id(): number {
    return this.#id ?? 0;
  }

  open(): Promise<void> {
    return this.#connection.open();
  }

  /** The other processes that live; undefined while this process is cut off from the database itself. */
  async living(): Promise<readonly number[] | undefined> {
    const { client } = this.#connection;
    if (!client) return undefined;
    const { living, ended } = await this.#holders.look(client);
    if (ended > 0) this.#log.warn({ count: ended }, "processes that have calls hang");
    return living;
  }

  /**
   * To be called about once a second while others have calls or registrations. Takes the calls of dead processes over:
   * they are to be ended.
   */
  async takeOver(): Promise<void> {
    const living = await this.living();
    if (living) await this.#connection.client?.query(TAKE_OVER, [this.id, living]);
  }

  async close(): Promise<void> {
    const { client } = this.#connection;
    if (client) await this.#holders.leave(client).catch(() => undefined);
    await this.#connection.close();
  }

  async #take(client: pg.Client): Promise<void> {
    const taken = await client.query<{ id: number }>(
      `select id from (select coalesce($1::int, nextval('call_process_ids')::int) as id) as next
        where pg_try_advisory_lock(${CALL_LOCKS}, id)`,
      [this.#id ?? null],
    );
    const id = taken.rows[0]?.id;
    if (id === undefined) {
      if (this.#id !== undefined) await this.#holders.reclaim(client, this.#id);
      throw new Error("the lease of this process's calls is held by another session");
    }
    this.#id = id;
    await this.#holders.enter(client, id);
  }
}
