import type { EventType } from "../../../domain/events.ts";
import type { Subscription, SubscriptionSecrets, SubscriptionStore } from "../../../domain/webhooks/index.ts";
import type { SecretBox } from "../../secrets.ts";
import type { Queryable } from "../engine/database.ts";
import { fetchPage } from "../engine/pages.ts";
import { EVENTS_STORED } from "./outbox.ts";

interface Row {
  readonly sid: string;
  readonly account_sid: string;
  readonly type: EventType;
  readonly url: string;
  readonly backup_url: string | null;
  readonly messaging_config_sid: string | null;
  readonly phone: string | null;
  readonly payload_shape: Subscription["payloadShape"];
  readonly enabled: boolean;
  readonly disabled_reason: string | null;
  readonly has_bearer: boolean;
  readonly created_at: Date;
  readonly last_success_at: Date | null;
}

const SELECT = `select sid, account_sid, type, url, backup_url, messaging_config_sid, phone, payload_shape, enabled, disabled_reason,
  bearer is not null as has_bearer, created_at, last_success_at from webhook_subscriptions`;

const toSubscription = (row: Row): Subscription => ({
  sid: row.sid,
  accountSid: row.account_sid,
  type: row.type,
  url: row.url,
  backupUrl: row.backup_url,
  messagingConfigSid: row.messaging_config_sid,
  phone: row.phone,
  payloadShape: row.payload_shape,
  enabled: row.enabled,
  disabledReason: row.disabled_reason,
  hasBearer: row.has_bearer,
  createdOn: row.created_at,
  lastSuccessOn: row.last_success_at,
});

export function subscriptionStore(db: Queryable, box: SecretBox): SubscriptionStore {
  return {
    async insert(subscription: Subscription, secrets: SubscriptionSecrets) {
      await db.query(
        `insert into webhook_subscriptions (sid, account_sid, type, url, backup_url, messaging_config_sid, phone, payload_shape,
           enabled, secret, bearer, created_at, secret_created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12)`,
        [
          subscription.sid,
          subscription.accountSid,
          subscription.type,
          subscription.url,
          subscription.backupUrl,
          subscription.messagingConfigSid,
          subscription.phone,
          subscription.payloadShape,
          subscription.enabled,
          box.seal(secrets.secret),
          secrets.bearer === null ? null : box.seal(secrets.bearer),
          subscription.createdOn,
        ],
      );
    },
    async find(accountSid, sid) {
      const [row] = await db.query<Row>(`${SELECT} where account_sid = $1 and sid = $2 and not is_callback`, [
        accountSid,
        sid,
      ]);
      return row && toSubscription(row);
    },
    list: ({ accountSid, enabled }, page) =>
      fetchPage(db, page, {
        select: SELECT,
        where: { account_sid: accountSid, enabled, is_callback: false },
        key: "sid",
        show: toSubscription,
      }),
    async change(accountSid, sid, change) {
      const columns: readonly [string, unknown][] = [
        ["url", change.url],
        ["backup_url", change.backupUrl],
        ["payload_shape", change.payloadShape],
        ["bearer", typeof change.bearer === "string" ? box.seal(change.bearer) : change.bearer],
        ["enabled", change.enabled],
        ["disabled_reason", change.enabled === undefined ? undefined : null],
        ["failing_since", change.enabled === undefined ? undefined : null],
      ];
      const given = columns.filter(([, value]) => value !== undefined);
      if (given.length === 0) return;
      const sets = given.map(([column], index) => `${column} = $${index + 3}`);
      await db.query(`update webhook_subscriptions set ${sets.join(", ")} where account_sid = $1 and sid = $2`, [
        accountSid,
        sid,
        ...given.map(([, value]) => value),
      ]);
    },
    async remove(accountSid, sid, now) {
      // What waits for a retry would be canceled only then, and shown as pending until tomorrow.
      const rows = await db.query(
        `with gone as (
           delete from webhook_subscriptions where account_sid = $1 and sid = $2 and not is_callback returning sid
         ), hurried as (
           update delivery_queue set due_at = $3 from gone
            where subscription_sid = gone.sid and claimed_by is null and due_at > $3
         )
         select pg_notify($4, sid) from gone`,
        [accountSid, sid, now, EVENTS_STORED],
      );
      return rows.length > 0;
    },
    async rotateSecret(accountSid, sid, { secret, previousUntil, now }) {
      await db.query(
        `update webhook_subscriptions set previous_secret = secret, previous_until = $4, secret = $3, secret_created_at = $5
          where account_sid = $1 and sid = $2`,
        [accountSid, sid, box.seal(secret), previousUntil, now],
      );
    },
    async findEnabled(scope, exceptSid) {
      // Whoever makes or enables one of this type waits here for the other, or two could be made at once.
      await db.query("select pg_advisory_xact_lock(hashtext($1))", [`${scope.accountSid} ${scope.type}`]);
      const [row] = await db.query<{ sid: string }>(
        `select sid from webhook_subscriptions where account_sid = $1 and type = $2 and enabled
            and messaging_config_sid is not distinct from $3 and phone is not distinct from $4
            and sid is distinct from $5 limit 1`,
        [scope.accountSid, scope.type, scope.messagingConfigSid, scope.phone, exceptSid ?? null],
      );
      return row?.sid;
    },
  };
}

/** When the oldest secret was made that signs for the account now; null when none does. */
export async function oldestSecretOf(db: Queryable, accountSid: string): Promise<Date | null> {
  const [row] = await db.query<{ oldest: Date | null }>(
    "select min(secret_created_at) as oldest from webhook_subscriptions where account_sid = $1 and enabled",
    [accountSid],
  );
  return row?.oldest ?? null;
}
