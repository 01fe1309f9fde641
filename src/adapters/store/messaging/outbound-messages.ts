// Outbound messages, as accounts list, read and cancel them.

import { firstSidAt } from "../../../base/ids.ts";
import { MESSAGE_MOVES, type MessageFilters, type OutboundMessageStore } from "../../../domain/messaging/index.ts";
import type { Queryable } from "../engine/database.ts";
import { fetchPage } from "../engine/pages.ts";
import { first, hasRow } from "../engine/statements.ts";
import { cutoff } from "../engine/sweeps.ts";
import { mayMove, moveMessages, soleSource, TOLD } from "./message-changes.ts";
import { OUTBOUND, type StoredMessage, toMessage, UNHAPPY } from "./message-table.ts";
import { trailOf } from "./message-trail.ts";
import { emptyBlocks } from "./text-blocks.ts";
import { weeksOf } from "./weeks-of-list.ts";

const CANCEL = `
with waiting as (
  delete from outbound_queue where sid = $2 and account_sid = $1 returning account_sid, sid
), ${moveMessages(
  `update outbound_messages as message
   set status = '${MESSAGE_MOVES.Queued.canceled}', status_reason = 'Its sender canceled it', ${TOLD}
  from waiting where message.account_sid = waiting.account_sid and message.sid = $2 and ${mayMove(["canceled"])}`,
  soleSource(["canceled"]),
  "$3::timestamptz",
)}`;

// Group messages are found by an index without order: all group messages that include the number are read.
const SENT_TO = ["to_number = $1", "recipients @> array[$1] and to_number <> $1"];

export function outboundMessageStore(db: Queryable): OutboundMessageStore {
  const find = async (accountSid: string, sid: string) => {
    const sought = `${OUTBOUND.select} where account_sid = $1 and sid = $2`;
    const row = await first<StoredMessage>(db, sought, [accountSid, sid]);
    return row && toMessage(row);
  };
  return {
    find,
    async list(accountSid, page, filters) {
      const within = createdWithin("OM", filters);
      const { items, ...rest } = await fetchPage<StoredMessage>(db, page, {
        of: OUTBOUND,
        ...(filters.to === undefined ? {} : { either: SENT_TO, values: [filters.to] }),
        where: {
          account_sid: accountSid,
          ...within,
          from_number: filters.from,
          [UNHAPPY.has(filters.status) ? "unhappy" : "status"]: filters.status,
          error_code: filters.errorCode,
        },
        pieces: weeksOf(db, accountSid, page, within),
        key: ["sid"],
      });
      return { items: items.map(toMessage), ...rest };
    },
    async cancel(accountSid, sid, now) {
      const [row] = await db.query<{ stored: number }>(CANCEL, [accountSid, sid, now]);
      return row?.stored === 1 ? find(accountSid, sid) : undefined;
    },
    async redact(accountSid, sid) {
      await emptyBlocks(db, accountSid, { least: sid, greatest: sid });
      const isRedacted = await hasRow(
        db,
        `update outbound_messages set text = '', media_urls = null
          where account_sid = $1 and sid = $2 and status <> 'Queued' returning 1`,
        [accountSid, sid],
      );
      return isRedacted ? find(accountSid, sid) : undefined;
    },
    async remove(accountSid, sid) {
      await emptyBlocks(db, accountSid, { least: sid, greatest: sid });
      return hasRow(
        db,
        `with gone as (
           delete from outbound_messages where account_sid = $1 and sid = $2 and status <> 'Queued' returning sid
         ), steps as (
           delete from message_steps using gone where message_steps.sid = gone.sid
         ), receipts as (
           delete from awaited_receipts using gone where awaited_receipts.sid = gone.sid
         )
         select from gone`,
        [accountSid, sid],
      );
    },
    trail: (accountSid, sid) => trailOf(db, accountSid, sid),
  };
}

/**
 * The time in a sid and `createdOn` are at most this far apart, whatever the clock did. The sid of a TwiML reply has
 * the time of its delivery instead: a reply that is first sent by a late attempt or a replay is not found by times
 * after that. A span wide enough for it would make every list read days of messages for nothing.
 */
const SLACK_MS = 600_000;

/** A sid begins with the time it was made, so a span of time is a span of sids, which are found by their index. */
export function createdWithin(
  prefix: "OM" | "IM" | "CA",
  { createdFrom, createdTo }: Pick<MessageFilters, "createdFrom" | "createdTo">,
) {
  return {
    "sid >=": createdFrom && firstSidAt(prefix, cutoff(createdFrom, SLACK_MS)),
    "sid <": createdTo && firstSidAt(prefix, cutoff(createdTo, -SLACK_MS)),
    "created_at >=": createdFrom,
    "created_at <=": createdTo,
  };
}

/** The carrier's ids of the message's parts; none before the carrier accepted them. */
export async function carrierIdsOf(db: Queryable, accountSid: string, sid: string): Promise<readonly string[]> {
  const [row] = await db.query<{ ids: string[] | null }>(
    "select carrier_ids as ids from outbound_messages where account_sid = $1 and sid = $2",
    [accountSid, sid],
  );
  return row?.ids ?? [];
}
