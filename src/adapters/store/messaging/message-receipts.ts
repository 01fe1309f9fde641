// Carriers' receipts: matched by the carrier's message id and the recipient, many in one statement. A receipt waits
// until the answers that this process received before it are stored, because one of them usually contains its id. It
// may also arrive before that answer; then it is stored and matched again after further answers have been stored. A
// repeated receipt changes nothing. A late answer gives a message of unknown outcome its id: from then on its receipts
// match. Where no answer came, a receipt is compared with the messages of unknown outcome (lost-messages.ts), with
// growing pauses.

import { type Clock, systemClock } from "../../../base/clock.ts";
import {
  type CarrierReceipt,
  groupMemberId,
  MESSAGE_MOVES,
  RECIPIENTS_MAX,
  type ReceiptStore,
  type SettledMessage,
  type UnconfirmedMessage,
  verdictOf,
} from "../../../domain/messaging/index.ts";
import { listText, textArray } from "../engine/array-text.ts";
import type { Condition } from "../engine/conditions.ts";
import type { Database, Queryable } from "../engine/database.ts";
import { type Gatherer, gather } from "../engine/gather.ts";
import { jsonText } from "../engine/json-text.ts";
import { MESSAGES } from "../engine/message-weeks.ts";
import { named } from "../engine/named-statements.ts";
import { cutoff, sweep } from "../engine/sweeps.ts";
import { findLost, type LinksOf } from "./lost-messages.ts";
import { IS_OF_UNKNOWN_OUTCOME, mayMove, moveMessages, toldIf } from "./message-changes.ts";
import { boundsOf, MessageWeeks, namedByWeek, type SidSpan, spanOf } from "./message-weeks.ts";
import { writeSteps } from "./send-queue.ts";

interface Judged {
  readonly receipt: CarrierReceipt;
  readonly verdict: ReturnType<typeof verdictOf>;
}

// Carriers write the prefixes of numbers in many ways, so only the last digits are compared.
const DIGITS = 7;
const LAST_DIGITS = new RegExp(`\\d{${DIGITS}}$`);
const digitsOf = (number: string | undefined) => LAST_DIGITS.exec(number ?? "")?.[0] ?? null;

/** SQL: the message's recipient is one of the receipt's two numbers. Some carriers do not swap the two. */
const isTo = (number: string, recipient: string, sender: string) =>
  `(${recipient} is null or right(${number}, ${DIGITS}) in (${recipient}, ${sender}))`;

const { delivered, undelivered } = MESSAGE_MOVES.Sent;

const [CODES, DESCRIPTIONS, REASONS, NOTED_AT, DETAILS, NOW] = ["$1", "$2", "$3", "$4", "$5", "$6::timestamptz"];
/** Between these sids are the messages. */
const [LEAST, GREATEST] = ["$7::text", "$8::text"];
const OTHERS_FROM = 9;

const NOTHING = ["{}", "{}", "{}", "{}", "{}"];

/** The parameters that describe the receipts, by their position: empty where all are delivered and none has a note. */
function verdictsOf(judged: readonly Judged[], toNote: (judged: Judged) => object | undefined): readonly string[] {
  if (judged.every((one) => one.verdict.kind === "delivered" && !toNote(one))) return NOTHING;
  const failed = judged.map(({ verdict }) => (verdict.kind === "failed" ? verdict : undefined));
  const notes = judged.map(toNote);
  return [
    listText(failed.map((verdict) => verdict?.failure.code)),
    listText(failed.map((verdict) => verdict?.failure.description)),
    listText(failed.map((verdict) => verdict?.reason)),
    listText(judged.map(({ receipt }, at) => notes[at] && receipt.receivedOn)),
    listText(notes.map((note) => note && jsonText(note))),
  ];
}

/**
 * Ends a statement `with …, known as (…)`, which selects place, account_sid, sid and previous (the status), and
 * optionally the number of the message's parts when its row does not have it. A message is delivered when every part
 * is, and failed with the first part that is not. A message of unknown outcome may turn out to have arrived.
 *
 * The row is found by its key and its new values are computed from its own: when the receipts of two parts are applied
 * at the same time, the second statement continues from the version that the first wrote.
 */
function applyMatched(messages: string, parts: string, further = ""): string {
  const isWhole = `message.parts_delivered + given.delivered >= greatest(coalesce(cardinality(message.carrier_ids), 1), given.parts)`;
  const changed = (failed: string, whole: string, before: string) =>
    `case when given.failed_by is not null then ${failed} when ${isWhole} then ${whole} else ${before} end`;
  // In one week the key suffices: planned while the week is empty, the span would seem to be the shorter way.
  const within = messages === MESSAGES ? `and message.sid between ${LEAST} and ${GREATEST}` : "";
  const status = changed(`'${undelivered}'`, `'${delivered}'`, "message.status");
  return `noted as (
  insert into message_steps (sid, at, step, details)
  select sid, (${NOTED_AT}::timestamptz[])[place], 'receipt', (${DETAILS}::json[])[place] from known
   where (${DETAILS}::json[])[place] is not null
), given as materialized (
  select account_sid, sid, min(previous) as previous, ${parts} as parts,
         count(*) filter (where (${CODES}::integer[])[place] is null)::smallint as delivered,
         min(place) filter (where (${CODES}::integer[])[place] is not null) as failed_by
    from known group by account_sid, sid
), ${moveMessages(
    `update ${messages} as message
   set parts_delivered = message.parts_delivered + given.delivered,
       ${toldIf(`${status} <> message.status`)},
       status = ${status},
       status_reason = ${changed(`(${REASONS}::text[])[given.failed_by]`, "null", "message.status_reason")},
       error_code = ${changed(`(${CODES}::integer[])[given.failed_by]`, "0", "message.error_code")},
       error_description = ${changed(`(${DESCRIPTIONS}::text[])[given.failed_by]`, "null", "message.error_description")},
       delivered_at = ${changed("message.delivered_at", `greatest(${NOW}, message.sent_at)`, "message.delivered_at")}
  from given
 where message.account_sid = given.account_sid and message.sid = given.sid ${within}
   and ${mayMove(["delivered", "undelivered"])}`,
    "given.previous",
    NOW,
    further,
  )}`;
}

// When a carrier uses an id twice, the newest message to the recipient is meant. A receipt that is given twice, or
// whose row another process takes at the same time, is matched once and otherwise unknown. Nearly always all are known:
// then `places` is null.
//
// Rows that await receipts are looked up by key, whatever the planner assumes about the tables' sizes. A receipt whose
// id some message outside the span awaits is left: `places` does not have it. `previous` is
// the status before this statement: if another receipt has set a final status meanwhile, the message is not moved.
const TAKE = namedByWeek(
  "take-receipts",
  (messages) => `
with found as materialized (
  select distinct on (given.place) given.place::int, named.ctid, named.account_sid, named.sid, message.status as previous
    from unnest($${OTHERS_FROM}::text[], $${OTHERS_FROM + 1}::text[], $${OTHERS_FROM + 2}::text[], $${OTHERS_FROM + 3}::text[])
      with ordinality as given (carrier, carrier_id, recipient, sender, place)
   cross join lateral (
      select ctid, account_sid, sid, sent_at, bool_and(sid between ${LEAST} and ${GREATEST}) over () as are_between from awaited_receipts
       where carrier = given.carrier and carrier_id = given.carrier_id) as named
    left join lateral (
      select status, to_number from ${messages} where account_sid = named.account_sid and sid = named.sid and sid between ${LEAST} and ${GREATEST} offset 0) as message on true
   where named.are_between and ${isTo("message.to_number", "given.recipient", "given.sender")}
   order by given.place, named.sent_at desc, named.sid desc
), known as (
  delete from awaited_receipts as awaited using found where awaited.ctid = found.ctid
  returning found.place, found.account_sid, found.sid, found.previous
), ${applyMatched(
    messages,
    "null::smallint",
    `,
       case when (select count(*) from known) < cardinality($${OTHERS_FROM + 1}::text[]) then array(select place from known) end as places`,
  )}`,
);

const AWAITED = `
select awaited.sid from unnest($1::text[], $2::text[]) as given (carrier, carrier_id) cross join lateral (
    select sid from awaited_receipts where carrier = given.carrier and carrier_id = given.carrier_id offset 0) as awaited`;

// These messages were of unknown outcome.
const APPLY_LOST = `
with known as (
  select *, '${undelivered}' as previous
    from unnest($${OTHERS_FROM}::text[], $${OTHERS_FROM + 1}::text[], $${OTHERS_FROM + 2}::smallint[], $${OTHERS_FROM + 3}::integer[])
      as lost (account_sid, sid, parts, place)
), ${applyMatched(MESSAGES, "max(parts)")}`;

const KEEP = `
insert into early_receipts (carrier, carrier_id, receipt, received_at, compare_at)
select given.*, received_at + interval '1 second'
  from unnest($1::text[], $2::text[], $3::json[], $4::timestamptz[]) as given (carrier, carrier_id, receipt, received_at)`;

const earlyDigits = (number: "from" | "to") =>
  `substring(early_receipts.receipt #>> '{about,${number}}' from '${LAST_DIGITS.source}')`;

// Nearly always none is: then the messages are not asked for.
const KNOWN_SPAN = named(
  "span-of-early-receipts-now-known",
  `
select min(awaited.sid) as least, max(awaited.sid) as greatest from early_receipts as early cross join lateral (
    select sid from awaited_receipts where carrier = early.carrier and carrier_id = early.carrier_id offset 0) as awaited`,
);

const NOW_KNOWN = namedByWeek(
  "early-receipts-now-known",
  (messages) => `
delete from early_receipts using awaited_receipts as awaited
 where awaited.carrier = early_receipts.carrier and awaited.carrier_id = early_receipts.carrier_id and awaited.sid between $1 and $2
   and ${isTo(
     `(select to_number from ${messages} where account_sid = awaited.account_sid and sid = awaited.sid and sid between $1 and $2)`,
     earlyDigits("to"),
     earlyDigits("from"),
   )}
returning early_receipts.receipt`,
);

// The pause before the next comparison doubles each time: the message becomes one of unknown outcome only when its
// answer is overdue.
const TO_COMPARE = `
update early_receipts set compared = compared + 1, compare_at = $1 + 2 ^ compared * interval '1 second'
 where ctid = any (array(
   select ctid from early_receipts where compare_at <= $1 order by compare_at limit $2 for update skip locked))
returning receipt`;

// The receipts of a long message arrive one by one; the ids show which have been counted.
const NAME_LOST = `
update outbound_messages as message set carrier_ids = coalesce(message.carrier_ids, '{}') || given.carrier_ids
  from (select account_sid, sid, array_agg(carrier_id) as carrier_ids
          from unnest($1::text[], $2::text[], $3::text[]) as named (account_sid, sid, carrier_id) group by 1, 2) as given
 where message.account_sid = given.account_sid and message.sid = given.sid and message.sid between $4 and $5`;

const FORGET = `
delete from early_receipts using unnest($1::text[], $2::text[]) as given (carrier, carrier_id)
 where early_receipts.carrier = given.carrier and early_receipts.carrier_id = given.carrier_id`;

// The receipts of an id that is already known are awaited, or were.
const NAME_LATE = `
with known as (
  select account_sid, sid, carrier_ids from outbound_messages
   where account_sid = $1 and sid = $2 and ${IS_OF_UNKNOWN_OUTCOME} for update
), named as (
  update outbound_messages as message set carrier_ids = $4, sent_at = $6
    from known where message.account_sid = known.account_sid and message.sid = $2
)
insert into awaited_receipts (carrier, carrier_id, account_sid, sid, link, sent_at)
select $3, carrier_id, account_sid, sid, $5, $6 from known, unnest($4::text[]) as carrier_id
 where carrier_id <> all (coalesce(known.carrier_ids, '{}'))
on conflict do nothing`;

const EARLY_KEPT_MS = 3_600_000;
/** How long a receipt is awaited. */
export const AWAITED_KEPT_MS = 7 * 24 * 3_600_000;
/** A receipt usually arrives within seconds; one that has not arrived by now was probably lost. */
const UNCONFIRMED_MS = 3_600_000;
const COMPARED_AT_ONCE = 500;
const TOGETHER_MS = 8;

interface ReceiptDeps {
  readonly linksOf: LinksOf;
  /** Resolves when the answers received so far are stored, or storing them has failed. */
  readonly answersStored: () => Promise<void> | undefined;
  readonly weeks: MessageWeeks;
  readonly clock: Pick<Clock, "after" | "now">;
}

export class StoredReceipts implements ReceiptStore {
  readonly #db: Database;
  readonly #deps: ReceiptDeps;
  /** Applies the receipt if its message is known, and returns whether it is. */
  readonly #applied: Gatherer<CarrierReceipt, boolean>;
  readonly #kept: Gatherer<CarrierReceipt, void>;
  /** How many receipts wait for the answers before them. */
  #waiting = 0;
  #pause: Promise<void> | undefined;
  #goOn: (() => void) | undefined;

  constructor(db: Database, deps: Partial<ReceiptDeps> = {}) {
    this.#db = db;
    const weeks = new MessageWeeks();
    this.#deps = { linksOf: () => [], answersStored: () => undefined, weeks, clock: systemClock, ...deps };
    this.#applied = gather(async (receipts) => {
      const unknown = new Set(await this.#apply(db, receipts, this.#deps.clock.now()));
      return receipts.map((receipt) => !unknown.has(receipt));
    });
    this.#kept = gather(async (receipts) => {
      await this.#keep(db, receipts);
      return receipts.map(() => undefined);
    });
  }

  /**
   * Resolves when the receipt is stored. An unknown receipt is stored by a second statement: if that fails and the
   * carrier repeats the receipt, the others of its batch are not applied again.
   */
  async take(receipt: CarrierReceipt): Promise<void> {
    if (!isFinal(receipt)) return;
    const stored = this.#deps.answersStored();
    if (stored) {
      this.#waiting++;
      await stored;
      this.#waiting--;
    }
    await this.#others();
    if (!(await this.#applied.ask(receipt))) await this.#kept.ask(receipt);
  }

  /**
   * Under load receipts arrive after the answers of many statements, and one statement for more of them costs less:
   * while other receipts wait for their answers, a receipt waits briefly for them.
   */
  #others(): Promise<void> | undefined {
    if (this.#waiting > 0) {
      this.#pause ??= new Promise((resolve) => {
        const cancel = this.#deps.clock.after(TOGETHER_MS, () => this.#goOn?.());
        this.#goOn = () => {
          cancel();
          this.#pause = undefined;
          this.#goOn = undefined;
          resolve();
        };
      });
    } else this.#goOn?.();
    return this.#pause;
  }

  /** Stores a carrier's answer that arrived after its timeout. */
  async noteLate({
    message: { accountSid, sid },
    link,
    outcome,
    at,
  }: Omit<SettledMessage, "leftOn" | "submit">): Promise<void> {
    await this.#db.transaction(async (unit) => {
      if (outcome.kind === "accepted")
        await unit.query(NAME_LATE, [accountSid, sid, link.carrier, outcome.carrierIds, link.name, at]);
      await writeSteps(unit, [{ sid, at, step: "submit", details: { link: link.name, late: true, ...outcome } }]);
    });
  }

  /**
   * Matches receipts that arrived before the answer with their message's id, or whose answer never arrived, whichever
   * process stored them.
   */
  async applyEarly(now: Date): Promise<void> {
    await this.#db.transaction(async (unit) => {
      const [span] = await unit.query<Partial<SidSpan>>(KNOWN_SPAN);
      if (!span?.least || !span.greatest) return;
      const { least, greatest } = span;
      const statement = NOW_KNOWN(this.#deps.weeks.tableOf({ least, greatest }));
      const known = (await unit.query<EarlyRow>(statement, [least, greatest])).map(receiptOf);
      const unknown = await this.#apply(unit, known, this.#deps.clock.now());
      if (unknown.length > 0) await this.#keep(unit, unknown);
    });
    await this.#db.transaction((unit) => this.#compare(unit, now));
  }

  claimUnconfirmed(now: Date, limit: number): Promise<readonly UnconfirmedMessage[]> {
    return this.#db.query<UnconfirmedMessage>(
      `with silent as (
         select ctid from awaited_receipts where sent_at < $1 and (asked_at is null or asked_at < $1) limit $3 for update skip locked
       ), asked as (
         update awaited_receipts set asked_at = $2 from silent where awaited_receipts.ctid = silent.ctid
         returning awaited_receipts.account_sid, awaited_receipts.sid, awaited_receipts.link, awaited_receipts.carrier_id
       )
       select asked.link, asked.carrier_id as "carrierId", message.from_number as "from"
         from asked cross join lateral (
           select from_number from outbound_messages where account_sid = asked.account_sid and sid = asked.sid offset 0) as message`,
      [cutoff(now, UNCONFIRMED_MS), now, limit],
    );
  }

  /**
   * Returns the receipts whose message is unknown. Nearly always the messages are of this week; those that are not are
   * looked for afterwards.
   */
  async #apply(db: Queryable, receipts: readonly CarrierReceipt[], now: Date): Promise<readonly CarrierReceipt[]> {
    if (receipts.length === 0) return [];
    const week = this.#deps.weeks.spanAt(now);
    const left = await this.#applyWithin(week, db, receipts, now);
    if (left.length === 0) return [];
    const awaited = await db.query<{ sid: string }>(AWAITED, [
      textArray(left.map(({ carrier }) => carrier)),
      textArray(left.map(({ carrierId }) => carrierId)),
    ]);
    const span = spanOf(awaited.map(({ sid }) => sid));
    if (awaited.length === 0 || (week.least <= span.least && span.greatest <= week.greatest)) return left;
    return this.#applyWithin(span, db, left, now);
  }

  /** Returns the receipts that match no message, or more than those of the span. */
  async #applyWithin(
    span: SidSpan,
    db: Queryable,
    receipts: readonly CarrierReceipt[],
    now: Date,
  ): Promise<readonly CarrierReceipt[]> {
    const take = TAKE(this.#deps.weeks.tableOf(span));
    const [row] = await db.query<{ readonly places: readonly number[] | null }>(take, [
      ...verdictsOf(receipts.map(judge), (one) => (one.verdict.kind === "failed" ? noteOf(one) : undefined)),
      ...[now, span.least, span.greatest],
      textArray(receipts.map(({ carrier }) => carrier)),
      textArray(receipts.map(({ carrierId }) => carrierId)),
      listText(receipts.map(({ about }) => digitsOf(about?.to))),
      listText(receipts.map(({ about }) => digitsOf(about?.from))),
    ]);
    if (!row?.places) return [];
    const known = new Set(row.places);
    return receipts.filter((_, index) => !known.has(index + 1));
  }

  async #compare(unit: Queryable, now: Date): Promise<void> {
    const early = (await unit.query<EarlyRow>(TO_COMPARE, [now, COMPARED_AT_ONCE])).map(receiptOf);
    const distinct = new Map(early.map((receipt) => [`${receipt.carrier} ${receipt.carrierId}`, receipt]));
    const receipts = [...distinct.values()];
    const found = await findLost(unit, receipts, this.#deps.linksOf, now);
    if (found.length === 0) return;
    const ids = found.map(({ place }) => receipts[place - 1]?.carrierId);
    const sids = found.map(({ sid }) => sid);
    const bounds = boundsOf(sids);
    await unit.query(NAME_LOST, [found.map(({ account_sid }) => account_sid), sids, ids, ...bounds]);
    await unit.query(APPLY_LOST, [
      ...verdictsOf(receipts.map(judge), (one) => ({
        ...noteOf(one),
        matchedBy: one.receipt.about?.reference === null ? "sender and recipient" : "reference",
      })),
      now,
      ...bounds,
      found.map(({ account_sid }) => account_sid),
      sids,
      found.map(({ parts }) => parts),
      found.map(({ place }) => place),
    ]);
    await unit.query(FORGET, [found.map(({ place }) => receipts[place - 1]?.carrier), ids]);
  }

  async #keep(db: Queryable, receipts: readonly CarrierReceipt[]): Promise<void> {
    await db.query(KEEP, [
      textArray(receipts.map(({ carrier }) => carrier)),
      textArray(receipts.map(({ carrierId }) => carrierId)),
      receipts.map((receipt) => jsonText(receipt)),
      receipts.map(({ receivedOn }) => receivedOn),
    ]);
  }
}

interface EarlyRow {
  readonly receipt: CarrierReceipt & { readonly receivedOn: string };
}

function receiptOf({ receipt }: EarlyRow): CarrierReceipt {
  return { ...receipt, receivedOn: new Date(receipt.receivedOn) };
}

function judge(receipt: CarrierReceipt): Judged {
  return { receipt, verdict: verdictOf(receipt) };
}

/** Whether the receipt reports a final outcome. Others are not stored. */
function isFinal(receipt: CarrierReceipt): boolean {
  return verdictOf(receipt).kind !== "underWay";
}

/** For the message's trail. */
function noteOf({ receipt: { carrierId, state, errorCode } }: Judged): object {
  return { carrierId, state, errorCode };
}

/** Holds when receipts wait for their message. */
export const hasEarlyReceipts: Condition = () => "(select min(compare_at) from early_receipts) is not null";

/** Recipients of a message whose carrier id is derived from our sid; none when it is not ours or already settled. */
export async function recipientsOf(db: Queryable, carrier: string, carrierId: string): Promise<readonly string[]> {
  const sid = carrierId.split("@", 1)[0];
  const members = Array.from({ length: RECIPIENTS_MAX }, (_, index) => groupMemberId(carrierId, index));
  const [row] = await db.query<{ recipients: string[] }>(
    `with known as (
       select account_sid from outbound_queue where sid = $1
       union all
       select account_sids[array_position(sids, $1)] from submits where $1 = any (sids)
       union all
       (select account_sid from awaited_receipts where carrier = $2 and carrier_id = any($3) and sid = $1 limit 1)
     )
     select coalesce(recipients, array[to_number]) as recipients from outbound_messages
      where sid = $1 and account_sid = (select account_sid from known limit 1)`,
    [sid, carrier, [carrierId, ...members]],
  );
  return row?.recipients ?? [];
}

/** Deletes receipts of messages that are not ours, and ids whose receipt is overdue. Returns how many rows. */
export async function sweepReceipts(db: Queryable, now: Date): Promise<number> {
  const unmatched = await sweep(db, "early_receipts", "received_at < $1", [cutoff(now, EARLY_KEPT_MS)]);
  return unmatched + (await sweep(db, "awaited_receipts", "sent_at < $1", [cutoff(now, AWAITED_KEPT_MS)]));
}
