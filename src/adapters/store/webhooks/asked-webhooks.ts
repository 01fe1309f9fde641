// Webhooks whose answer is awaited: finds the subscription, and records the exchange as an event with its delivery.

import type { Clock } from "../../../base/clock.ts";
import type { AskedWebhooks } from "../../../domain/webhooks/index.ts";
import type { SecretBox } from "../../secrets.ts";
import { EVENTS_STORED } from "../engine/channels.ts";
import type { Queryable } from "../engine/database.ts";
import { jsonText } from "../engine/json-text.ts";
import { AttemptBatch } from "./attempt-batch.ts";
import { type PlacedDelivery, placedOf } from "./batch-sids.ts";
import { emitEvents } from "./outbox.ts";
import { NOTE_FAILURE, NOTE_SUCCESS } from "./subscription-health.ts";
import { type EndpointRow, openSecrets, selectEndpoints } from "./subscriptions.ts";

const RECORD = `
with stored as (
  insert into events (id, account_sid, type, resource_sid, sequence, fields, created_at) overriding system value
  values (nextval('events_id_seq') + $7::smallint, $1, $2, $3,
          coalesce($11::integer, coalesce((select max(sequence) from events where resource_sid = $3 and account_sid = $1), 0) + 1), $4, $5)
  returning id
), recorded as (
  insert into deliveries (sid, account_sid, subscription_sid, event_id, created_at, places, failed)
  select $6, $1, $8, id - $7::smallint, $5, array[$7::smallint], case when not $9::boolean then array[$7::smallint] end from stored
), noted as (
  insert into undelivered_changes (account_sid, created_at, failed, canceled) select $1, $5, 1, 0 where not $9::boolean
), tried as (
  insert into attempts (delivery_sid, at, places, began_ms, took_ms, statuses, details, texts)
  select $6, $10::timestamptz, $12::smallint[], $13::integer[], $14::integer[], $15::smallint[], $16::smallint[], $17::text[]
)
select pg_notify('${EVENTS_STORED}', $1)`;

export function askedWebhooks(db: Queryable, box: SecretBox, clock: Clock): AskedWebhooks {
  return {
    async find(event) {
      const [row] = await db.query<EndpointRow>(
        `${selectEndpoints("$5")}
          where account_sid = $1 and $2 = any (types) and enabled
            and (phone is null or phone = $3) and (messaging_config_sid is null or messaging_config_sid = $4)
          order by (phone is not null) desc, (messaging_config_sid is not null) desc limit 1`,
        [event.accountSid, event.type, event.phone ?? null, event.messagingConfigSid ?? null, clock.now()],
      );
      if (!row) return undefined;
      const { sid, url, backupUrl, payloadShape, method, backupMethod, bearer } = row;
      const secrets = openSecrets(box, row);
      return {
        ...{ sid, url, backupUrl, payloadShape, method, backupMethod, secrets },
        bearer: bearer && box.open(bearer),
      };
    },
    async record({ event, subscriptionSid, deliverySid, createdOn, attempts, isAnswered }) {
      const { batchSid, place } = placedOf(deliverySid) as PlacedDelivery;
      const batch = new AttemptBatch(batchSid, createdOn.getTime());
      for (const attempt of attempts) batch.add(place, attempt, null);
      const [startMs, ...lists] = batch.values;
      await db.query(RECORD, [
        event.accountSid,
        event.type,
        event.resourceSid,
        jsonText(event.fields),
        createdOn,
        batchSid,
        place,
        subscriptionSid,
        isAnswered,
        new Date(startMs),
        event.sequence ?? null,
        ...lists,
      ]);
      await db.query(isAnswered ? NOTE_SUCCESS : NOTE_FAILURE, [[subscriptionSid], clock.now()]);
    },
    recordUnsubscribed: (event, now) => emitEvents(db, [event], now),
  };
}
