import type { EventType } from "../../../domain/events.ts";
import type {
  Attempt,
  Delivery,
  DeliveryFilters,
  DeliveryStatus,
  DeliveryStore,
} from "../../../domain/webhooks/index.ts";
import type { Queryable } from "../engine/database.ts";
import { EVENTS_STORED } from "./outbox.ts";

interface Row {
  readonly sid: string;
  readonly subscription_sid: string;
  readonly type: EventType;
  readonly resource_sid: string;
  readonly sequence: number;
  readonly status: DeliveryStatus;
  readonly attempt_count: number;
  readonly next_attempt_at: Date | null;
  readonly created_at: Date;
  readonly finished_at: Date | null;
}

interface AttemptRow extends Attempt {
  readonly delivery_sid: string;
}

const SELECT = `select sid, subscription_sid, type, resource_sid, sequence, status, attempt_count, next_attempt_at, created_at, finished_at
  from deliveries`;

/** Conditions and values of a list's filters, the account's first. */
function narrowing(accountSid: string, filters: DeliveryFilters): { conditions: string[]; values: unknown[] } {
  const values: unknown[] = [accountSid];
  const conditions = ["account_sid = $1"];
  const columns: readonly [string, unknown][] = [
    ["type =", filters.type],
    ["status =", filters.status],
    // Says the same, and has an index.
    ["undelivered =", filters.status === "Failed" || filters.status === "Canceled" ? filters.status : undefined],
    ["subscription_sid =", filters.subscriptionSid],
    ["resource_sid =", filters.resourceSid],
    ["created_at >=", filters.from],
    ["created_at <", filters.to],
  ];
  for (const [test, value] of columns) if (value !== undefined) conditions.push(`${test} $${values.push(value)}`);
  return { conditions, values };
}

// What a message brought along is not the subscription's own.
const CALLBACK_URL = `(select callback_url from outbound_messages as message
    where message.account_sid = meant.account_sid and message.sid = meant.resource_sid
      and meant.subscription_sid = 'WS' || substr(meant.account_sid, 3))`;

export function deliveryStore(db: Queryable): DeliveryStore {
  async function withAttempts(rows: readonly Row[]): Promise<readonly Delivery[]> {
    if (rows.length === 0) return [];
    const oldest = new Date(Math.min(...rows.map((row) => row.created_at.getTime())));
    // Rows are only ever added, so those of one moment lie in the order in which they were made.
    const attempts = await db.query<AttemptRow>(
      `select delivery_sid, at, url, status, failure, ms, answer from attempts
        where delivery_sid = any($1) and at >= $2 order by at, ctid`,
      [rows.map((row) => row.sid), oldest],
    );
    const bySid = groupBySid(attempts);
    // What was recorded since the delivery was read belongs to a later state of it.
    return rows.map((row) => toDelivery(row, (bySid.get(row.sid) ?? []).slice(0, row.attempt_count)));
  }
  return {
    async find(accountSid, sid) {
      const rows = await db.query<Row>(`${SELECT} where account_sid = $1 and sid = $2`, [accountSid, sid]);
      return (await withAttempts(rows))[0];
    },
    async list(accountSid, page, filters) {
      const { conditions, values } = narrowing(accountSid, filters);
      const ascending = page.direction === "Ascending";
      if (page.after !== undefined) conditions.push(`sid ${ascending ? ">" : "<"} $${values.push(page.after)}`);
      const rows = await db.query<Row>(
        `${SELECT} where ${conditions.join(" and ")} order by sid ${ascending ? "asc" : "desc"} limit $${values.push(page.size + 1)}`,
        values,
      );
      const items = await withAttempts(rows.slice(0, page.size));
      const last = items.at(-1);
      return rows.length > page.size && last ? { items, next: last.sid } : { items };
    },
    async replay(accountSid, order) {
      const { conditions, values } = narrowing(accountSid, order.filters);
      if (order.sids) conditions.push(`sid = any($${values.push(order.sids)})`);
      const limit = values.push(order.limit);
      const now = values.push(order.now);
      const url = values.push(order.url);
      const rows = await db.query(
        `with meant as (
           select sid, account_sid, created_at, subscription_sid, resource_sid, sequence, event_id from deliveries
            where ${conditions.join(" and ")} order by sid limit $${limit}
         ), queued as (
           insert into delivery_queue as queue
             (delivery_sid, subscription_sid, resource_sid, sequence, event_id, created_at, queued_at, url, forced, due_at)
           select sid, subscription_sid, resource_sid, sequence, event_id, created_at, $${now}, coalesce($${url}, ${CALLBACK_URL}), true, $${now}
             from meant
           on conflict (delivery_sid) do update
             set due_at = excluded.due_at, queued_at = excluded.queued_at, attempt = 0, url = excluded.url, forced = true,
                 claimed_by = null, leased_until = null, blocked = false
           returning delivery_sid, subscription_sid
         ), told as (
           select pg_notify('${EVENTS_STORED}', '') from queued limit 1
         )
         update deliveries set status = 'Pending', next_attempt_at = $${now}, finished_at = null
           from meant, (select count(*) from told) as notified
          where deliveries.sid = meant.sid and deliveries.created_at = meant.created_at
         returning deliveries.sid`,
        values,
      );
      return rows.length;
    },
  };
}

function groupBySid(attempts: readonly AttemptRow[]): Map<string, AttemptRow[]> {
  const groups = new Map<string, AttemptRow[]>();
  for (const attempt of attempts) {
    const group = groups.get(attempt.delivery_sid);
    if (group) group.push(attempt);
    else groups.set(attempt.delivery_sid, [attempt]);
  }
  return groups;
}

function toDelivery(row: Row, attempts: readonly AttemptRow[]): Delivery {
  return {
    sid: row.sid,
    subscriptionSid: row.subscription_sid,
    type: row.type,
    resourceSid: row.resource_sid,
    sequence: row.sequence,
    status: row.status,
    attemptCount: row.attempt_count,
    nextAttemptOn: row.next_attempt_at,
    createdOn: row.created_at,
    finishedOn: row.finished_at,
    attempts: attempts.map(({ delivery_sid: _, ...attempt }) => attempt),
  };
}
