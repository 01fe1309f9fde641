// The account's own signing secret, for callback URLs that are given with messages and calls, and for Twilio's shape
// where the account has no signing token. It is stored as a subscription of the account that is not listed and gets
// only such callbacks.

import type { CallbackSecrets } from "../../../domain/webhooks/index.ts";
import type { SecretBox } from "../../secrets.ts";
import { newWebhookSecret } from "../../webhook-signer.ts";
import type { Queryable } from "../engine/database.ts";
import { hasRow, run } from "../engine/statements.ts";
import { type EndpointRow, mayReplaceSecret, openSecrets, selectEndpoints, setSecret } from "./subscriptions.ts";

const INSERT = `
insert into webhook_subscriptions as known
  (sid, account_sid, types, url, payload_shape, enabled, secret, secret_created_at, created_at, is_callback)
values ($1, $2, '{OutboundMessageStatusChanged,CallStatusChangedWebhook,CallRecordingCompleted}', '', 'A', true, $3, $4, $4, true)`;

const known = new Set<string>();

/** `WS` and the rest of the account's sid. */
export function callbackSid(accountSid: string): string {
  return `WS${accountSid.slice(2)}`;
}

/** Creates the secret when the account has none yet; queries the database once for each account. */
export async function ensureCallbacks(db: Queryable, box: SecretBox, accountSid: string, now: Date): Promise<void> {
  if (known.has(accountSid)) return;
  await callbackSecrets(db, box).ensure(accountSid, now);
  known.add(accountSid);
}

export function callbackSecrets(db: Queryable, box: SecretBox): CallbackSecrets {
  return {
    ensure: (accountSid, now) =>
      run(db, `${INSERT} on conflict (sid) do nothing`, [
        callbackSid(accountSid),
        accountSid,
        box.seal(newWebhookSecret()),
        now,
      ]),
    async current(accountSid, now) {
      const [row] = await db.query<EndpointRow>(`${selectEndpoints("$2")} where sid = $1`, [
        callbackSid(accountSid),
        now,
      ]);
      return row ? openSecrets(box, row) : [];
    },
    rotate: (accountSid, { secret, previousUntil, now }) =>
      hasRow(
        db,
        `${INSERT} on conflict (sid) do update ${setSecret("known", { secret: "$3", until: "$5", now: "$4" })}
          where ${mayReplaceSecret("known", "$4")} returning sid`,
        [callbackSid(accountSid), accountSid, box.seal(secret), now, previousUntil],
      ),
  };
}
