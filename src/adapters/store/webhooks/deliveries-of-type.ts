// Deliveries of one type are found by their events, which have an index by type, piece by piece until the page is full.
// What else narrows the list (an account, a subscription, a status) has indexes of deliveries: each piece begins at the
// next delivery of those, and has the next events of the type from there. So the work is bounded by the smaller of
// both, however many other events the account has, and however many of the type went to no subscription. A list ends
// when it has looked at as many events as a page may.

import { firstSidAt, timeOfSid } from "../../../base/ids.ts";
import type { PageRequest } from "../../../base/page.ts";
import type { EventType } from "../../../domain/events.ts";
import type { Queryable } from "../engine/database.ts";
import { type Conditions, conditionsOf, type Piece, READ_MAX } from "../engine/pages.ts";
import { cutoff } from "../engine/sweeps.ts";
import { placedOf } from "./batch-sids.ts";
import { BATCH_MAX } from "./event-batches.ts";

export interface TypeOrder {
  readonly accountSid: string;
  readonly type: EventType;
  /** What an index of deliveries, known as `batch`, has in their order. */
  readonly source: Conditions;
  /** Further conditions on `batch` alone. */
  readonly filter: Conditions;
  /** The list has nothing before and after. */
  readonly from: Date | undefined;
  readonly to: Date | undefined;
}

const EVENTS_AT_FIRST = 64;
const EVENTS_MAX = 4_096;
const GROWTH = 4;
const [OLDEST, NEWEST] = [new Date(0), new Date(Date.UTC(9999, 0))];
/** The time in a sid is that of the event, rounded. */
const SLACK_MS = 1000;

interface Found {
  readonly sids: readonly string[] | null;
  /** Null: there are no further events. As text, which is exact. */
  readonly from: string | null;
  readonly to: string | null;
}

/**
 * Conditions that all deliveries of the type meet, piece by piece in the order of the page. `readMax`: of so many
 * events.
 */
export async function* piecesOfType(
  db: Queryable,
  order: TypeOrder,
  page: Pick<PageRequest, "after" | "direction" | "readMax">,
  reads: "all" | "page" = "page",
): AsyncGenerator<Piece> {
  const isDown = page.direction === "Descending";
  const ends = endsOf(order, page.after, isDown);
  const values: unknown[] = [order.accountSid, order.type];
  const source = conditionsOf(order.source, values);
  const filter = conditionsOf(order.filter, values);
  const { readMax = READ_MAX } = page;
  const statement = nextPiece(source, filter, isDown, values.length);
  let read = 0;
  for (let count = EVENTS_AT_FIRST; ; count = Math.min(count * GROWTH, EVENTS_MAX)) {
    const [piece] = await db.query<Found>(statement, [...values, ...ends, count, readMax]);
    const last = isDown ? piece?.from : piece?.to;
    if (!piece || !last) return;
    ends[isDown ? 1 : 0] = last;
    if (piece.sids) {
      yield { where: { "batch.sid": piece.sids, "batch.created_at >=": piece.from, "batch.created_at <=": piece.to } };
    }
    read += count;
    const end = reads === "page" && read >= readMax ? endAfter(last, page.after, isDown) : undefined;
    if (end !== undefined) {
      yield { end };
      return;
    }
  }
}

/** The place in the list of which everything before was looked at; undefined if that is none after where it began. */
function endAfter(last: string, after: string | undefined, isDown: boolean): string | undefined {
  const sid = firstSidAt("WH", new Date(Date.parse(last) + (isDown ? SLACK_MS : -SLACK_MS))).padEnd(34, "0");
  const begun = after === undefined ? undefined : placedOf(after)?.batchSid;
  const isFurther = begun === undefined || (isDown ? sid < begun : sid > begun);
  return isFurther ? `${sid}-0` : undefined;
}

/** The sids of deliveries of this span, which an index has. */
export function sidsBetween(from: Date | undefined, to: Date | undefined) {
  return {
    "batch.sid >=": from && firstSidAt("WH", cutoff(from, SLACK_MS)),
    "batch.sid <": to && firstSidAt("WH", cutoff(to, -SLACK_MS)),
  };
}

/** Exclusive. */
function endsOf({ from, to }: TypeOrder, after: string | undefined, isDown: boolean): [unknown, unknown] {
  const ms = after === undefined ? Number.NaN : timeOfSid(after);
  const start = ms < NEWEST.getTime() ? new Date(ms) : undefined;
  const [first, last] = isDown ? [from, start ?? to] : [start ?? from, to];
  return [
    new Date(Math.max(0, (first ?? OLDEST).getTime() - SLACK_MS)),
    new Date((last ?? NEWEST).getTime() + SLACK_MS),
  ];
}

/** SQL: the events of the type that are next, with all that have the time of the last, and their batches. */
function nextPiece(source: readonly string[], filter: readonly string[], isDown: boolean, valueCount: number): string {
  const [after, before, count, readMax] = [1, 2, 3, 4].map((at) => `$${valueCount + at}`);
  const [order, reaches] = isDown ? ["desc", "<="] : ["asc", ">="];
  const span = `created_at > ${after}::timestamptz and created_at < ${before}::timestamptz`;
  const sidAt = (time: string) =>
    `'WH' || lpad(to_hex((extract(epoch from ${time}::timestamptz) * 1000)::bigint), 12, '0')`;
  const next = (selected: string) => `select ${selected} from deliveries as batch
          where ${source.join(" and ")} and ${span}
            and sid >= ${sidAt(`${after}`)} and sid < ${sidAt(`${before}`)} || 'g'
          order by sid ${order}`;
  // Where none of those that are looked at is one, the piece begins at the last of them.
  return `
select array_agg(distinct batch.sid) filter (where batch.sid is not null) as sids,
       min(event.created_at)::text as from, max(event.created_at)::text as to
  from (
    select id, account_sid, created_at from events
     where account_sid = $1 and type = $2 and ${span}
       and created_at ${reaches} coalesce(
         (select created_at from (${next("*")} limit ${readMax}) as batch
           where ${["true", ...filter].join(" and ")} order by sid ${order} limit 1),
         (${next("created_at")} offset ${readMax} - 1 limit 1))
     order by created_at ${order} fetch first ${count} rows with ties) as event
  left join lateral (
    select sid from deliveries as batch
     where event_id between event.id - ${BATCH_MAX - 1} and event.id and created_at = event.created_at
       and account_sid = event.account_sid offset 0) as batch on true`;
}
