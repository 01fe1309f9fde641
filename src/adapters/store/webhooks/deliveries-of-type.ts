// Deliveries of one type are found by their events, which have an index by type, piece by piece until the page is full.
// What else narrows the list (an account, a subscription, a status) has indexes of deliveries: each piece begins at the
// next delivery of those, and has the next events of the type from there. So the work is bounded by the smaller of
// both, however many other events the account has, and however many of the type went to no subscription.

import { timeOfSid } from "../../../base/ids.ts";
import type { PageRequest } from "../../../base/page.ts";
import type { EventType } from "../../../domain/events.ts";
import type { Queryable } from "../engine/database.ts";
import { conditionsOf } from "../engine/pages.ts";
import { BATCH_MAX } from "./event-batches.ts";

type Conditions = Readonly<Record<string, unknown>>;

export interface TypeOrder {
  readonly accountSid: string;
  readonly type: EventType;
  /** Conditions on `batch` alone. */
  readonly batches: Conditions;
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

interface Piece {
  readonly sids: readonly string[] | null;
  /** Null: there are no further events. As text, which is exact. */
  readonly from: string | null;
  readonly to: string | null;
}

/** Conditions that all deliveries of the type meet, piece by piece in the order of the page. */
export async function* piecesOfType(
  db: Queryable,
  order: TypeOrder,
  page: Pick<PageRequest, "after" | "direction">,
): AsyncGenerator<Conditions> {
  const isDown = page.direction === "Descending";
  const ends = endsOf(order, page.after, isDown);
  const values: unknown[] = [order.accountSid, order.type];
  const batches = conditionsOf({ "batch.account_sid": order.accountSid, ...order.batches }, values);
  const statement = nextPiece(batches, isDown, values.length);
  for (let count = EVENTS_AT_FIRST; ; count = Math.min(count * GROWTH, EVENTS_MAX)) {
    const [piece] = await db.query<Piece>(statement, [...values, ...ends, count]);
    const last = isDown ? piece?.from : piece?.to;
    if (!piece || !last) return;
    ends[isDown ? 1 : 0] = last;
    if (piece.sids) {
      yield { "batch.sid": piece.sids, "batch.created_at >=": piece.from, "batch.created_at <=": piece.to };
    }
  }
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
function nextPiece(batches: readonly string[], isDown: boolean, valueCount: number): string {
  const [after, before, count] = [1, 2, 3].map((at) => `$${valueCount + at}`);
  const [order, reaches] = isDown ? ["desc", "<="] : ["asc", ">="];
  const span = `created_at > ${after}::timestamptz and created_at < ${before}::timestamptz`;
  const sidAt = (time: string) =>
    `'WH' || lpad(to_hex((extract(epoch from ${time}::timestamptz) * 1000)::bigint), 12, '0')`;
  return `
select array_agg(distinct batch.sid) filter (where batch.sid is not null) as sids,
       min(event.created_at)::text as from, max(event.created_at)::text as to
  from (
    select id, account_sid, created_at from events
     where account_sid = $1 and type = $2 and ${span}
       and created_at ${reaches} (
         select created_at from deliveries as batch
          where ${batches.join(" and ")} and ${span}
            and sid >= ${sidAt(`${after}`)} and sid < ${sidAt(`${before}`)} || 'g'
          order by sid ${order} limit 1)
     order by created_at ${order} fetch first ${count} rows with ties) as event
  left join lateral (
    select sid from deliveries as batch
     where event_id between event.id - ${BATCH_MAX - 1} and event.id and created_at = event.created_at
       and account_sid = event.account_sid offset 0) as batch on true`;
}
