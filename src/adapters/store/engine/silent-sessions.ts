// Takes locks from processes that hang. PostgreSQL keeps an advisory lock until its session ends, and the session of a
// process that is suspended, or cut off from the network, does not end. But a process that holds such a lock runs a
// query in that session every second (held-connection.ts): when the session is silent, the other processes conclude
// that it hangs, and end the session. If the process resumes after all, it finds its session lost, as after any other
// loss.

import type pg from "pg";
import { type ConnectionSettings, waitMs } from "./database.ts";

interface Seen {
  /** When the session last began or ended a statement, by PostgreSQL's clock. */
  readonly activeOn: string;
  readonly looks: number;
}

const LOOKS_MIN = 3;

/** `$1` is the class of the locks. Leaves out sessions of other users of the database. */
const HOLDERS = `
select pid, state_change::text as "activeOn" from pg_locks join pg_stat_activity using (pid)
 where locktype = 'advisory' and granted and classid = $1 and objsubid = 2 and pid <> pg_backend_pid()
   and database = (select oid from pg_database where datname = current_database())
   and usename = current_user and state_change is not null`;

// Other sessions of a process that hangs may hold row locks: those in which PostgreSQL waits for the client in the
// middle of a statement. A process that runs reads its answer within the time it waits for it.
const END = `
select pg_terminate_backend(pid) from pg_stat_activity
 where pid = any($1)
    or (datname = current_database() and usename = current_user and application_name like 'tandem %' and state = 'active'
        and wait_event_type = 'Client' and state_change < clock_timestamp() - $2 * interval '1 millisecond')`;

export class SilentSessions {
  readonly #lockClass: number;
  readonly #waitMs: number;
  #seen: ReadonlyMap<number, Seen> = new Map();

  constructor(lockClass: number, settings: ConnectionSettings) {
    this.#lockClass = lockClass;
    this.#waitMs = waitMs(settings);
  }

  /**
   * To be called about once a second: ends sessions that hold a lock and were silent in as many checks as there are
   * seconds to wait. Checks are counted, not time, so that a hang of the database itself makes no session look silent.
   * Returns how many it ended.
   */
  async end(client: pg.ClientBase): Promise<number> {
    const { rows } = await client.query<{ pid: number; activeOn: string }>(HOLDERS, [this.#lockClass]);
    this.#seen = new Map(rows.map(({ pid, activeOn }) => [pid, { activeOn, looks: this.#looksOf(pid, activeOn) }]));
    const looksMax = Math.max(LOOKS_MIN, this.#waitMs / 1000);
    const silent = [...this.#seen].flatMap(([pid, { looks }]) => (looks > looksMax ? [pid] : []));
    if (silent.length > 0) await client.query(END, [silent, this.#waitMs]);
    return silent.length;
  }

  #looksOf(pid: number, activeOn: string): number {
    const before = this.#seen.get(pid);
    return before?.activeOn === activeOn ? before.looks + 1 : 1;
  }
}
