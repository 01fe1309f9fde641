// The account's own signing secret, for callback URLs that are given with messages. It is stored as a subscription of
// the account that is not listed and gets only such callbacks.

import type { CallbackSecrets } from "../../../domain/webhooks/index.ts";
import type { SecretBox } from "../../secrets.ts";
import { newWebhookSecret } from "../../webhook-signer.ts";
import type { Queryable } from "../engine/database.ts";

const INSERT = `
insert into webhook_subscriptions as known
  (sid, account_sid, type, url, payload_shape, enabled, secret, secret_created_at, created_at, is_callback)
values ($1, $2, 'OutboundMessageStatusChanged', '', 'A', true, $3, $4, $4, true)`;

const known = new Set<string>();

/** `WS` and the rest of the account's sid. */
function callbackSid(accountSid: string): string {
  return `WS${accountSid.slice(2)}`;
}

/** Makes the secret when the account has none yet. */
export async function ensureCallbacks(db: Queryable, box: SecretBox, accountSid: string, now: Date): Promise<void> {
  if (known.has(accountSid)) return;
  await db.query(`${INSERT} on conflict (sid) do nothing`, [
    callbackSid(accountSid),
    accountSid,
    box.seal(newWebhookSecret()),
    now,
  ]);
  known.add(accountSid);
}

export function callbackSecrets(db: Queryable, box: SecretBox): CallbackSecrets {
  return {
    async rotate(accountSid, { secret, previousUntil, now }) {
      await db.query(
        `${INSERT} on conflict (sid) do update
           set previous_secret = known.secret, previous_until = $5, secret = excluded.secret, secret_created_at = excluded.secret_created_at`,
        [callbackSid(accountSid), accountSid, box.seal(secret), now, previousUntil],
      );
    },
  };
}
