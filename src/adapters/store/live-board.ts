// The board on which processes pass live entries on: a notification says where they are, since it could not hold them.

import type { LiveBatch, LiveBoard, LiveKey, PostedBatches } from "../../domain/live-log.ts";
import { LIVE_POSTED, LIVE_WATCHED } from "./engine/channels.ts";
import type { Condition } from "./engine/conditions.ts";
import type { Queryable } from "./engine/database.ts";

/** A process that does not read them by then never does. */
const KEPT_SECONDS = 60;
const READ_MAX = 200;

const KEYS = "json_to_recordset($2) as given (kind text, account_sid text)";
const WATCH = `
with given as materialized (
  select kind, account_sid from ${KEYS}
), gone as (
  delete from live_watches where process = $1 and (kind, account_sid) not in (select kind, account_sid from given)
), stored as (
  insert into live_watches (process, kind, account_sid, until_at) select $1, kind, account_sid, $3 from given
  on conflict (process, kind, account_sid) do update set until_at = excluded.until_at
)
select case when $4::boolean then pg_notify('${LIVE_WATCHED}', $1) end`;

const POST = `
with stored as (
  insert into live_entries (process, kind, account_sid, entries, created_at)
  select $1, kind, account_sid, entries, $3
    from json_to_recordset($2) as given (kind text, account_sid text, entries text)
  returning id
)
select pg_notify('${LIVE_POSTED}', $1::text || ' ' || min(id) || ' ' || max(id)) from stored`;

const spelled = ({ kind, accountSid }: LiveKey) => ({ kind, account_sid: accountSid ?? "" });

interface Row {
  readonly kind: LiveKey["kind"];
  readonly account: string;
}

const keyOf = ({ kind, account }: Row): LiveKey => ({ kind, accountSid: account === "" ? null : account });

export function liveBoard(db: Queryable): LiveBoard {
  return {
    async watch(process, keys, untilOn, isNew) {
      await db.query(WATCH, [process, JSON.stringify(keys.map(spelled)), untilOn, isNew]);
    },
    async watchedElsewhere(process, now) {
      await db.query("delete from live_watches where until_at < $1", [now]);
      const rows = await db.query<Row>(
        "select distinct kind, account_sid as account from live_watches where process <> $1",
        [process],
      );
      return rows.map(keyOf);
    },
    async post(process, batches, now) {
      const rows = batches.map((batch) => ({ ...spelled(batch), entries: batch.entries }));
      await db.query(POST, [process, JSON.stringify(rows), now]);
    },
    async read({ process, first, last }, keys) {
      const rows = await db.query<Row & Pick<LiveBatch, "entries"> & { readonly id: string }>(
        `select id::text, kind, account_sid as account, entries from live_entries join ${KEYS} using (kind, account_sid)
          where process = $1 and id between $3::bigint and $4::bigint order by live_entries.id limit ${READ_MAX}`,
        [process, JSON.stringify(keys.map(spelled)), first, last],
      );
      const batches = rows.map((row) => ({ ...keyOf(row), entries: row.entries }));
      const after = rows[READ_MAX - 1]?.id;
      const left = after === undefined ? undefined : { process, first: String(BigInt(after) + 1n), last };
      return { batches, left };
    },
    postedElsewhere: (process, sinceOn) =>
      db.query<PostedBatches>(
        `select process, min(id)::text as first, max(id)::text as last from live_entries
          where process <> $1 and created_at >= $2 group by process`,
        [process, sinceOn],
      ),
  };
}

/** Holds when something is watched at another process. */
export function isWatchedElsewhere(process: string): Condition {
  return (bind) => `(select count(*) from live_watches where process <> ${bind(process)}) > 0`;
}

/** Holds when entries are left that all have had time to read. */
export const hasOldEntries: Condition = () =>
  `(select count(*) from live_entries where created_at < now() - interval '${KEPT_SECONDS} seconds') > 0`;

export async function sweepLiveEntries(db: Queryable): Promise<void> {
  await db.query(`delete from live_entries where created_at < now() - interval '${KEPT_SECONDS} seconds'`);
}
