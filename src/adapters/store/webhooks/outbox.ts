// Stores events in the transaction of the change they report and, in the same statement, their deliveries to every
// subscription they go to, by the batch (docs/decisions/0036). No later step has to find them: once committed they are
// due. The events of a resource are numbered in order, because a caller first writes the resource's own row in the same
// transaction, which makes two transactions that change the same resource wait for each other.

import { ANSWERED_TYPE, type NewEvent, type Outbox } from "../../../domain/events.ts";
import { EVENTS_STORED } from "../engine/channels.ts";
import type { Queryable } from "../engine/database.ts";
import { jsonText } from "../engine/json-text.ts";
import { named } from "../engine/named-statements.ts";
import { BATCH_MAX, type BatchedFields, insertBatches, insertSingly, kindOf } from "./event-batches.ts";

interface StoreOrder {
  /** Over columns of `given`: they are stored by the batch. */
  readonly fields?: BatchedFields;
  /** SQL of further columns of the answer. */
  readonly further?: string;
}

/**
 * The rest of a statement that stores events: `with …, ${storeEvents(…)}`. `given` selects account_sid, type,
 * resource_sid, sequence, phone, messaging_config_sid, only_to, callback_url, callback_shape, and either `fields` or
 * what they consist of, in the order in which they happened; `now` is a parameter. Returns one row, with the count as
 * `stored`.
 */
export function storeEvents(given: string, now: string, { fields, further = "" }: StoreOrder = {}): string {
  // Subscriptions are looked up once for each account, not for each event. A notification's payload has 8,000 bytes at
  // most; an empty one means that anything may have been stored.
  const batch = fields ? "account_sid, kind" : "account_sid";
  return `ordered as materialized (
  select *, row_number() over (partition by ${batch} ${fields ? "" : "order by happened"}) - 1 as number
    from (select *, ${fields ? `${kindOf(fields)} as kind` : "row_number() over () as happened"} from (${given}) as event) as event
), batches as materialized (
  select *, nextval('events_id_seq') as event_id
    from (select distinct ${batch}, number / ${BATCH_MAX} as batch from ordered order by ${batch}, batch) as made
), given_events as materialized (
  select ordered.*, event_id, (number % ${BATCH_MAX})::smallint as place
    from ordered join batches using (${batch}) where batches.batch = number / ${BATCH_MAX}
), stored as (
  ${fields ? insertBatches("given_events", fields, now) : insertSingly("given_events", now)}
), told_of as materialized (
  select distinct account_sid, type from given_events
), listening as materialized (
  select told_of.type, subscription.* from told_of cross join lateral (
    select sid, account_sid, enabled, is_callback, phone, messaging_config_sid from webhook_subscriptions
     where account_sid = told_of.account_sid
       -- The account's own one takes every callback.
       and (is_callback or told_of.type = any (types) or ('*' = any (types) and told_of.type <> '${ANSWERED_TYPE}'))
    offset 0) as subscription
), matched as (
  select subscription.sid as subscription_sid, event.event_id, event.place, event.account_sid,
         event.only_to is not null as forced, event.callback_url, event.callback_shape,
         rank() over (partition by event.event_id, event.place order by (subscription.phone is not null) desc,
                                                     (subscription.messaging_config_sid is not null) desc) as rank
    from listening as subscription
    join given_events as event on event.account_sid = subscription.account_sid and event.type = subscription.type
   where case when event.only_to is not null then subscription.sid = event.only_to
              when event.callback_url is not null then subscription.sid = 'WS' || substr(event.account_sid, 3)
              else subscription.enabled and not subscription.is_callback
                and (subscription.phone is null or subscription.phone = event.phone)
                and (subscription.messaging_config_sid is null or subscription.messaging_config_sid = event.messaging_config_sid)
         end
), chosen as materialized (
  select delivery_sid(${now}) as sid, account_sid, subscription_sid, event_id, callback_shape, forced,
         array_agg(place order by place) as places,
         case when count(callback_url) > 0 then array_agg(callback_url order by place) end as urls
    from matched where rank = 1 group by account_sid, subscription_sid, event_id, callback_shape, forced
), recorded as (
  insert into deliveries (sid, account_sid, subscription_sid, event_id, created_at, payload_shape, places)
  select sid, account_sid, subscription_sid, event_id, ${now}, callback_shape, places from chosen
), queued as (
  insert into delivery_queue (delivery_sid, subscription_sid, event_id, created_at, payload_shape, forced, due_at, is_ready, places, urls)
  select sid, subscription_sid, event_id, ${now}, callback_shape, forced, ${now}, true, places, urls from chosen order by event_id
), notified as (
  select string_agg(sid, ',') as sids from (select account_sid as sid from told_of union select subscription_sid from chosen) as sids
)
select (select count(*)::int from given_events) as stored,
       case when sids is not null then pg_notify('${EVENTS_STORED}', case when length(sids) < 7900 then sids else '' end) end${further}
  from notified`;
}

const EMIT = named(
  "emit-events",
  `with ${storeEvents(
    `select account_sid, type, resource_sid, fields, phone, messaging_config_sid, only_to, callback_url, callback_shape,
          coalesce(known_sequence,
                   coalesce((select max(sequence) from events
                              where events.resource_sid = event.resource_sid and events.account_sid = event.account_sid), 0)
                   + row_number() over (partition by account_sid, resource_sid order by place)) as sequence
     from unnest($1::text[], $2::text[], $3::text[], $4::json[], $5::text[], $6::text[], $7::text[], $9::text[], $10::text[], $11::integer[])
       with ordinality as event (account_sid, type, resource_sid, fields, phone, messaging_config_sid, only_to, callback_url, callback_shape, known_sequence, place)
    order by place`,
    "$8::timestamptz",
  )}`,
);

export async function emitEvents(db: Queryable, events: readonly NewEvent[], now: Date): Promise<void> {
  if (events.length === 0) return;
  await db.query(EMIT, [
    events.map((event) => event.accountSid),
    events.map((event) => event.type),
    events.map((event) => event.resourceSid),
    events.map((event) => jsonText(event.fields)),
    events.map((event) => event.phone ?? null),
    events.map((event) => event.messagingConfigSid ?? null),
    events.map((event) => event.onlyTo ?? null),
    now,
    events.map((event) => event.callbackUrl ?? null),
    events.map((event) => event.callbackShape ?? null),
    events.map((event) => event.sequence ?? null),
  ]);
}

export function outboxOf(db: Queryable): Outbox {
  return { emit: (events, now) => emitEvents(db, events, now) };
}
