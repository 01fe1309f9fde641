// What needs attention, and the traffic of the last minutes: counted on request, by indexes of what is wrong. Every
// statement reads a bounded number of rows. Sids sort by time, so recent rows are a range of a primary key.

import { firstSidAt } from "../../base/ids.ts";
import type { AttentionStore, Fact, Minute, Traffic } from "../../domain/attention/index.ts";
import type { Queryable } from "./engine/database.ts";
import { cutoff } from "./engine/sweeps.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const COUNTED_MAX = 1_000;
const LISTED_MAX = 50;
const TRAFFIC_ROWS_MAX = 100_000;

/** The columns of a fact about one row. */
const OF_ROW = { key: "sid", accountSid: "account_sid", count: "1", reason: "null", resourceId: "sid" };

/** The columns of a fact about several rows. */
const OF_ROWS = {
  key: "''",
  accountSid: "null",
  count: "count(*)::int",
  firstOn: "min(created_at)",
  lastOn: "max(created_at)",
  reason: "null",
};

/** The account that all rows are of. */
const OF_ONE_ACCOUNT = "case when count(distinct account_sid) = 1 then min(account_sid) end";

/** SQL: selects the columns of a `Fact`. */
const fact = (cause: Fact["cause"], columns: Readonly<Record<Exclude<keyof Fact, "cause">, string>>) => {
  const { key, accountSid, count, firstOn, lastOn, subject, reason, resourceId } = columns;
  return `select '${cause}' as cause, ${key} as key, ${accountSid} as "accountSid", ${count} as count, ${firstOn} as "firstOn",
    ${lastOn} as "lastOn", ${subject} as subject, ${reason} as reason, ${resourceId} as "resourceId"`;
};

/** `whose`: the SQL condition on the account. */
const subscriptions = (whose: string) => `(
  ${fact("SubscriptionOff", {
    ...OF_ROW,
    firstOn: "coalesce(failing_since, last_success_at, created_at)",
    lastOn: "coalesce(failing_since, last_success_at, created_at)",
    subject: "url",
    reason: "disabled_reason",
  })}
  from webhook_subscriptions where ${whose} and not enabled and disabled_reason is not null and not is_callback
  order by sid desc limit ${LISTED_MAX})
union all (
  ${fact("DeliveriesFailing", {
    ...OF_ROW,
    count: `(select least(coalesce(sum(cardinality(places)), 0), ${COUNTED_MAX})::int from (
      select places from delivery_queue where subscription_sid = failing.sid and is_ready
      union all select places from delivery_queue where subscription_sid = failing.sid and not is_ready limit ${COUNTED_MAX}) as queued)`,
    firstOn: "failing_since",
    lastOn: "failing_since",
    subject: "url",
  })}
  from webhook_subscriptions as failing where ${whose} and enabled and failing_since is not null and not is_callback
  order by sid desc limit ${LISTED_MAX})`;

const ports = (whose: string) => `(
  ${fact("PortException", {
    ...OF_ROW,
    firstOn: "updated_at",
    lastOn: "updated_at",
    subject: "sid",
    reason: `(select concat_ws(': ', phase #>> '{reason,code}', phase #>> '{reason,detail}') from port_order_numbers
      where order_sid = stopped.sid and phase ->> 'kind' = 'exception' order by place limit 1)`,
  })}
  from port_orders as stopped where ${whose} and status = 'Exception' order by sid desc limit ${LISTED_MAX})`;

const TIME_OF_SID = "to_timestamp(('x' || substr(sid, 3, 12))::bit(48)::bigint / 1000.0)";

const recordings = (whose: string) => `(
  ${fact("RecordingsFailed", {
    ...OF_ROWS,
    accountSid: OF_ONE_ACCOUNT,
    firstOn: "min(at)",
    lastOn: "max(at)",
    subject: "'recordings'",
    reason: "max(fault)",
    resourceId: "min(call_sid)",
  })}
  from (select account_sid, call_sid, fault, ${TIME_OF_SID} as at from call_recordings
         where ${whose} and fault is not null and status = 'Failed' and sid >= $3 limit ${COUNTED_MAX}) as failed
  having count(*) > 0)`;

/** $1: the account; $2 to $4: the first sids of messages of this hour, recordings of this week, deliveries of today. */
const OF_ACCOUNT = `
${subscriptions("account_sid = $1")}
union all (
  ${fact("DeliveriesFailed", {
    ...OF_ROWS,
    key: "subscription_sid",
    subject: "subscription_sid",
    resourceId: "subscription_sid",
  })}
  from (select subscription_sid, created_at from deliveries cross join lateral unnest(failed) as place
         where account_sid = $1 and (failed is not null or canceled is not null) and sid >= $4 limit ${COUNTED_MAX}) as failed
  group by subscription_sid)
union all (
  ${fact("NumbersNotActive", {
    ...OF_ROWS,
    key: "status",
    firstOn: "min(updated_at)",
    lastOn: "max(updated_at)",
    subject: "status",
    reason: "max(status_reason)",
    resourceId: "min(number)",
  })}
  from phones where account_sid = $1 and status not in ('Active', 'Removed') group by status)
union all ${ports("account_sid = $1")}
union all (
  ${fact("CampaignNotActive", {
    ...OF_ROWS,
    key: "status",
    firstOn: "null::timestamptz",
    lastOn: "null::timestamptz",
    subject: "status",
    resourceId: "min(tcr_campaign_id)",
  })}
  from tcr_campaigns where account_sid = $1 and status <> 'Active' group by status)
union all ${recordings("account_sid = $1")}
union all (
  ${fact("MessagesFailed", {
    ...OF_ROWS,
    key: "error_code::text",
    subject: "error_code::text",
    reason: "max(error_description)",
    resourceId: "max(sid)",
  })}
  from (select error_code, error_description, created_at, sid from outbound_messages
         where account_sid = $1 and unhappy = 'Failed' and sid >= $2 order by sid desc limit ${COUNTED_MAX}) as failed
  group by error_code)`;

/** $1: whether port orders wait for operators; $2, $3 as above. */
const OF_ALL = `
${subscriptions("true")}
union all ${ports("true")}
union all (
  ${fact("PortsWaiting", { ...OF_ROWS, subject: "'port orders'", resourceId: "min(sid)" })}
  from (select sid, created_at from port_orders where $1 and status in ('Submitted', 'FocConfirmed') limit ${COUNTED_MAX}) as waiting
  having count(*) > 0)
union all (
  ${fact("CampaignsUnassigned", {
    ...OF_ROWS,
    firstOn: "min(standing_since)",
    lastOn: "max(standing_since)",
    subject: "'campaigns'",
    resourceId: "min(tcr_campaign_id)",
  })}
  from registry_campaigns where account_sid is null and standing in ('AwaitingUs', 'AwaitingUpstream', 'Ours')
  having count(*) > 0)
union all ${recordings("true")}
union all (
  ${fact("FeaturesRequested", { ...OF_ROWS, key: "feature", subject: "feature", resourceId: "min(sid)" })}
  from feature_requests where status = 'Open' group by feature)
union all (
  ${fact("MessagesFailed", {
    ...OF_ROWS,
    key: "error_code::text",
    accountSid: OF_ONE_ACCOUNT,
    firstOn: "min(failed.created_at)",
    lastOn: "max(failed.created_at)",
    subject: "error_code::text",
    reason: "max(error_description)",
    resourceId: "max(failed.sid)",
  })}
  from accounts cross join lateral (
    select account_sid, error_code, error_description, created_at, message.sid from outbound_messages as message
     where account_sid = accounts.sid and unhappy = 'Failed' and message.sid >= $2
     order by message.sid desc limit ${COUNTED_MAX}) as failed
  group by error_code)`;

const recent = (table: string, columns: string) =>
  `(select created_at, ${columns} from ${table} where account_sid = $1 and sid >= $2 order by sid desc limit ${TRAFFIC_ROWS_MAX})`;

interface MinuteRow extends Minute {
  /** The oldest of the rows that were read; null when all rows were. */
  readonly countedFrom: Date | null;
}

const count = (table: string, sums: string, columns = "1 as one") => `
select date_trunc('minute', created_at) as at, ${sums},
       case when sum(count(*)) over () >= ${TRAFFIC_ROWS_MAX} then min(min(created_at)) over () end as "countedFrom"
  from ${recent(table, columns)} as recent group by 1`;

const SENT = count(
  "outbound_messages",
  `count(*)::int as sent, count(*) filter (where status = 'Delivered')::int as delivered,
   count(*) filter (where status in ('Failed', 'Expired'))::int as failed, 0 as received, 0 as calls`,
  "status",
);
const NONE_SENT = "0 as sent, 0 as delivered, 0 as failed";
const RECEIVED = count("inbound_messages", `${NONE_SENT}, count(*)::int as received, 0 as calls`);
const CALLS = count("calls", `${NONE_SENT}, 0 as received, count(*)::int as calls`);

export function attentionStore(db: Queryable): AttentionStore {
  return {
    factsOf: (accountSid, now) =>
      db.query<Fact>(OF_ACCOUNT, [
        accountSid,
        firstSidAt("OM", cutoff(now, HOUR_MS)),
        firstSidAt("RE", cutoff(now, 7 * 24 * HOUR_MS)),
        firstSidAt("WH", cutoff(now, 24 * HOUR_MS)),
      ]),
    factsOfAll: (now, isByHand) =>
      db.query<Fact>(OF_ALL, [
        isByHand,
        firstSidAt("OM", cutoff(now, HOUR_MS)),
        firstSidAt("RE", cutoff(now, 7 * 24 * HOUR_MS)),
      ]),
    async trafficOf(accountSid, from) {
      const asked = [
        { statement: SENT, prefix: "OM" },
        { statement: RECEIVED, prefix: "IM" },
        { statement: CALLS, prefix: "CA" },
      ] as const;
      const rows: MinuteRow[] = [];
      for (const { statement, prefix } of asked) {
        rows.push(...(await db.query<MinuteRow>(statement, [accountSid, firstSidAt(prefix, from)])));
      }
      return trafficIn(rows, from);
    },
  };
}

/** Minutes of which not all rows were counted are left out. */
function trafficIn(rows: readonly MinuteRow[], from: Date): Traffic {
  const wholeMs = rows.flatMap(({ countedFrom }) => (countedFrom ? [countedFrom.getTime() + MINUTE_MS] : []));
  const sinceMs = Math.floor(Math.max(from.getTime(), ...wholeMs) / MINUTE_MS) * MINUTE_MS;
  const byMinute = new Map<number, Minute>();
  for (const { countedFrom: _, ...row } of rows) {
    const atMs = row.at.getTime();
    const known = byMinute.get(atMs);
    if (atMs >= sinceMs) byMinute.set(atMs, known ? added(known, row) : row);
  }
  return { since: new Date(sinceMs), minutes: [...byMinute.values()] };
}

function added(one: Minute, other: Minute): Minute {
  return {
    at: one.at,
    sent: one.sent + other.sent,
    delivered: one.delivered + other.delivered,
    failed: one.failed + other.failed,
    received: one.received + other.received,
    calls: one.calls + other.calls,
  };
}
