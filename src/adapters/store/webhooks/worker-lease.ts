// The lease of a worker that delivers: an id, and an advisory lock on it in a session of its own. The other workers
// free the claims and slots of a worker that is dead (lease-holders.ts). One whose session broke comes back with its
// id, its claims and its slots. If it was taken for dead meanwhile, it takes a new id; its claims may then be delivered
// twice, with the same webhook-id.

import type pg from "pg";
import type { Clock } from "../../../base/clock.ts";
import type { Log } from "../../../base/log.ts";
import type { ConnectionSettings, Database, Queryable } from "../engine/database.ts";
import { HeldConnection } from "../engine/held-connection.ts";
import { LeaseHolders } from "../engine/lease-holders.ts";
import { WORKER_LOCKS } from "../engine/locks.ts";
import { countOf } from "../engine/statements.ts";

// Locks their numbers, so that none of them comes back meanwhile, and after that the row is gone.
const DEAD = `
select id from webhook_workers
 where id <> $1 and id <> all ($2::int[]) and pg_try_advisory_xact_lock(${WORKER_LOCKS}, id) order by id for update`;
const FREE_SLOTS = `
update webhook_slots set worker = null where slot = any (array(
  select slot from webhook_slots where worker = any ($1::int[]) order by slot for update))`;
const FREE_CLAIMS = `
with gone as (
  delete from webhook_workers where id = any ($1::int[])
), given_up as (
  delete from lease_holders where lock_class = ${WORKER_LOCKS} and id = any ($1::int[])
)
update delivery_queue set claimed_by = null, attempt = attempt - $2::smallint where claimed_by = any ($1::int[]) returning id`;

const RUNNING = `
select count(*)::int as count from pg_locks
where locktype = 'advisory' and granted and classid = ${WORKER_LOCKS} and objsubid = 2
  and database = (select oid from pg_database where datname = current_database())`;

/** How many workers hold a lease, in all processes. */
export function runningWorkers(db: Queryable): Promise<number> {
  return countOf(db, RUNNING);
}

export class WorkerLease {
  readonly #db: Database;
  readonly #connection: HeldConnection;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #holders: LeaseHolders;
  #id = 0;

  constructor(db: Database, settings: ConnectionSettings, clock: Clock, log: Log) {
    this.#db = db;
    this.#clock = clock;
    this.#log = log;
    this.#holders = new LeaseHolders(WORKER_LOCKS, settings);
    this.#connection = new HeldConnection({ settings, name: "worker", log, opened: (client) => this.#take(client) });
  }

  get id(): number {
    return this.#id;
  }

  open(): Promise<void> {
    return this.#connection.open();
  }

  /** To be called about once a second while there are others. Frees the slots and claims of dead workers. */
  async takeOver(): Promise<void> {
    const { client } = this.#connection;
    if (!client) return;
    const { living, ended } = await this.#holders.look(client);
    if (ended > 0) this.#log.warn({ count: ended }, "workers that deliver webhooks hang");
    const count = await this.#db.transaction(async (unit) => {
      const dead = (await unit.query<{ id: number }>(DEAD, [this.#id, living])).map(({ id }) => id);
      return dead.length === 0 ? 0 : free(unit, dead, 0);
    });
    if (count > 0) this.#log.info({ count }, "deliveries of a dead worker taken over");
  }

  /** Releases claims that were not begun, and the slots. */
  async close(): Promise<void> {
    if (this.#connection.client) await this.#db.transaction((unit) => free(unit, [this.#id], 1)).catch(() => undefined);
    await this.#connection.close();
  }

  async #take(client: pg.Client): Promise<void> {
    if (this.#id !== 0 && (await this.#takeAgain(client))) return;
    // Locked before the row is visible to other workers, or the worker would look dead.
    const taken = await client.query<{ id: number }>(
      `select id from (select nextval('webhook_worker_ids')::int as id) as next where pg_try_advisory_lock(${WORKER_LOCKS}, id)`,
    );
    const id = taken.rows[0]?.id;
    if (id === undefined) throw new Error("a worker's id is taken");
    // Set before the row exists, so that a take-over in this session meanwhile leaves its own worker alone.
    this.#id = id;
    await this.#holders.enter(client, id);
    await client.query(
      "insert into webhook_workers (id, started_at) values ($1, $2) on conflict (id) do update set started_at = excluded.started_at",
      [id, this.#clock.now()],
    );
  }

  /** False when this worker was taken for dead. */
  async #takeAgain(client: pg.Client): Promise<boolean> {
    const locked = await client.query(`select where pg_try_advisory_lock(${WORKER_LOCKS}, $1)`, [this.#id]);
    if (locked.rowCount === 0) {
      // Held by our broken session, or by a worker that takes us for dead at this moment.
      await this.#holders.reclaim(client, this.#id);
      throw new Error("the lease of this worker is held by another session");
    }
    const listed = await client.query("select from webhook_workers where id = $1", [this.#id]);
    if (listed.rowCount === 1) return true;
    await client.query(`select pg_advisory_unlock(${WORKER_LOCKS}, $1)`, [this.#id]);
    return false;
  }
}

/**
 * Frees the slots of workers that claim no more, then what they have claimed: a claim locks its slots, so that one that
 * is committed late is waited for. Returns how many rows of the queue were claimed.
 */
async function free(unit: Queryable, workers: readonly number[], attemptsNotMade: number): Promise<number> {
  await unit.query(FREE_SLOTS, [workers]);
  return (await unit.query(FREE_CLAIMS, [workers, attemptsNotMade])).length;
}
