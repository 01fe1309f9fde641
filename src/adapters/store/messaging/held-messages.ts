// Messages that wait for their number to become active. Once released, they are due at once or at their scheduled time,
// under the config and campaign that the number has now.

import type { HeldMessages } from "../../../domain/numbers/index.ts";
import { MESSAGES_QUEUED } from "../engine/channels.ts";
import type { Queryable } from "../engine/database.ts";

/** `$1` is the moment, `$2` the channel; `which` narrows the queue. */
const release = (which: string) => `
with released as (
  update outbound_queue as queue set due_at = greatest($1::timestamptz, message.send_at)
    from outbound_messages as message, phones as phone
   where queue.due_at = 'infinity' and message.account_sid = queue.account_sid and message.sid = queue.sid
     and phone.number = queue.from_number and phone.account_sid = queue.account_sid and phone.status = 'Active' ${which}
  returning queue.account_sid, queue.sid, phone.messaging_config_sid
), belong as (
  update outbound_messages as message
     set status_reason = null, messaging_config_sid = released.messaging_config_sid,
         tcr_campaign_id = (select tcr_campaign_id from messaging_configs where sid = released.messaging_config_sid)
    from released where message.account_sid = released.account_sid and message.sid = released.sid
)
select pg_notify($2, '') from released limit 1`;

const RELEASE = release("and queue.from_number = any($3) and queue.account_sid = $4");
const RELEASE_MISSED = release("");

/** Messages that were accepted while their number was becoming active, and so were not released with the others. */
export async function releaseMissed(db: Queryable, now: Date): Promise<void> {
  await db.query(RELEASE_MISSED, [now, MESSAGES_QUEUED]);
}

export function heldMessages(db: Queryable): HeldMessages {
  return {
    async release(accountSid, numbers, now) {
      await db.query(RELEASE, [now, MESSAGES_QUEUED, numbers, accountSid]);
    },
  };
}
