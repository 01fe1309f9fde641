// Messages that wait for their number to become active. Once released, they are due immediately or at their scheduled
// time, under the config and campaign that the number has now. When the number is removed, they fail.

import { MESSAGE_MOVES, WAITING_REASONS } from "../../../domain/messaging/index.ts";
import type { HeldMessages } from "../../../domain/numbers/index.ts";
import { MESSAGES_QUEUED } from "../engine/channels.ts";
import type { Queryable } from "../engine/database.ts";
import { named } from "../engine/named-statements.ts";
import { run } from "../engine/statements.ts";
import { mayMove, moveMessages, soleSource, TOLD } from "./message-changes.ts";

/** `$1` is the current time, `$2` the channel; `which` narrows the queue. */
const release = (which: string) => `
with released as (
  update outbound_queue as queue set due_at = greatest($1::timestamptz, message.send_at), is_ready = coalesce(message.send_at <= $1, true)
    from outbound_messages as message, phones as phone
   where queue.due_at = 'infinity' and message.account_sid = queue.account_sid and message.sid = queue.sid
     and phone.number = queue.from_number and phone.account_sid = queue.account_sid and phone.status = 'Active' ${which}
  returning queue.account_sid, queue.sid, phone.messaging_config_sid
), belong as (
  update outbound_messages as message
     set status_reason = case when message.send_at > $1 then '${WAITING_REASONS.scheduled}' end, messaging_config_sid = released.messaging_config_sid,
         tcr_campaign_id = (select tcr_campaign_id from messaging_configs where sid = released.messaging_config_sid)
    from released where message.account_sid = released.account_sid and message.sid = released.sid
)
select pg_notify($2, '') from released limit 1`;

const RELEASE = release("and queue.from_number = any($3) and queue.account_sid = $4");
const RELEASE_MISSED = named("release-missed", release(""));

/** `$1` is the current time; `which` narrows the queue. */
const fail = (which: string) => `
with ended as (
  delete from outbound_queue as queue
   where due_at = 'infinity' ${which} and not exists (
     select from phones where number = queue.from_number and account_sid = queue.account_sid and status <> 'Removed')
  returning account_sid, sid
), ${moveMessages(
  `update outbound_messages as message
   set status = '${MESSAGE_MOVES.Queued.refused}', status_reason = 'Its sender was removed while it waited', error_code = 4,
       error_description = 'The sender is not active.', ${TOLD}
  from ended where message.account_sid = ended.account_sid and message.sid = ended.sid and ${mayMove(["refused"])}`,
  soleSource(["refused"]),
  "$1::timestamptz",
)}`;

const FAIL = fail("and from_number = any($2) and account_sid = $3");
const FAIL_MISSED = named("fail-missed", fail(""));

/**
 * Releases or fails messages that were accepted while their number was becoming active or being removed, and so were
 * missed when the others were.
 */
export async function settleMissed(db: Queryable, now: Date): Promise<void> {
  await db.query(RELEASE_MISSED, [now, MESSAGES_QUEUED]);
  await db.query(FAIL_MISSED, [now]);
}

export function heldMessages(db: Queryable): HeldMessages {
  return {
    release: (accountSid, numbers, now) => run(db, RELEASE, [now, MESSAGES_QUEUED, numbers, accountSid]),
    fail: (accountSid, numbers, now) => run(db, FAIL, [now, numbers, accountSid]),
  };
}
