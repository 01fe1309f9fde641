import type { HeldMessages } from "../../domain/numbers/index.ts";
import type { Queryable } from "./database.ts";
import { MESSAGES_QUEUED } from "./send-queue.ts";

/** Messages that were accepted at the very moment their number became active, and so were not released with the others. */
export async function releaseMissed(db: Queryable, now: Date): Promise<void> {
  await db.query(
    `with released as (
       update outbound_queue as queue set due_at = greatest($1::timestamptz, message.send_at)
         from phones as phone, outbound_messages as message
        where queue.due_at = 'infinity' and phone.number = queue.from_number and phone.account_sid = queue.account_sid
          and phone.status = 'Active' and message.account_sid = queue.account_sid and message.sid = queue.sid
        returning queue.sid
     )
     select pg_notify($2, '') from released limit 1`,
    [now, MESSAGES_QUEUED],
  );
}

export function heldMessages(db: Queryable): HeldMessages {
  return {
    async release(accountSid, numbers, now) {
      await db.query(
        `with released as (
           update outbound_queue as queue set due_at = greatest($3::timestamptz, message.send_at)
             from outbound_messages as message
            where queue.due_at = 'infinity' and queue.from_number = any($2) and queue.account_sid = $1
              and message.account_sid = $1 and message.sid = queue.sid
            returning queue.sid
         )
         select pg_notify($4, '') from released limit 1`,
        [accountSid, numbers, now, MESSAGES_QUEUED],
      );
    },
  };
}
