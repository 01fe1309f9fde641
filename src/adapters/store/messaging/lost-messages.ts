// Finds the message of a receipt whose id is unknown: the answer with the id was lost, by a broken connection or a
// crash, and the message is of unknown outcome. Our own reference in the receipt identifies the message; without one
// the sender and the recipient do, if only one message matches. A receipt of another message, known or being sent,
// finds nothing.

import { firstSidAt } from "../../../base/ids.ts";
import { type CarrierReceipt, e164Candidates } from "../../../domain/messaging/index.ts";
import type { Queryable } from "../engine/database.ts";
import { jsonText } from "../engine/json-text.ts";
import { cutoff } from "../engine/sweeps.ts";
import { IS_OF_UNKNOWN_OUTCOME } from "./message-changes.ts";

/** The links of a carrier: a receipt may arrive over another link than the one its message was sent by. */
export type LinksOf = (carrier: string) => readonly { readonly name: string; readonly longMessages: string }[];

export interface LostMessage {
  /** The position of the receipt in the list, from 1. */
  readonly place: number;
  readonly account_sid: string;
  readonly sid: string;
  /** How many receipts there are for the whole message. */
  readonly parts: number;
}

// A message that is being sent may become one of unknown outcome, so it counts as a match.
const FIND = `
select given.place, lost.account_sid, lost.sid,
       case when lost.link = any (given.whole_links) then 1 else lost.segment_count end as parts,
       exists (
         select from outbound_messages as other
          where other.to_number = lost.to_number and other.sid > $2 and other.from_number = lost.from_number
            and (given.carrier_id = any (other.carrier_ids)
                 or other.status = 'Queued' and coalesce(right(other.sid, 4) = given.reference, true)
                    and exists (select from submits where other.sid = any (sids) and link = any (given.links)))) as may_be_other
  from json_to_recordset($1) as given (place integer, carrier_id text, senders text[], recipients text[], links text[],
         whole_links text[], reference text)
 cross join unnest(given.recipients) as recipient
 cross join lateral (
   select account_sid, sid, from_number, to_number, link, segment_count from outbound_messages
    where to_number = recipient and sid > $2 and ${IS_OF_UNKNOWN_OUTCOME} and from_number = any (given.senders)
      and link = any (given.links) and coalesce(right(sid, 4) = given.reference, true) limit 2) as lost`;

/** The same time for which receipts of other messages are awaited. */
const LOST_KEPT_MS = 7 * 24 * 3_600_000;

export async function findLost(
  db: Queryable,
  receipts: readonly CarrierReceipt[],
  linksOf: LinksOf,
  now: Date,
): Promise<readonly LostMessage[]> {
  const given = receipts.flatMap(({ carrier, carrierId, about }, index) => {
    if (!about) return [];
    const links = linksOf(carrier);
    return {
      place: index + 1,
      carrier_id: carrierId,
      senders: [about.from, ...e164Candidates(about.from)],
      recipients: [...new Set([about.to, ...e164Candidates(about.to)])],
      links: links.map(({ name }) => name),
      whole_links: links.filter(({ longMessages }) => longMessages === "payload").map(({ name }) => name),
      reference: about.reference === null ? null : about.reference.toString(16).padStart(4, "0"),
    };
  });
  if (given.length === 0) return [];
  const rows = await db.query<LostMessage & { may_be_other: boolean }>(FIND, [
    jsonText(given),
    firstSidAt("OM", cutoff(now, LOST_KEPT_MS)),
  ]);
  const fits = new Map<number, number>();
  for (const { place } of rows) fits.set(place, (fits.get(place) ?? 0) + 1);
  return rows.filter(({ place, may_be_other }) => fits.get(place) === 1 && !may_be_other);
}
