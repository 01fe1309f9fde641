// The processes that serve this database. Each reports every few seconds, and learns by that whether it is to drain.
// What it holds is read from the leases themselves, so it is also known of a process that has fallen silent. One that
// was killed on a machine with others is forgotten by those.
//
// Guarantees nothing about life and death: that is for lease-holders.ts.

import type { Node, NodeReport, NodeStore } from "../../domain/nodes.ts";
import type { TrunkHealth } from "../../domain/voice/index.ts";
import { table } from "./engine/columns.ts";
import type { Queryable } from "./engine/database.ts";
import { CALL_LOCKS, SENDING_LOCKS, WORKER_LOCKS } from "./engine/locks.ts";
import { run } from "./engine/statements.ts";
import { hasEnded, type ProcessName, THIS_PROCESS } from "./engine/this-process.ts";

/** Several reports are missing. */
const SILENT_SECONDS = 15;
/** A process that ended without saying so is listed for so long. */
const KEPT_HOURS = 24;

interface Row extends NodeReport, ProcessName {
  readonly seenOn: Date;
}

const NODES = table<Row>("nodes", {
  sid: "sid",
  host: "host",
  place: "place",
  pid: "pid integer",
  started: "started",
  version: "version",
  roles: "roles text[]",
  url: "url",
  state: "state",
  clock: "clock",
  links: "links text[]",
  trunks: "trunks jsonb",
  startedOn: "started_at timestamptz",
  seenOn: "seen_at timestamptz",
});

const FORGET = `
delete from nodes where seen_at < $1::timestamptz - interval '${KEPT_HOURS} hours'
   or sid = any ($2::text[])`;

const LIST = `
select sid, host, version, roles, url, clock, links, started_at as "startedOn", seen_at as "seenOn",
       drain_asked_at as "drainAskedOn",
       case when seen_at < $1::timestamptz - interval '${SILENT_SECONDS} seconds' then 'Silent' else state end as state,
       array_remove(array[case when ${SENDING_LOCKS} = any (classes) then 'Sending' end,
                          case when ${WORKER_LOCKS} = any (classes) then 'Webhooks' end,
                          case when ${CALL_LOCKS} = any (classes) then 'Calls' end], null) as leases,
       (select count(*)::int from webhook_slots where worker = held.worker) as "webhookSlots",
       (select count(*)::int from calls where status <> 'Completed' and process = held.process) as calls
  from nodes cross join lateral (
    select coalesce(array_agg(lock_class), '{}') as classes,
           max(id) filter (where lock_class = ${WORKER_LOCKS}) as worker,
           max(id) filter (where lock_class = ${CALL_LOCKS}) as process
      from lease_holders as holder
     where (holder.place, holder.pid, holder.started) is not distinct from (nodes.place, nodes.pid, nodes.started)) as held
 where $2::text is null or sid = $2
 order by started_at, sid`;

const TRUNKS_OF_OTHERS = `
select host, trunks from nodes
 where seen_at >= $1::timestamptz - interval '${SILENT_SECONDS} seconds' and jsonb_array_length(trunks) > 0
   and (place, pid, started) is distinct from ($2::text, $3::integer, $4::text)
 order by started_at, sid`;

const list = (db: Queryable, now: Date, sid: string | null = null) => db.query<Node>(LIST, [now, sid]);

interface StoredView {
  readonly host: string;
  readonly trunks: readonly (Omit<TrunkHealth, "since"> & { readonly since: string | null })[];
}

function toTrunk({ since, ...trunk }: StoredView["trunks"][number]): TrunkHealth {
  return { ...trunk, since: since === null ? null : new Date(since) };
}

export function nodeStore(db: Queryable): NodeStore {
  return {
    list: (now) => list(db, now),
    async trunksOfOthers(now) {
      const { place, pid, started } = THIS_PROCESS;
      const rows = await db.query<StoredView>(TRUNKS_OF_OTHERS, [now, place, pid, started]);
      return rows.map(({ host, trunks }) => ({ host, trunks: trunks.map(toTrunk) }));
    },
    async drain(sid, now) {
      await run(db, "update nodes set drain_asked_at = coalesce(drain_asked_at, $2) where sid = $1", [sid, now]);
      return (await list(db, now, sid))[0];
    },
  };
}

/** Enters the report of this process; returns whether it is to drain. */
export async function reportNode(db: Queryable, report: NodeReport, now: Date): Promise<boolean> {
  const neighbours = await db.query<Pick<Row, "sid" | keyof ProcessName>>(
    "select sid, place, pid, started from nodes where place = $1 and sid <> $2",
    [THIS_PROCESS.place, report.sid],
  );
  await run(db, FORGET, [now, neighbours.filter(hasEnded).map(({ sid }) => sid)]);
  const [node] = await db.query<{ isToDrain: boolean }>(
    `${NODES.insert} on conflict (sid) do update set ${NODES.excluded} returning drain_asked_at is not null as "isToDrain"`,
    [NODES.rows([{ ...report, ...THIS_PROCESS, seenOn: now }])],
  );
  return node?.isToDrain === true;
}

export async function forgetNode(db: Queryable, sid: string): Promise<void> {
  await run(db, "delete from nodes where sid = $1", [sid]);
}
