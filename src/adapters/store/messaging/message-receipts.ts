// Carriers' receipts: matched by the carrier's id of a message and its recipient, many in one transaction. A receipt
// may come before the answer that contains the id; it is stored and matched again after answers have been stored. A
// repeated receipt changes nothing. A late answer gives a message of unknown outcome its id: from then on its receipts
// match. Where no answer came, a receipt is compared with the messages of unknown outcome (lost-messages.ts), with
// growing pauses.

import {
  type CarrierReceipt,
  groupMemberId,
  MESSAGE_MOVES,
  RECIPIENTS_MAX,
  type SettledMessage,
  verdictOf,
} from "../../../domain/messaging/index.ts";
import type { Database, Queryable } from "../engine/database.ts";
import { type Gatherer, gather } from "../engine/gather.ts";
import { jsonText } from "../engine/json-text.ts";
import { cutoff, sweep } from "../engine/sweeps.ts";
import { findLost, type LinksOf, type LostMessage } from "./lost-messages.ts";
import { IS_OF_UNKNOWN_OUTCOME, mayMove, moveMessages } from "./message-changes.ts";
import { writeSteps } from "./send-queue.ts";

type Match = Pick<LostMessage, "place" | "account_sid" | "sid"> & Partial<LostMessage>;

interface Judged {
  readonly receipt: CarrierReceipt;
  readonly verdict: ReturnType<typeof verdictOf>;
}

// Carriers write prefixes of numbers in many ways, so the last digits are compared.
const DIGITS = 7;
const LAST_DIGITS = new RegExp(`\\d{${DIGITS}}$`);
const digitsOf = (number: string | undefined) => LAST_DIGITS.exec(number ?? "")?.[0] ?? null;

/** SQL: the message is one to the recipient of the receipt. Some carriers do not swap the numbers in a receipt. */
const isTo = (awaited: string, recipient: string, sender: string) => `
  (${recipient} is null or (
     select right(to_number, ${DIGITS}) from outbound_messages where account_sid = ${awaited}.account_sid and sid = ${awaited}.sid
   ) in (${recipient}, ${sender}))`;

// A carrier that uses an id twice means the newest message to the recipient.
//
// Written so that rows are looked up by key, whatever the planner assumes of the tables' sizes; likewise below.
const MATCH = `
delete from awaited_receipts as awaited
 using unnest($1::text[], $2::text[], $3::text[], $4::text[])
    with ordinality as given (carrier, carrier_id, recipient, sender, place) cross join lateral (
   select ctid from awaited_receipts as named where carrier = given.carrier and carrier_id = given.carrier_id
      and ${isTo("named", "given.recipient", "given.sender")}
    order by sent_at desc, sid desc limit 1 for update) as found
 where awaited.ctid = found.ctid
returning given.place::int, awaited.account_sid, awaited.sid`;

const { delivered, undelivered } = MESSAGE_MOVES.Sent;

// A message is delivered when every part is, and failed with the first part that is not. A message of unknown outcome
// may turn out to have arrived. The row is found by its key and not by its ctid: when the receipts of two parts are
// applied at once, the second finds the row version that the first wrote.
const APPLY = `
with given as (
  select * from json_to_recordset($1) as given (account_sid text, sid text, delivered smallint, failed boolean, error_code integer,
    error_description text, reason text, parts smallint)
), before as materialized (
  select given.*, message.status as previous, message.is_whole and not given.failed as is_delivered,
         case when given.failed then '${undelivered}' when message.is_whole then '${delivered}' else message.status end as next
    from given cross join lateral (
      select status, parts_delivered + given.delivered >= greatest(coalesce(cardinality(carrier_ids), 1), given.parts) as is_whole
        from outbound_messages
       where account_sid = given.account_sid and sid = given.sid
         and ${mayMove(["delivered", "undelivered"])}
         for update) as message
), ${moveMessages(
  `update outbound_messages as message
   set parts_delivered = message.parts_delivered + before.delivered,
       events_told = message.events_told + (before.next <> before.previous)::int,
       status = before.next,
       status_reason = case when before.failed then before.reason when before.is_delivered then null else message.status_reason end,
       error_code = case when before.failed then before.error_code when before.is_delivered then 0 else message.error_code end,
       error_description = case when before.failed then before.error_description when before.is_delivered then null else message.error_description end,
       delivered_at = case when before.is_delivered then greatest($2, message.sent_at) else message.delivered_at end
  from before
 where message.account_sid = before.account_sid and message.sid = before.sid`,
  "before.previous",
  "$2::timestamptz",
)}`;

const KEEP = `
insert into early_receipts (carrier, carrier_id, receipt, received_at, compare_at)
select given.*, received_at + interval '1 second'
  from unnest($1::text[], $2::text[], $3::json[], $4::timestamptz[]) as given (carrier, carrier_id, receipt, received_at)`;

const earlyDigits = (number: "from" | "to") =>
  `substring(early_receipts.receipt #>> '{about,${number}}' from '${LAST_DIGITS.source}')`;

const NOW_KNOWN = `
delete from early_receipts using awaited_receipts as awaited
 where awaited.carrier = early_receipts.carrier and awaited.carrier_id = early_receipts.carrier_id
   and ${isTo("awaited", earlyDigits("to"), earlyDigits("from"))}
returning early_receipts.receipt`;

// The pause before the next comparison doubles each time: the message may be of known outcome until its answer is
// overdue.
const TO_COMPARE = `
update early_receipts set compared = compared + 1, compare_at = $1 + 2 ^ compared * interval '1 second'
 where ctid = any (array(
   select ctid from early_receipts where compare_at <= $1 order by compare_at limit $2 for update skip locked))
returning receipt`;

// The receipts of a long message come one by one; the ids show which have been counted.
const NAME_LOST = `
update outbound_messages as message set carrier_ids = coalesce(message.carrier_ids, '{}') || given.carrier_ids
  from (select account_sid, sid, array_agg(carrier_id) as carrier_ids
          from unnest($1::text[], $2::text[], $3::text[]) as named (account_sid, sid, carrier_id) group by 1, 2) as given
 where message.account_sid = given.account_sid and message.sid = given.sid`;

const FORGET = `
delete from early_receipts using unnest($1::text[], $2::text[]) as given (carrier, carrier_id)
 where early_receipts.carrier = given.carrier and early_receipts.carrier_id = given.carrier_id`;

// An id that is known already has its receipts awaited, or had them.
const NAME_LATE = `
with known as (
  select account_sid, sid, carrier_ids from outbound_messages
   where account_sid = $1 and sid = $2 and ${IS_OF_UNKNOWN_OUTCOME} for update
), named as (
  update outbound_messages as message set carrier_ids = $4, sent_at = $6
    from known where message.account_sid = known.account_sid and message.sid = known.sid
)
insert into awaited_receipts (carrier, carrier_id, account_sid, sid, link, sent_at)
select $3, carrier_id, account_sid, sid, $5, $6 from known, unnest($4::text[]) as carrier_id
 where carrier_id <> all (coalesce(known.carrier_ids, '{}'))
on conflict do nothing`;

const EARLY_KEPT_MS = 3_600_000;
const AWAITED_KEPT_MS = 7 * 24 * 3_600_000;
/** A receipt usually comes within seconds, and sooner than this unless it was lost. */
const UNCONFIRMED_MS = 3_600_000;
const COMPARED_AT_ONCE = 500;

export class StoredReceipts {
  readonly #db: Database;
  readonly #linksOf: LinksOf;
  readonly #receipts: Gatherer<CarrierReceipt, void>;
  /** Some receipts came early and have to be matched again. */
  #haveEarly = true;

  constructor(db: Database, linksOf: LinksOf = () => []) {
    this.#db = db;
    this.#linksOf = linksOf;
    this.#receipts = gather(async (receipts) => {
      const now = new Date(Math.max(...receipts.map(({ receivedOn }) => receivedOn.getTime())));
      await db.transaction((unit) => this.#apply(unit, receipts, true, now));
      return receipts.map(() => undefined);
    });
  }

  /** Resolves when the receipt is stored. */
  take(receipt: CarrierReceipt): Promise<void> {
    return this.#receipts.ask(receipt);
  }

  /** Stores an answer of a carrier that came after its timeout. */
  async noteLate({ message: { accountSid, sid }, link, outcome, at }: SettledMessage): Promise<void> {
    await this.#db.transaction(async (unit) => {
      if (outcome.kind === "accepted")
        await unit.query(NAME_LATE, [accountSid, sid, link.carrier, outcome.carrierIds, link.name, at]);
      await writeSteps(unit, [{ sid, at, step: "submit", details: { link: link.name, late: true, ...outcome } }]);
    });
    this.#haveEarly = true;
  }

  /** Matches receipts that came before the answer with their message's id, or whose answer never came. */
  async applyEarly(now: Date): Promise<void> {
    if (!this.#haveEarly) return;
    this.#haveEarly = false;
    try {
      await this.#db.transaction(async (unit) => {
        await this.#apply(unit, (await unit.query<EarlyRow>(NOW_KNOWN)).map(receiptOf), false, now);
      });
      await this.#db.transaction((unit) => this.#compare(unit, now));
      const [left] = await this.#db.query("select 1 from early_receipts limit 1");
      if (left) this.#haveEarly = true;
    } catch (fault) {
      this.#haveEarly = true;
      throw fault;
    }
  }

  async #apply(unit: Queryable, receipts: readonly CarrierReceipt[], keepsUnknown: boolean, now: Date): Promise<void> {
    const judged = judge(receipts);
    if (judged.length === 0) return;
    const matches = await unit.query<Match>(
      MATCH,
      [
        judged.map(({ receipt }) => receipt.carrier),
        judged.map(({ receipt }) => receipt.carrierId),
        judged.map(({ receipt }) => digitsOf(receipt.about?.to)),
        judged.map(({ receipt }) => digitsOf(receipt.about?.from)),
      ],
      "match-receipts",
    );
    await applyMatches(unit, judged, matches, now);
    const known = new Set(matches.map(({ place }) => place - 1));
    const unknown = judged.filter((_, index) => !known.has(index)).map(({ receipt }) => receipt);
    if (keepsUnknown && unknown.length > 0) await this.#keep(unit, unknown);
  }

  async #compare(unit: Queryable, now: Date): Promise<void> {
    const early = (await unit.query<EarlyRow>(TO_COMPARE, [now, COMPARED_AT_ONCE])).map(receiptOf);
    const distinct = new Map(early.map((receipt) => [`${receipt.carrier} ${receipt.carrierId}`, receipt]));
    const judged = judge([...distinct.values()]);
    const receipts = judged.map(({ receipt }) => receipt);
    const found = await findLost(unit, receipts, this.#linksOf, now);
    if (found.length === 0) return;
    const ids = found.map(({ place }) => receipts[place - 1]?.carrierId);
    await unit.query(NAME_LOST, [found.map(({ account_sid }) => account_sid), found.map(({ sid }) => sid), ids]);
    await applyMatches(unit, judged, found, now);
    await unit.query(FORGET, [found.map(({ place }) => receipts[place - 1]?.carrier), ids]);
  }

  async #keep(unit: Queryable, receipts: readonly CarrierReceipt[]): Promise<void> {
    await unit.query(KEEP, [
      receipts.map(({ carrier }) => carrier),
      receipts.map(({ carrierId }) => carrierId),
      receipts.map((receipt) => jsonText(receipt)),
      receipts.map(({ receivedOn }) => receivedOn),
    ]);
    this.#haveEarly = true;
  }
}

interface EarlyRow {
  readonly receipt: CarrierReceipt & { readonly receivedOn: string };
}

function receiptOf({ receipt }: EarlyRow): CarrierReceipt {
  return { ...receipt, receivedOn: new Date(receipt.receivedOn) };
}

/** Those that are final. */
function judge(receipts: readonly CarrierReceipt[]): readonly Judged[] {
  return receipts
    .map((receipt) => ({ receipt, verdict: verdictOf(receipt) }))
    .filter(({ verdict }) => verdict.kind !== "underWay");
}

async function applyMatches(unit: Queryable, judged: readonly Judged[], matches: readonly Match[], now: Date) {
  const changes = new Map<string, Change>();
  for (const { place, account_sid, sid, parts } of matches) {
    const { verdict } = judged[place - 1] as Judged;
    const change = changes.get(sid) ?? { account_sid, sid, delivered: 0, failed: false, ...(parts && { parts }) };
    changes.set(sid, merge(change, verdict));
  }
  // A part of a long message changes a counter only, which makes no event.
  if (changes.size > 0) await unit.query(APPLY, [jsonText([...changes.values()]), now], "apply-receipts");
  const notable = matches.filter(({ place, parts }) => parts || judged[place - 1]?.verdict.kind === "failed");
  if (notable.length > 0) {
    const steps = notable.map(({ place, sid, parts }) => {
      const { carrierId, state, errorCode, receivedOn: at, about } = (judged[place - 1] as Judged).receipt;
      const by = parts && { matchedBy: about?.reference === null ? "sender and recipient" : "reference" };
      return { sid, at, step: "receipt", details: { carrierId, state, errorCode, ...by } };
    });
    await writeSteps(unit, steps);
  }
}

interface Change {
  readonly account_sid: string;
  readonly sid: string;
  readonly delivered: number;
  readonly failed: boolean;
  /** How many parts the message has, when its row does not say. */
  readonly parts?: number;
  readonly error_code?: number;
  readonly error_description?: string;
  readonly reason?: string;
}

function merge(change: Change, verdict: ReturnType<typeof verdictOf>): Change {
  if (verdict.kind !== "failed") return { ...change, delivered: change.delivered + 1 };
  const { failure, reason } = verdict;
  return { ...change, failed: true, error_code: failure.code, error_description: failure.description, reason };
}

/** Recipients of a message whose carrier id is made of our sid; none when it is not ours, or is settled already. */
export async function recipientsOf(db: Queryable, carrier: string, carrierId: string): Promise<readonly string[]> {
  const sid = carrierId.split("@", 1)[0];
  const members = Array.from({ length: RECIPIENTS_MAX }, (_, index) => groupMemberId(carrierId, index));
  const [row] = await db.query<{ recipients: string[] }>(
    `with known as (
       select account_sid from outbound_queue where sid = $1
       union all
       (select account_sid from awaited_receipts where carrier = $2 and carrier_id = any($3) and sid = $1 limit 1)
     )
     select coalesce(recipients, array[to_number]) as recipients from outbound_messages
      where sid = $1 and account_sid = (select account_sid from known limit 1)`,
    [sid, carrier, [carrierId, ...members]],
  );
  return row?.recipients ?? [];
}

export interface UnconfirmedMessage {
  readonly link: string;
  readonly carrierId: string;
  readonly from: string;
}

/** Claims messages that a carrier took long ago without a receipt since: those to query now. */
export function claimUnconfirmed(db: Queryable, now: Date, limit: number): Promise<readonly UnconfirmedMessage[]> {
  return db.query(
    `with silent as (
       select ctid from awaited_receipts where sent_at < $1 and (asked_at is null or asked_at < $1) limit $3 for update skip locked
     ), asked as (
       update awaited_receipts set asked_at = $2 from silent where awaited_receipts.ctid = silent.ctid
       returning awaited_receipts.account_sid, awaited_receipts.sid, awaited_receipts.link, awaited_receipts.carrier_id
     )
     select asked.link, asked.carrier_id as "carrierId", message.from_number as "from"
       from asked join outbound_messages as message on message.account_sid = asked.account_sid and message.sid = asked.sid`,
    [cutoff(now, UNCONFIRMED_MS), now, limit],
  );
}

/** Deletes receipts of messages that are not ours, and ids whose receipt will not come. Returns how many rows. */
export async function sweepReceipts(db: Queryable, now: Date): Promise<number> {
  const unmatched = await sweep(db, "early_receipts", "received_at < $1", [cutoff(now, EARLY_KEPT_MS)]);
  return unmatched + (await sweep(db, "awaited_receipts", "sent_at < $1", [cutoff(now, AWAITED_KEPT_MS)]));
}
