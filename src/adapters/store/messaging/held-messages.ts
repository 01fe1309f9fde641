// Messages that wait for their number to become active. Once released, they are due immediately or at their scheduled
// time, under the config and campaign that the number has now. When the number is removed, they fail.

import { MESSAGE_MOVES, WAITING_REASONS } from "../../../domain/messaging/index.ts";
import type { HeldMessages } from "../../../domain/numbers/index.ts";
import { MESSAGES_QUEUED } from "../engine/channels.ts";
import type { Queryable } from "../engine/database.ts";
import { type NamedStatement, named } from "../engine/named-statements.ts";
import { run } from "../engine/statements.ts";
import { mayMove, moveMessages, soleSource, TOLD } from "./message-changes.ts";
import type { SidSpan } from "./message-weeks.ts";

// The sids between which the messages are come first: so that only their weeks are looked at.
const heldSpan = (which: string) =>
  `select min(sid) as least, max(sid) as greatest from outbound_queue as queue where due_at = 'infinity' ${which}`;

/** `$1` is the current time, `$2` and `$3` are the span, `$4` the channel; `which` narrows the queue. */
const release = (which: string) => `
with released as (
  update outbound_queue as queue set due_at = greatest($1::timestamptz, message.send_at), is_ready = coalesce(message.send_at <= $1, true)
    from outbound_messages as message, phones as phone
   where queue.due_at = 'infinity' and queue.sid between $2 and $3
     and message.account_sid = queue.account_sid and message.sid = queue.sid and message.sid between $2 and $3
     and phone.number = queue.from_number and phone.account_sid = queue.account_sid and phone.status = 'Active' ${which}
  returning queue.account_sid, queue.sid, phone.messaging_config_sid
), belong as (
  update outbound_messages as message
     set status_reason = case when message.send_at > $1 then '${WAITING_REASONS.scheduled}' end, messaging_config_sid = released.messaging_config_sid,
         tcr_campaign_id = (select tcr_campaign_id from messaging_configs where sid = released.messaging_config_sid)
    from released where message.account_sid = released.account_sid and message.sid = released.sid and message.sid between $2 and $3
)
select pg_notify($4, '') from released limit 1`;

const HELD_OF = heldSpan("and from_number = any($1) and account_sid = $2");
const HELD = named("held-messages", heldSpan(""));
const RELEASE = release("and queue.from_number = any($5) and queue.account_sid = $6");
const RELEASE_MISSED = release("");

/** `$1` is the current time, `$2` and `$3` are the span; `which` narrows the queue. */
const fail = (which: string) => `
with ended as (
  delete from outbound_queue as queue
   where due_at = 'infinity' and sid between $2 and $3 ${which} and not exists (
     select from phones where number = queue.from_number and account_sid = queue.account_sid and status <> 'Removed')
  returning account_sid, sid
), ${moveMessages(
  `update outbound_messages as message
   set status = '${MESSAGE_MOVES.Queued.refused}', status_reason = 'Its sender was removed while it waited', error_code = 4,
       error_description = 'The sender is not active.', ${TOLD}
  from ended where message.account_sid = ended.account_sid and message.sid = ended.sid and message.sid between $2 and $3
   and ${mayMove(["refused"])}`,
  soleSource(["refused"]),
  "$1::timestamptz",
)}`;

const FAIL = fail("and from_number = any($4) and account_sid = $5");
const FAIL_MISSED = fail("");

/**
 * Releases or fails messages that were accepted while their number was becoming active or being removed, and so were
 * missed when the others were.
 */
export async function settleMissed(db: Queryable, now: Date): Promise<void> {
  await within(db, HELD, [], ({ least, greatest }) => run(db, RELEASE_MISSED, [now, least, greatest, MESSAGES_QUEUED]));
  await within(db, HELD, [], ({ least, greatest }) => run(db, FAIL_MISSED, [now, least, greatest]));
}

export function heldMessages(db: Queryable): HeldMessages {
  return {
    release: (accountSid, numbers, now) =>
      within(db, HELD_OF, [numbers, accountSid], ({ least, greatest }) =>
        run(db, RELEASE, [now, least, greatest, MESSAGES_QUEUED, numbers, accountSid]),
      ),
    fail: (accountSid, numbers, now) =>
      within(db, HELD_OF, [numbers, accountSid], ({ least, greatest }) =>
        run(db, FAIL, [now, least, greatest, numbers, accountSid]),
      ),
  };
}

/** Passes the span of the messages that are held; what is held from now on is found as missed. */
async function within(
  db: Queryable,
  held: string | NamedStatement,
  values: readonly unknown[],
  settle: (span: SidSpan) => Promise<void>,
): Promise<void> {
  const [span] = await db.query<{ least: string | null; greatest: string | null }>(held, values);
  if (span?.least && span.greatest) await settle({ least: span.least, greatest: span.greatest });
}
