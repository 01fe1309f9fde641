// The account's deliveries with their attempts, and their replay.

import type { StoredEvent } from "../../../domain/events.ts";
import type { Attempt, Delivery, DeliveryFilters, DeliveryStore } from "../../../domain/webhooks/index.ts";
import { EVENTS_STORED } from "../engine/channels.ts";
import { table } from "../engine/columns.ts";
import type { Queryable } from "../engine/database.ts";
import { conditionsOf, fetchPage } from "../engine/pages.ts";
import { first } from "../engine/statements.ts";
import { exchangeOf } from "./attempt-exchange.ts";

type Row = Omit<Delivery, "attempts">;

const DELIVERIES = table<Row>("deliveries", {
  sid: "sid",
  subscriptionSid: "subscription_sid",
  type: "type",
  resourceSid: "resource_sid",
  sequence: "sequence integer",
  status: "status",
  attemptCount: "attempt_count integer",
  nextAttemptOn: "next_attempt_at timestamptz",
  createdOn: "created_at timestamptz",
  finishedOn: "finished_at timestamptz",
  payloadShape: "payload_shape",
});

interface AttemptRow extends Omit<Attempt, "exchange"> {
  readonly deliverySid: string;
  readonly exchange: string | null;
}

const narrowing = (accountSid: string, { type, status, subscriptionSid, resourceSid, from, to }: DeliveryFilters) => ({
  account_sid: accountSid,
  type,
  status,
  // The same condition on a column that has an index.
  undelivered: status === "Failed" || status === "Canceled" ? status : undefined,
  subscription_sid: subscriptionSid,
  resource_sid: resourceSid,
  "created_at >=": from,
  "created_at <": to,
});

const IS_SUBSCRIBED = "exists (select from webhook_subscriptions as known where known.sid = subscription_sid)";
const CALLBACK_SID = "'WS' || substr(account_sid, 3)";

// The callback URL that was given with a message or a call; it is not the subscription's own.
const CALLBACK_URL = `(select url from (
    select account_sid, sid, callback_url as url from outbound_messages
    union all select account_sid, sid, callback ->> 'url' from calls) as made
    where made.account_sid = meant.account_sid and made.sid = meant.resource_sid
      and meant.subscription_sid = 'WS' || substr(meant.account_sid, 3))`;

export function deliveryStore(db: Queryable): DeliveryStore {
  async function withAttempts(rows: readonly Row[]): Promise<readonly Delivery[]> {
    if (rows.length === 0) return [];
    const oldest = new Date(Math.min(...rows.map((row) => row.createdOn.getTime())));
    // Rows are only ever added, so rows of the same time are stored in the order in which they were made.
    const attempts = await db.query<AttemptRow>(
      `select delivery_sid as "deliverySid", at, url, status, failure, ms, answer, exchange from attempts
        where delivery_sid = any($1) and at >= $2 order by at, ctid`,
      [rows.map((row) => row.sid), oldest],
    );
    const bySid = new Map<string, Attempt[]>(rows.map(({ sid }) => [sid, []]));
    for (const { deliverySid, exchange, ...attempt } of attempts) {
      bySid.get(deliverySid)?.push({ ...attempt, exchange: exchangeOf(exchange) });
    }
    // Attempts recorded after the delivery was read belong to a later state of it.
    return rows.map((row) => ({ ...row, attempts: (bySid.get(row.sid) ?? []).slice(0, row.attemptCount) }));
  }
  return {
    async find(accountSid, sid) {
      const rows = await db.query<Row>(`${DELIVERIES.select} where account_sid = $1 and sid = $2`, [accountSid, sid]);
      return (await withAttempts(rows))[0];
    },
    eventOf: (accountSid, sid) =>
      first<StoredEvent>(
        db,
        `select event.account_sid as "accountSid", event.type, event.resource_sid as "resourceSid",
                event.sequence::integer, event.fields::json, event.fields::text as "fieldsText",
                event.created_at as "createdOn"
           from deliveries as delivery
           join events as event on event.id = delivery.event_id and event.created_at = delivery.created_at
          where delivery.account_sid = $1 and delivery.sid = $2`,
        [accountSid, sid],
      ),
    async list(accountSid, page, filters) {
      const where = narrowing(accountSid, filters);
      const found = await fetchPage<Row>(db, page, { of: DELIVERIES, where, key: ["sid"] });
      return { ...found, items: await withAttempts(found.items) };
    },
    async replay(accountSid, order) {
      const values: unknown[] = [];
      const conditions = conditionsOf(narrowing(accountSid, order.filters), values);
      if (order.sids) conditions.push(`sid = any($${values.push(order.sids)})`);
      const limit = values.push(order.limit);
      const now = values.push(order.now);
      const url = values.push(order.url);
      const shape = values.push(order.payloadShape ?? null);
      if (order.url === null) conditions.push(IS_SUBSCRIBED);
      // A delivery that is named by its sid is replayed even while it is under way; a replay of many leaves those out.
      const isTaken = order.sids ? "false" : `queue.leased_until > $${now}`;
      conditions.push(
        `not exists (select from delivery_queue as queue where queue.delivery_sid = deliveries.sid and ${isTaken})`,
      );
      const rows = await db.query(
        `with meant as (
           select sid, account_sid, created_at, subscription_sid, resource_sid, sequence, event_id, payload_shape,
                  case when ${IS_SUBSCRIBED} then subscription_sid else ${CALLBACK_SID} end as endpoint from deliveries
            where ${conditions.join(" and ")} order by sid limit $${limit}
         ), queued as (
           insert into delivery_queue as queue
             (delivery_sid, subscription_sid, resource_sid, sequence, event_id, created_at, queued_at, url, payload_shape, forced, due_at)
           select sid, endpoint, resource_sid, sequence, event_id, created_at, $${now}, coalesce($${url}, ${CALLBACK_URL}), coalesce($${shape}, payload_shape), true, $${now}
             from meant
           on conflict (delivery_sid) do update
             set subscription_sid = excluded.subscription_sid, due_at = excluded.due_at, queued_at = excluded.queued_at,
                 attempt = 0, first_tried_at = null, url = excluded.url, payload_shape = excluded.payload_shape, forced = true, claimed_by = null, leased_until = null,
                 blocked = false
             where (${isTaken}) is not true
           returning delivery_sid, created_at, payload_shape
         ), told as (
           select pg_notify('${EVENTS_STORED}', '') from queued limit 1
         )
         update deliveries set status = 'Pending', next_attempt_at = $${now}, finished_at = null, payload_shape = queued.payload_shape
           from queued, (select count(*) from told) as notified
          where deliveries.sid = queued.delivery_sid and deliveries.created_at = queued.created_at
         returning deliveries.sid`,
        values,
      );
      return rows.length;
    },
  };
}
