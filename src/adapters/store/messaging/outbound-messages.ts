// Outbound messages, as accounts list, read and cancel them.

import { MESSAGE_MOVES, type MessageFilters, type OutboundMessageStore } from "../../../domain/messaging/index.ts";
import { createdBetween, createdWithin } from "../engine/created-span.ts";
import type { Queryable } from "../engine/database.ts";
import { fetchPage, type Source } from "../engine/pages.ts";
import { first, hasRow } from "../engine/statements.ts";
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

/** By the account, or by what is rarer. Group messages are found by an index without order, while they are few. */
function sourcesOf(accountSid: string, { to, status }: MessageFilters): readonly Source[] {
  const own = { account_sid: accountSid };
  if (to === undefined) return [{ where: UNHAPPY.has(status) ? { ...own, unhappy: status } : own }];
  return [{ where: { to_number: to } }, { where: own, few: { "recipients @>": [to] }, filter: { "to_number <>": to } }];
}

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
      const { to, from, status, errorCode } = filters;
      const { items, ...rest } = await fetchPage<StoredMessage>(db, page, {
        of: OUTBOUND,
        sources: sourcesOf(accountSid, filters),
        where: within,
        filter: {
          account_sid: to && accountSid,
          from_number: from,
          [UNHAPPY.has(status) ? "unhappy" : "status"]: to === undefined && UNHAPPY.has(status) ? undefined : status,
          error_code: errorCode,
          ...createdBetween(filters),
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

/** The carrier's ids of the message's parts; none before the carrier accepted them. */
export async function carrierIdsOf(db: Queryable, accountSid: string, sid: string): Promise<readonly string[]> {
  const [row] = await db.query<{ ids: string[] | null }>(
    "select carrier_ids as ids from outbound_messages where account_sid = $1 and sid = $2",
    [accountSid, sid],
  );
  return row?.ids ?? [];
}
