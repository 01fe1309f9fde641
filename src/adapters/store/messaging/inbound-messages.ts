// Received messages, as accounts list and read them.

import type { InboundMessage, InboundMessageStore } from "../../../domain/messaging/index.ts";
import type { Queryable } from "../engine/database.ts";
import { fetchPage } from "../engine/pages.ts";
import { INBOUND } from "./message-table.ts";
import { createdWithin } from "./outbound-messages.ts";

export function inboundMessageStore(db: Queryable): InboundMessageStore {
  const find = async (accountSid: string, sid: string) => {
    const [message] = await db.query<InboundMessage>(`${INBOUND.select} where account_sid = $1 and sid = $2`, [
      accountSid,
      sid,
    ]);
    return message;
  };
  return {
    find,
    async redact(accountSid, sid) {
      await db.query("update inbound_messages set text = '' where account_sid = $1 and sid = $2", [accountSid, sid]);
      return find(accountSid, sid);
    },
    async remove(accountSid, sid) {
      const rows = await db.query(
        `with gone as (
           delete from inbound_messages where account_sid = $1 and sid = $2 returning media
         ), files as (
           delete from media_files using gone, json_array_elements(gone.media) as item
            where media_files.sid = item ->> 'sid' and media_files.account_sid = $1
         )
         select from gone`,
        [accountSid, sid],
      );
      return rows.length > 0;
    },
    list: (accountSid, page, filters) =>
      fetchPage(db, page, {
        of: INBOUND,
        where: {
          account_sid: accountSid,
          ...createdWithin("IM", filters),
          from_number: filters.from,
          to_number: filters.to,
        },
        key: ["sid"],
      }),
  };
}
