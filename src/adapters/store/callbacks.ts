// The account's own signing secret, for callback URLs that messages bring along. It is kept as one of the account's subscriptions,
// which nobody lists and which gets only such callbacks.

import type { SecretBox } from "../secrets.ts";
import { newWebhookSecret } from "../webhook-signer.ts";
import type { Queryable } from "./database.ts";

const known = new Set<string>();

/** `WS` and the rest of the account's sid. */
export function callbackSid(accountSid: string): string {
  return `WS${accountSid.slice(2)}`;
}

/** Makes the secret when the account has none yet. */
export async function ensureCallbacks(db: Queryable, box: SecretBox, accountSid: string, now: Date): Promise<void> {
  if (known.has(accountSid)) return;
  await db.query(
    `insert into webhook_subscriptions (sid, account_sid, type, url, payload_shape, enabled, secret, secret_created_at, created_at, is_callback)
     values ($1, $2, 'OutboundMessageStatusChanged', '', 'A', true, $3, $4, $4, true) on conflict (sid) do nothing`,
    [callbackSid(accountSid), accountSid, box.seal(newWebhookSecret()), now],
  );
  known.add(accountSid);
}
