// Webhooks whose answer is awaited: finds the subscription, and records the exchange as an event with its delivery.

import type { Clock } from "../../../base/clock.ts";
import type { AskedWebhooks } from "../../../domain/webhooks/index.ts";
import type { SecretBox } from "../../secrets.ts";
import { EVENTS_STORED } from "../engine/channels.ts";
import type { Queryable } from "../engine/database.ts";
import { jsonText } from "../engine/json-text.ts";
import { exchangeText } from "./attempt-exchange.ts";
import { NOTE_FAILURE, NOTE_SUCCESS } from "./delivery-queue.ts";
import { emitEvents } from "./outbox.ts";
import { type EndpointRow, openSecrets, selectEndpoints } from "./subscriptions.ts";

const RECORD = `
with stored as (
  insert into events (account_sid, type, resource_sid, sequence, fields, created_at)
  values ($1, $2, $3, coalesce($16::integer, coalesce((select max(sequence) from events where resource_sid = $3 and account_sid = $1), 0) + 1), $4, $5)
  returning id, sequence
), recorded as (
  insert into deliveries (sid, account_sid, subscription_sid, event_id, type, resource_sid, sequence, status, attempt_count, created_at, finished_at)
  select $6, $1, $7, id, $2, $3, sequence, $8, cardinality($10::timestamptz[]), $5, $9 from stored
), tried as (
  insert into attempts (delivery_sid, at, url, status, failure, ms, answer, exchange)
  select $6, * from unnest($10::timestamptz[], $11::text[], $12::int[], $13::text[], $14::int[], $15::text[], $17::text[])
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
      await db.query(RECORD, [
        event.accountSid,
        event.type,
        event.resourceSid,
        jsonText(event.fields),
        createdOn,
        deliverySid,
        subscriptionSid,
        isAnswered ? "Delivered" : "Failed",
        clock.now(),
        attempts.map((attempt) => attempt.at),
        attempts.map((attempt) => attempt.url),
        attempts.map((attempt) => attempt.status),
        attempts.map((attempt) => attempt.failure),
        attempts.map((attempt) => attempt.ms),
        attempts.map((attempt) => attempt.answer),
        event.sequence ?? null,
        attempts.map(exchangeText),
      ]);
      await db.query(isAnswered ? NOTE_SUCCESS : NOTE_FAILURE, [[subscriptionSid], clock.now()]);
    },
    recordUnsubscribed: (event, now) => emitEvents(db, [event], now),
  };
}
