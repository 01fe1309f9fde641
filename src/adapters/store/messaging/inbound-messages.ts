// Received messages, as accounts list and read them.

import type { InboundMessage, InboundMessageStore } from "../../../domain/messaging/index.ts";
import { createdBetween, createdWithin } from "../engine/created-span.ts";
import type { Queryable } from "../engine/database.ts";
import { fetchPage } from "../engine/pages.ts";
import { first, hasRow } from "../engine/statements.ts";
import { INBOUND } from "./message-table.ts";
import { emptyBlocks } from "./text-blocks.ts";

export function inboundMessageStore(db: Queryable): InboundMessageStore {
  const find = (accountSid: string, sid: string) =>
    first<InboundMessage>(db, `${INBOUND.select} where account_sid = $1 and sid = $2`, [accountSid, sid]);
  return {
    find,
    async redact(accountSid, sid) {
      await emptyBlocks(db, accountSid, { least: sid, greatest: sid });
      await db.query("update inbound_messages set text = '' where account_sid = $1 and sid = $2", [accountSid, sid]);
      return find(accountSid, sid);
    },
    async remove(accountSid, sid) {
      await emptyBlocks(db, accountSid, { least: sid, greatest: sid });
      return hasRow(
        db,
        `with gone as (
           delete from inbound_messages where account_sid = $1 and sid = $2 returning media
         ), files as (
           delete from media_files using gone, json_array_elements(gone.media) as item
            where media_files.sid = item ->> 'sid' and media_files.account_sid = $1
         )
         select from gone`,
        [accountSid, sid],
      );
    },
    list: (accountSid, page, filters) =>
      fetchPage(db, page, {
        of: INBOUND,
        where: { account_sid: accountSid, from_number: filters.from, ...createdWithin("IM", filters) },
        filter: { to_number: filters.to, ...createdBetween(filters) },
        key: ["sid"],
      }),
  };
}
