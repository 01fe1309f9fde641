// Stores events in the transaction of the change they tell of, and with them, in the same statement, one delivery for every
// subscription they go to. Nothing has to find them afterwards: once committed they are due.
// Events of one resource are numbered after those that are committed: a caller has written the resource's own row before, in the
// same transaction, so that two who tell of it take turns.

import type { NewEvent } from "../../domain/events.ts";
import type { Queryable } from "./database.ts";
import { jsonText } from "./json-text.ts";

/** Carries account sids (an event was stored) and subscription sids (a delivery is due), separated by commas. */
export const EVENTS_STORED = "events_stored";

/**
 * The rest of a statement that stores events: `with …, ${tellEvents(…)}`. `given` selects account_sid, type, resource_sid, fields, phone,
 * messaging_config_sid, only_to, callback_url, known_sequence and place; `now` is a parameter. Answers one row, with the count as `told`.
 */
export function tellEvents(given: string, now: string): string {
  // PostgreSQL carries 8,000 bytes; without names everybody looks for himself.
  return `given_events as materialized (
  select *, nextval('events_id_seq') as id from (${given}) as event
), numbered as materialized (
  select *,
         coalesce(known_sequence,
                  coalesce((select max(sequence) from events
                             where events.resource_sid = given_events.resource_sid and events.account_sid = given_events.account_sid), 0)
                  + row_number() over (partition by account_sid, resource_sid order by place)) as sequence
    from given_events
), stored as (
  insert into events (id, account_sid, type, resource_sid, sequence, fields, created_at) overriding system value
  select id, account_sid, type, resource_sid, sequence, fields, ${now} from numbered order by place
), matched as (
  select delivery_sid(${now}) as sid, subscription.sid as subscription_sid, numbered.id, numbered.account_sid, numbered.type,
         numbered.resource_sid, numbered.sequence, numbered.only_to is not null as forced, numbered.callback_url,
         rank() over (partition by numbered.id order by (subscription.phone is not null) desc,
                                                        (subscription.messaging_config_sid is not null) desc) as rank
    from numbered
    join webhook_subscriptions as subscription on subscription.account_sid = numbered.account_sid and subscription.type = numbered.type
   where case when numbered.only_to is not null then subscription.sid = numbered.only_to
              when numbered.callback_url is not null then subscription.sid = 'WS' || substr(numbered.account_sid, 3)
              else subscription.enabled and not subscription.is_callback
                and (subscription.phone is null or subscription.phone = numbered.phone)
                and (subscription.messaging_config_sid is null or subscription.messaging_config_sid = numbered.messaging_config_sid)
         end
), chosen as (
  select * from matched where rank = 1
), recorded as (
  insert into deliveries (sid, account_sid, subscription_sid, event_id, type, resource_sid, sequence, status, next_attempt_at, created_at)
  select sid, account_sid, subscription_sid, id, type, resource_sid, sequence, 'Pending', ${now}, ${now} from chosen
), queued as (
  insert into delivery_queue (delivery_sid, subscription_sid, resource_sid, sequence, event_id, created_at, queued_at, url, forced, due_at)
  select sid, subscription_sid, resource_sid, sequence, id, ${now}, ${now}, callback_url, forced, ${now} from chosen
), told as (
  select string_agg(sid, ',') as sids
    from (select distinct account_sid as sid from numbered union select distinct subscription_sid from chosen) as sids
)
select (select count(*)::int from numbered) as told,
       case when sids is not null then pg_notify('${EVENTS_STORED}', case when length(sids) < 7900 then sids else '' end) end
  from told`;
}

const EMIT = `with ${tellEvents(
  `select * from unnest($1::text[], $2::text[], $3::text[], $4::json[], $5::text[], $6::text[], $7::text[], $9::text[], $10::integer[])
     with ordinality as event (account_sid, type, resource_sid, fields, phone, messaging_config_sid, only_to, callback_url, known_sequence, place)`,
  "$8::timestamptz",
)}`;

export async function emitEvents(db: Queryable, events: readonly NewEvent[], now: Date): Promise<void> {
  if (events.length === 0) return;
  await db.query(
    EMIT,
    [
      events.map((event) => event.accountSid),
      events.map((event) => event.type),
      events.map((event) => event.resourceSid),
      events.map((event) => jsonText(event.fields)),
      events.map((event) => event.phone ?? null),
      events.map((event) => event.messagingConfigSid ?? null),
      events.map((event) => event.onlyTo ?? null),
      now,
      events.map((event) => event.callbackUrl ?? null),
      events.map((event) => event.sequence ?? null),
    ],
    "emit-events",
  );
}
