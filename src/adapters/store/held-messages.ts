import type { HeldMessages } from "../../domain/numbers/index.ts";
import type { Queryable } from "./database.ts";
import { MESSAGES_QUEUED } from "./send-queue.ts";

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
