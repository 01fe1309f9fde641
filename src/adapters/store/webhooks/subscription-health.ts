// The health of subscriptions. A busy one is updated at most once a second, so that its row does not become hot.

import type { SubscriptionHealth } from "../../../domain/webhooks/index.ts";
import type { Queryable } from "../engine/database.ts";

export const NOTE_SUCCESS = `update webhook_subscriptions set last_success_at = $2, failing_since = null
  where sid = any($1) and (failing_since is not null or last_success_at is null or last_success_at < $2::timestamptz - interval '1 second')`;
export const NOTE_FAILURE =
  "update webhook_subscriptions set failing_since = $2 where sid = any($1) and failing_since is null";
const SWITCH_OFF = "update webhook_subscriptions set enabled = false, disabled_reason = $2 where sid = $1 and enabled";

export function subscriptionHealth(db: Queryable): SubscriptionHealth {
  return {
    noteSuccess: async (sids, now) => void (await db.query(NOTE_SUCCESS, [sids, now])),
    noteFailure: async (sids, now) => void (await db.query(NOTE_FAILURE, [sids, now])),
    switchOff: async (sid, reason) => void (await db.query(SWITCH_OFF, [sid, reason])),
  };
}
