// Deletes what accounts do not keep any longer (`messageDays`, `callDays`, `eventDays`).
//
// Guarantees: nothing is deleted that is not finished, however old it is: a message that waits, is being sent or may
// still get its receipt; a call under way or whose recording has no file yet; a conference under way; an event that is
// still to be delivered. A turn deletes a bounded number of rows of one account in one transaction, so a crash undoes
// it or has it done, and an account with much to delete delays no other. One process at a time deletes. Waits for no
// row that is in use: what is locked is left for the next pass. Tells of nothing: no events. The files of recordings
// follow by themselves (`voice/stored-segments.ts`).
//
// A pass goes over an account's old records from the oldest on, by position, so that what has to stay is not read again
// and again. The next one begins an hour after it has ended.

import { firstSidAt } from "../../base/ids.ts";
import type { Retention } from "../../domain/accounts/index.ts";
import { endTurns, type RetentionTurn, setNextTurn, takeTurn } from "./accounts/retention-turns.ts";
import type { Database, Queryable } from "./engine/database.ts";
import { cutoff } from "./engine/sweeps.ts";
import { mondayOf } from "./engine/weeks.ts";
import { IS_OF_UNKNOWN_OUTCOME } from "./messaging/message-changes.ts";
import { AWAITED_KEPT_MS } from "./messaging/message-receipts.ts";
import { spanOf } from "./messaging/message-weeks.ts";
import { emptyBlocks } from "./messaging/text-blocks.ts";
import { hasEnded } from "./voice/conferences.ts";
import { isOver } from "./voice/stored-segments.ts";
import { BATCH_MAX } from "./webhooks/event-batches.ts";

const DAY_MS = 24 * 3_600_000;
const PASS_MS = 3_600_000;
const TURNS_MAX = 20;
const ROWS_MAX = 500;
/** A call brings its legs, steps and SIP messages along, a row of events up to 256 of them. */
const LARGE_ROWS_MAX = 100;

export type DeletedCounts = Readonly<Record<"messages" | "calls" | "events" | "requests", number>>;

interface Looking {
  readonly accountSid: string;
  /** What is older is deleted. */
  readonly before: Date;
  /** Where the last look ended; empty at the beginning. */
  readonly after: readonly string[];
  readonly now: Date;
}

interface Looked {
  readonly deleted: number;
  /** Where the next look begins; undefined when this was the last one. */
  readonly next: readonly string[] | undefined;
}

interface RecordKind {
  readonly name: string;
  readonly counted: keyof DeletedCounts;
  readonly kept: keyof Retention;
  readonly deleteSome: (unit: Queryable, looking: Looking) => Promise<Looked>;
}

const KINDS: readonly RecordKind[] = [
  { name: "outbound", counted: "messages", kept: "messageDays", deleteSome: deleteOutbound },
  { name: "inbound", counted: "messages", kept: "messageDays", deleteSome: deleteInbound },
  { name: "calls", counted: "calls", kept: "callDays", deleteSome: deleteCalls },
  { name: "conferences", counted: "calls", kept: "callDays", deleteSome: deleteConferences },
  { name: "deliveries", counted: "events", kept: "eventDays", deleteSome: deleteDeliveries },
  { name: "events", counted: "events", kept: "eventDays", deleteSome: deleteEvents },
  { name: "requests", counted: "requests", kept: "eventDays", deleteSome: deleteRequests },
];

const NOTHING: DeletedCounts = { messages: 0, calls: 0, events: 0, requests: 0 };

/** Gives some of the accounts that are due a turn. An account that fails waits for the next pass. */
export async function deleteOldRecords(
  db: Database,
  now: () => Date,
): Promise<{ readonly counts: DeletedCounts; readonly failure: string | undefined }> {
  const served: string[] = [];
  let counts = NOTHING;
  let failure: string | undefined;
  while (served.length < TURNS_MAX) {
    let accountSid: string | undefined;
    try {
      const deleted = await db.transaction(async (unit) => {
        const turn = await takeTurn(unit, now(), served);
        accountSid = turn?.accountSid;
        return turn && deleteOf(unit, turn, now());
      });
      if (!deleted) break;
      counts = sum(counts, deleted);
    } catch (fault) {
      if (accountSid === undefined) throw fault;
      failure ??= `${accountSid}: ${(fault as Error).message}`;
      await setNextTurn(db, accountSid, new Date(now().getTime() + PASS_MS), {});
    }
    if (accountSid !== undefined) served.push(accountSid);
  }
  return { counts, failure };
}

async function deleteOf(
  unit: Queryable,
  { accountSid, reached, ...days }: RetentionTurn,
  now: Date,
): Promise<DeletedCounts> {
  const isFirst = Object.keys(reached).length === 0;
  const left: Record<string, readonly string[]> = {};
  let counts = NOTHING;
  for (const { name, counted, kept, deleteSome } of KINDS) {
    const after = isFirst ? [] : reached[name];
    if (days[kept] === null || after === undefined) continue;
    const before = cutoff(now, days[kept] * DAY_MS);
    const { deleted, next } = await deleteSome(unit, { accountSid, before, after, now });
    counts = sum(counts, { ...NOTHING, [counted]: deleted });
    if (next) left[name] = next;
  }
  const isDone = Object.keys(left).length === 0;
  if (days.messageDays === null && days.callDays === null && days.eventDays === null) await endTurns(unit, accountSid);
  else await setNextTurn(unit, accountSid, isDone ? new Date(now.getTime() + PASS_MS) : now, left);
  return counts;
}

function sum(some: DeletedCounts, more: DeletedCounts): DeletedCounts {
  return {
    messages: some.messages + more.messages,
    calls: some.calls + more.calls,
    events: some.events + more.events,
    requests: some.requests + more.requests,
  };
}

interface SidRow {
  readonly sid: string;
  readonly isFinished: boolean;
}

/** The finished ones among those that were looked at, and where to go on. */
function finishedOf(rows: readonly SidRow[], max: number) {
  const last = rows.at(-1);
  return {
    sids: rows.filter(({ isFinished }) => isFinished).map(({ sid }) => sid),
    next: rows.length === max && last ? [last.sid] : undefined,
  };
}

/**
 * SQL: the message is settled, and was before `$4`. Until `$5` its receipt may come, or an answer that tells
 * what became of it.
 */
const IS_SETTLED = `(status <> 'Queued' and greatest(created_at, send_at, sent_at, delivered_at) < $4
  and (status <> 'Sent' and not ${IS_OF_UNKNOWN_OUTCOME} or coalesce(sent_at, created_at) < $5))`;

async function deleteOutbound(
  unit: Queryable,
  { accountSid, before, after: [from = ""], now }: Looking,
): Promise<Looked> {
  const bounds = [before, cutoff(now, AWAITED_KEPT_MS)];
  const rows = await unit.query<SidRow>(
    `select sid, ${IS_SETTLED} as "isFinished" from outbound_messages
      where account_sid = $1 and sid > $2 and sid < $3 order by sid limit ${ROWS_MAX}`,
    [accountSid, from, firstSidAt("OM", before), ...bounds],
  );
  const { sids, next } = finishedOf(rows, ROWS_MAX);
  const [first, last] = [sids[0], sids.at(-1)];
  if (first === undefined || last === undefined) return { deleted: 0, next };
  await emptyBlocks(unit, accountSid, { least: first, greatest: last });
  const gone = await unit.query(
    // The bounds say in which weeks the messages are.
    `with old as materialized (
       select sid from outbound_messages
        where account_sid = $1 and sid >= $2 and sid <= $3 and sid = any ($6::text[]) and ${IS_SETTLED} for update skip locked
     ), gone as (
       delete from outbound_messages
        where account_sid = $1 and sid >= $2 and sid <= $3 and sid = any (array(select sid from old)) returning sid
     ), steps as (
       delete from message_steps where sid = any (array(select sid from old))
     )
     select from gone`,
    [accountSid, first, last, ...bounds, sids],
  );
  return { deleted: gone.length, next };
}

async function deleteInbound(unit: Queryable, { accountSid, before, after: [from = ""] }: Looking): Promise<Looked> {
  const rows = await unit.query<SidRow>(
    `select sid, true as "isFinished" from inbound_messages
      where account_sid = $1 and sid > $2 and sid < $3 order by sid limit ${ROWS_MAX}`,
    [accountSid, from, firstSidAt("IM", before)],
  );
  const { sids, next } = finishedOf(rows, ROWS_MAX);
  if (sids.length === 0) return { deleted: 0, next };
  await emptyBlocks(unit, accountSid, spanOf(sids));
  const gone = await unit.query(
    `with gone as (
       delete from inbound_messages where account_sid = $1 and sid = any ($2::text[]) returning media
     ), files as (
       delete from media_files where account_sid = $1
          and sid = any (array(select item ->> 'sid' from gone, json_array_elements(gone.media) as item))
     )
     select from gone`,
    [accountSid, sids],
  );
  return { deleted: gone.length, next };
}

async function deleteCalls(unit: Queryable, { accountSid, before, after: [from = ""] }: Looking): Promise<Looked> {
  const rows = await unit.query<SidRow>(
    `select sid, ${isOver("$4")} as "isFinished" from calls
      where account_sid = $1 and sid > $2 and sid < $3 order by sid limit ${LARGE_ROWS_MAX}`,
    [accountSid, from, firstSidAt("CA", before), before],
  );
  const { sids, next } = finishedOf(rows, LARGE_ROWS_MAX);
  if (sids.length === 0) return { deleted: 0, next };
  const gone = await unit.query(
    `delete from calls where sid = any (array(
       select sid from calls where account_sid = $1 and sid = any ($2::text[]) and ${isOver("$3")} for update skip locked
     )) returning 1`,
    [accountSid, sids, before],
  );
  return { deleted: gone.length, next };
}

/** They are not counted: their calls are. */
async function deleteConferences(
  unit: Queryable,
  { accountSid, before, after: [from = ""] }: Looking,
): Promise<Looked> {
  const rows = await unit.query<SidRow>(
    `select sid, ${hasEnded("$4")} as "isFinished" from conferences
      where account_sid = $1 and sid > $2 and sid < $3 order by sid limit ${ROWS_MAX}`,
    [accountSid, from, firstSidAt("CF", before), before],
  );
  const { sids, next } = finishedOf(rows, ROWS_MAX);
  if (sids.length > 0)
    await unit.query("delete from conferences where account_sid = $1 and sid = any ($2::text[])", [accountSid, sids]);
  return { deleted: 0, next };
}

/** SQL: nothing of it is still to be delivered. */
const isDelivered = (delivery: string) =>
  `not exists (select from delivery_queue where delivery_sid = ${delivery}.sid)`;

async function deleteDeliveries(unit: Queryable, { accountSid, before, after: [from = ""] }: Looking): Promise<Looked> {
  const rows = await unit.query<SidRow>(
    `select sid, ${isDelivered("deliveries")} as "isFinished" from deliveries
      where account_sid = $1 and sid > $2 and sid < $3 and created_at < $4 order by sid limit ${ROWS_MAX}`,
    [accountSid, from, firstSidAt("WH", before), before],
  );
  const { sids, next } = finishedOf(rows, ROWS_MAX);
  if (sids.length === 0) return { deleted: 0, next };
  await unit.query(
    `with gone as (
       delete from deliveries
        where account_sid = $1 and sid = any ($2::text[]) and created_at < $3 and ${isDelivered("deliveries")} returning sid
     )
     delete from attempts where delivery_sid = any (array(select sid from gone))`,
    [accountSid, sids, before],
  );
  return { deleted: 0, next };
}

interface EventRow {
  readonly id: string;
  readonly xid: string;
  readonly createdOn: Date;
  readonly isDelivered: boolean;
}

/** SQL: all deliveries of the row, which have the id of its batch, are delivered. */
const isToldOf = (event: string) => `not exists (
  select from deliveries as delivery join delivery_queue on delivery_sid = delivery.sid
   where delivery.event_id > ${event}.id - ${BATCH_MAX} and delivery.event_id <= ${event}.id and delivery.created_at = ${event}.created_at)`;

async function deleteEvents(unit: Queryable, { accountSid, before, after }: Looking): Promise<Looked> {
  const [xid = "0", id = "0"] = after;
  const weekEnd = mondayOf(before, 1);
  // In the order of readers, which is nearly that of time: later ones of the week are not looked through.
  const rows = await unit.query<EventRow>(
    `select id::text, xid::text, created_at as "createdOn", ${isToldOf("event")} as "isDelivered"
       from (select * from events where account_sid = $1 and (xid, id) > ($2::xid8, $3::bigint) and created_at < $4
              order by xid, id limit ${LARGE_ROWS_MAX}) as event`,
    [accountSid, xid, id, weekEnd],
  );
  const old = rows.filter(({ createdOn }) => createdOn < before);
  const gone = await unit.query(
    `delete from events as event
      where account_sid = $1 and id = any ($2::bigint[]) and created_at < $3 and ${isToldOf("event")} returning 1`,
    [accountSid, old.filter((row) => row.isDelivered).map((row) => row.id), before],
  );
  const last = rows.at(-1);
  const hasMore = last !== undefined && rows.length === LARGE_ROWS_MAX && old.length === rows.length;
  return { deleted: gone.length, next: hasMore ? [last.xid, last.id] : undefined };
}

async function deleteRequests(unit: Queryable, { accountSid, before }: Looking): Promise<Looked> {
  const oldest = "select id, created_at from refused_requests where account_sid = $1 order by id";
  const gone = await unit.query(
    `delete from refused_requests where id = any (array(
       select id from (${oldest} limit ${ROWS_MAX}) as oldest where created_at < $2)) returning 1`,
    [accountSid, before],
  );
  return { deleted: gone.length, next: gone.length === ROWS_MAX ? [] : undefined };
}
