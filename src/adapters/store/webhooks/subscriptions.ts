// Subscriptions to events. Their secrets are stored encrypted and never shown again.

import {
  REPLACED_SECRETS_MAX,
  type Subscription,
  type SubscriptionSecrets,
  type SubscriptionStore,
} from "../../../domain/webhooks/index.ts";
import type { SecretBox } from "../../secrets.ts";
import { EVENTS_STORED } from "../engine/channels.ts";
import { table } from "../engine/columns.ts";
import type { Queryable } from "../engine/database.ts";
import { lock } from "../engine/locks.ts";
import { fetchPage } from "../engine/pages.ts";
import { first, hasRow } from "../engine/statements.ts";

const SUBSCRIPTIONS = table<Omit<Subscription, "hasBearer">>("webhook_subscriptions", {
  sid: "sid",
  accountSid: "account_sid",
  types: "types text[]",
  url: "url",
  backupUrl: "backup_url",
  messagingConfigSid: "messaging_config_sid",
  phone: "phone",
  payloadShape: "payload_shape",
  method: "method",
  backupMethod: "backup_method",
  enabled: "enabled boolean",
  disabledReason: "disabled_reason",
  createdOn: "created_at timestamptz",
  lastSuccessOn: "last_success_at timestamptz",
});

const SHOWN = { columns: `${SUBSCRIPTIONS.columns}, bearer is not null as "hasBearer"`, from: "webhook_subscriptions" };

interface SubscriptionRow extends Omit<Subscription, "hasBearer"> {
  readonly secret: Buffer;
  readonly secretCreatedOn: Date;
  readonly bearer: Buffer | null;
  readonly failingSince: Date | null;
}

const STORED = table<SubscriptionRow>("webhook_subscriptions", {
  ...SUBSCRIPTIONS.fields,
  secret: "secret bytea",
  secretCreatedOn: "secret_created_at timestamptz",
  bearer: "bearer bytea",
  failingSince: "failing_since timestamptz",
});

const ENDPOINT_FIELDS = [
  "sid",
  "accountSid",
  "url",
  "backupUrl",
  "payloadShape",
  "method",
  "backupMethod",
  "enabled",
  "failingSince",
  "secret",
  "bearer",
] as const;

/** The columns that are needed to send to a subscription. */
export type EndpointRow = Pick<SubscriptionRow, (typeof ENDPOINT_FIELDS)[number]> & {
  /** The replaced secrets that still sign; null when none does. */
  readonly replacedSecrets: readonly Buffer[] | null;
};

/** SQL: selects endpoints as of the time in the expression `now`. */
export const selectEndpoints = (now: string) => `select ${STORED.only(ENDPOINT_FIELDS).columns},
  case when replaced_until[1] > ${now} then array(
    select secret from unnest(replaced_secrets, replaced_until) as replaced (secret, until) where until > ${now}
  ) end as "replacedSecrets" from webhook_subscriptions`;

/**
 * The secrets that sign, the present one first. A replaced one that was sealed with another key is left out, so that
 * rotating the secret repairs its subscription.
 */
export function openSecrets(box: SecretBox, row: Pick<EndpointRow, "secret" | "replacedSecrets">): readonly string[] {
  const replaced = (row.replacedSecrets ?? []).flatMap((sealed) => {
    try {
      return box.open(sealed);
    } catch {
      return [];
    }
  });
  return [box.open(row.secret), ...replaced];
}

/** SQL: replaces the secret of `row`; `order` has the parameters. */
export const setSecret = (row: string, order: { readonly [Name in "secret" | "until" | "now"]: string }) =>
  `set replaced_secrets = (array_prepend(${row}.secret, ${row}.replaced_secrets))[1:${REPLACED_SECRETS_MAX}],
       replaced_until = (array_prepend(${order.until}::timestamptz, ${row}.replaced_until))[1:${REPLACED_SECRETS_MAX}],
       secret = ${order.secret}, secret_created_at = ${order.now}`;

/** SQL: whether the secret may be replaced while those that were replaced before still sign. */
export const mayReplaceSecret = (row: string, now: string) =>
  `(${row}.replaced_until[${REPLACED_SECRETS_MAX}] > ${now}) is not true`;

/** One lock for all subscriptions of an account, so that two transactions that make several cannot deadlock. */
const lockMaking = (db: Queryable, accountSid: string) => lock(db, `${accountSid} webhooks`);

export function subscriptionStore(db: Queryable, box: SecretBox): SubscriptionStore {
  return {
    async insert(subscription: Subscription, secrets: SubscriptionSecrets) {
      const bearer = secrets.bearer === null ? null : box.seal(secrets.bearer);
      await db.query(STORED.insert, [
        STORED.rows([
          { ...subscription, secret: box.seal(secrets.secret), bearer, secretCreatedOn: subscription.createdOn },
        ]),
      ]);
    },
    find: (accountSid, sid) =>
      first<Subscription>(
        db,
        `select ${SHOWN.columns} from ${SHOWN.from} where account_sid = $1 and sid = $2 and not is_callback`,
        [accountSid, sid],
      ),
    async count(accountSid) {
      await lockMaking(db, accountSid);
      const [row] = await db.query<{ count: number }>(
        "select count(*)::int as count from webhook_subscriptions where account_sid = $1 and not is_callback",
        [accountSid],
      );
      return row?.count ?? 0;
    },
    list: ({ accountSid, enabled }, page) =>
      fetchPage(db, page, {
        of: SHOWN,
        where: { account_sid: accountSid },
        filter: { enabled, is_callback: false },
        key: ["sid"],
      }),
    twilioOf: (accountSid, numbers) =>
      db.query<Subscription>(
        `select ${SHOWN.columns} from ${SHOWN.from}
          where account_sid = $1 and phone = any ($2::text[]) and payload_shape = 'Twilio' and cardinality(types) = 1
            and not is_callback order by sid desc`,
        [accountSid, numbers],
      ),
    async change(accountSid, sid, { bearer, ...change }) {
      const { sets, values } = STORED.set(
        {
          ...change,
          bearer: bearer == null ? bearer : box.seal(bearer),
          ...(change.enabled === undefined ? {} : { disabledReason: null, failingSince: null }),
        },
        3,
      );
      if (sets.length === 0) return;
      await db.query(`update webhook_subscriptions set ${sets.join(", ")} where account_sid = $1 and sid = $2`, [
        accountSid,
        sid,
        ...values,
      ]);
    },
    async remove(accountSid, sid, now) {
      // Deliveries that wait for a retry would be canceled only at their retry, and shown as pending until then.
      const rows = await db.query(
        `with gone as (
           delete from webhook_subscriptions where account_sid = $1 and sid = $2 and not is_callback returning sid
         ), hurried as (
           update delivery_queue set due_at = $3, is_ready = true from gone
            where subscription_sid = gone.sid and not is_ready
         )
         select pg_notify($4, sid) from gone`,
        [accountSid, sid, now, EVENTS_STORED],
      );
      return rows.length > 0;
    },
    rotateSecret: (accountSid, sid, { secret, previousUntil, now }) =>
      hasRow(
        db,
        `update webhook_subscriptions as known ${setSecret("known", { secret: "$3", until: "$4", now: "$5" })}
          where account_sid = $1 and sid = $2 and ${mayReplaceSecret("known", "$5")} returning sid`,
        [accountSid, sid, box.seal(secret), previousUntil, now],
      ),
    async findEnabled(type, scope, exceptSid) {
      // Two transactions cannot create or enable a subscription of this type at the same time.
      await lockMaking(db, scope.accountSid);
      const [row] = await db.query<{ sid: string }>(
        `select sid from webhook_subscriptions where account_sid = $1 and $2 = any (types) and enabled
            and messaging_config_sid is not distinct from $3 and phone is not distinct from $4
            and sid is distinct from $5 limit 1`,
        [scope.accountSid, type, scope.messagingConfigSid, scope.phone, exceptSid ?? null],
      );
      return row?.sid;
    },
  };
}

/** When the oldest present secret of the account's enabled subscriptions was created; null when there is none. */
export async function oldestSecretOf(db: Queryable, accountSid: string): Promise<Date | null> {
  const [row] = await db.query<{ oldest: Date | null }>(
    "select min(secret_created_at) as oldest from webhook_subscriptions where account_sid = $1 and enabled",
    [accountSid],
  );
  return row?.oldest ?? null;
}
