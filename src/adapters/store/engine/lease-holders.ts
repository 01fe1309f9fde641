// Which holders of a lease live: the one place in which a process is judged dead, for senders, webhook workers, calls
// and encoders. A lease is an advisory lock in a session that its holder uses every second (held-connection.ts), and a
// row of `lease_holders` that says which process has it. The row goes when the holder gives the lease up.
//
//   lock held, session used           lives
//   lock held, session silent         dead after as many looks as there are seconds to wait: its session is ended
//   lock free, row there              cut off from the database: dead after AWAY_LOOKS_MAX looks. Until then it may
//                                     come back, and keeps what it has
//   lock free, process ended here     dead
//   neither lock nor row              given up
//
// Looks of one unbroken session are counted, not time: while the database hangs, or the looker itself is away, no
// holder comes nearer to death, and after a failover all have the same time to come back. A session in which PostgreSQL
// works or waits is not silent: a commit that waits for a standby may take long.
//
// A judgement is no lock. A process that takes over locks the holder's number first (`pg_try_advisory_xact_lock`), so
// that a holder that comes back at that moment either has its lock again and keeps what it has, or finds that it lost
// it.

import { randomUUID } from "node:crypto";
import type pg from "pg";
import { type ConnectionSettings, waitMs } from "./database.ts";
import { hasEnded, type ProcessName, THIS_PROCESS } from "./this-process.ts";

const SILENT_LOOKS_MIN = 3;
/** Holders try to come back every second (held-connection.ts). */
const AWAY_LOOKS_MAX = 5;
/** Looks that follow each other faster than holders use their sessions count once. */
const LOOK_MS = 900;

interface Row extends ProcessName {
  readonly id: number;
  /** Null for a holder that writes no row. */
  readonly lease: string | null;
  /** The session that has the lock; null while it is free. */
  readonly session: number | null;
  /** When the session last began or ended a statement, by PostgreSQL's clock. */
  readonly activeOn: string | null;
  /** PostgreSQL has work for the session. */
  readonly isBusy: boolean;
}

interface Seen {
  readonly lease: string | null;
  /** What a holder that lives changes. */
  readonly sign: string;
  readonly looks: number;
  readonly isDead: boolean;
}

/**
 * The locks of class `$1`, with their sessions. Leaves out sessions of other users of the database, whose state is not
 * shown.
 */
const LOCKS = `
locks as (
  select objid::bigint::int as id, pid, state_change::text as active_on,
         state = 'active' and wait_event_type is distinct from 'Client' as is_busy
    from pg_locks join pg_stat_activity using (pid)
   where locktype = 'advisory' and granted and classid = $1::int and objsubid = 2
     and database = (select oid from pg_database where datname = current_database())
     and usename = current_user and state_change is not null and pid <> pg_backend_pid()
)`;

const LOOK = `
with ${LOCKS}
select coalesce(holder.id, locks.id) as id, lease, place, holder.pid, started,
       locks.pid as session, active_on as "activeOn", coalesce(is_busy, false) as "isBusy"
  from (select * from lease_holders where lock_class = $1) as holder full join locks on locks.id = holder.id`;

// Other sessions of a process that hangs may hold row locks: those in which PostgreSQL waits for the client in the
// middle of a statement. A process that runs reads its answer within the time it waits for it.
const END = `
select pg_terminate_backend(pid) from pg_stat_activity
 where pid = any($1)
    or (datname = current_database() and usename = current_user and application_name like 'tandem %' and state = 'active'
        and wait_event_type = 'Client' and state_change < clock_timestamp() - $2 * interval '1 millisecond')`;

const RECLAIM = `
with ${LOCKS}
select pg_terminate_backend(locks.pid) from locks join lease_holders as holder on holder.id = locks.id
 where lock_class = $1 and locks.id = $2 and lease = $3`;

const ENTER = `
insert into lease_holders (lock_class, id, lease, place, pid, started) values ($1, $2, $3, $4, $5, $6)
on conflict (lock_class, id) do update
   set lease = excluded.lease, place = excluded.place, pid = excluded.pid, started = excluded.started`;

export interface Look {
  /** Those that live, and those that may come back. */
  readonly living: readonly number[];
  /** How many sessions of dead holders were ended. */
  readonly ended: number;
}

export class LeaseHolders {
  readonly #lockClass: number;
  readonly #waitMs: number;
  /** Names this lease among those of all processes. */
  readonly #lease = randomUUID();
  #client: pg.ClientBase | undefined;
  #seen: ReadonlyMap<number, Seen> = new Map();
  #lookedMs = Number.NEGATIVE_INFINITY;

  constructor(lockClass: number, settings: ConnectionSettings) {
    this.#lockClass = lockClass;
    this.#waitMs = waitMs(settings);
  }

  /** To be called about once a second, in the session of this process's own lease, which is not among the holders. */
  async look(client: pg.ClientBase): Promise<Look> {
    const { rows } = await client.query<Row>(LOOK, [this.#lockClass]);
    const nowMs = performance.now();
    if (client !== this.#client) this.#seen = new Map();
    const isCounted = client !== this.#client || nowMs - this.#lookedMs >= LOOK_MS;
    this.#client = client;
    if (isCounted) this.#lookedMs = nowMs;
    const others = rows.filter(({ lease }) => lease !== this.#lease);
    this.#seen = new Map(others.map((row) => [row.id, this.#judge(row, isCounted)]));
    const isDead = ({ id }: Row) => this.#seen.get(id)?.isDead === true;
    const silent = others.flatMap((row) => (row.session !== null && isDead(row) ? [row.session] : []));
    if (silent.length > 0) await client.query(END, [silent, this.#waitMs]);
    return { living: others.filter((row) => !isDead(row)).map(({ id }) => id), ended: silent.length };
  }

  /** Says in the same session which process has the lease. Writes nothing where that is known. */
  async enter(client: pg.ClientBase, id: number): Promise<void> {
    const { rows } = await client.query("select from lease_holders where lock_class = $1 and id = $2 and lease = $3", [
      this.#lockClass,
      id,
      this.#lease,
    ]);
    if (rows.length > 0) return;
    const { place, pid, started } = THIS_PROCESS;
    await client.query(ENTER, [this.#lockClass, id, this.#lease, place, pid, started]);
  }

  /** Ends an earlier session of this process that still has the lock: PostgreSQL may not know yet that it broke. */
  async reclaim(client: pg.ClientBase, id: number): Promise<void> {
    await client.query(RECLAIM, [this.#lockClass, id, this.#lease]);
  }

  /** Gives the lease up: this process is not waited for. To be called before the lock is released. */
  async leave(client: pg.ClientBase): Promise<void> {
    await client.query("delete from lease_holders where lock_class = $1 and lease = $2", [
      this.#lockClass,
      this.#lease,
    ]);
  }

  #judge(row: Row, isCounted: boolean): Seen {
    const { id, lease, session, activeOn, isBusy } = row;
    const before = this.#seen.get(id);
    const sign = `${lease} ${session} ${activeOn}`;
    const isSame = before?.sign === sign;
    const looks = isSame && !isBusy ? before.looks + (isCounted ? 1 : 0) : 1;
    // A session that was ended for its silence frees the lock; that is no sign of life.
    const stayedDead = before?.isDead === true && before.lease === lease && (isSame || session === null);
    const looksMax = session === null ? AWAY_LOOKS_MAX : Math.max(SILENT_LOOKS_MIN, this.#waitMs / 1000);
    const isGone = session === null && lease !== null && hasEnded(row);
    return { lease, sign, looks, isDead: stayedDead || isGone || looks > looksMax };
  }
}
