import type { InboundMessage, InboundMessageStore, MediaRef } from "../../../domain/messaging/index.ts";
import type { Queryable } from "../engine/database.ts";
import { sidBounds } from "./outbound-messages.ts";

interface Row {
  readonly account_sid: string;
  readonly sid: string;
  readonly from_number: string;
  readonly to_number: string;
  readonly additional_recipients: string[];
  readonly text: string;
  readonly media: MediaRef[];
  readonly segment_count: number;
  readonly conversation_metadata: string | null;
  readonly created_at: Date;
}

const SELECT = `select account_sid, sid, from_number, to_number, additional_recipients, text, media, segment_count, conversation_metadata,
  created_at from inbound_messages`;

const toInbound = (row: Row): InboundMessage => ({
  sid: row.sid,
  accountSid: row.account_sid,
  from: row.from_number,
  to: row.to_number,
  additionalRecipients: row.additional_recipients,
  text: row.text,
  media: row.media,
  segmentCount: row.segment_count,
  conversationMetadata: row.conversation_metadata,
  createdOn: row.created_at,
});

export function inboundMessageStore(db: Queryable): InboundMessageStore {
  return {
    async find(accountSid, sid) {
      const [row] = await db.query<Row>(`${SELECT} where account_sid = $1 and sid = $2`, [accountSid, sid]);
      return row && toInbound(row);
    },
    async list(accountSid, page, filters) {
      const { from, before } = sidBounds("IM", filters);
      const isUp = page.direction === "Ascending";
      const rows = await db.query<Row>(
        `${SELECT} where account_sid = $1 and ($2::text is null or from_number = $2) and ($3::text is null or to_number = $3)
            and ($4::text is null or sid >= $4) and ($5::text is null or sid < $5)
            and ($6::timestamptz is null or created_at >= $6) and ($7::timestamptz is null or created_at <= $7)
            and ($8::text is null or sid ${isUp ? ">" : "<"} $8)
          order by sid ${isUp ? "asc" : "desc"} limit $9`,
        [
          accountSid,
          filters.from ?? null,
          filters.to ?? null,
          from ?? null,
          before ?? null,
          filters.createdFrom ?? null,
          filters.createdTo ?? null,
          page.after ?? null,
          page.size + 1,
        ],
      );
      const items = rows.slice(0, page.size).map(toInbound);
      const last = items.at(-1);
      return rows.length > page.size && last ? { items, next: last.sid } : { items };
    },
  };
}
