// Status changes of messages: the domain's table of moves as SQL conditions, and a change with its events as one
// statement.

import { type Moves, sourcesOf } from "../../../base/moves.ts";
import type { EventFields } from "../../../domain/events.ts";
import { FAILURES, MESSAGE_MOVES, type MessageMove, type MessageStatus } from "../../../domain/messaging/index.ts";
import { STORING_XID } from "../webhooks/event-batches.ts";
import { storeEvents } from "../webhooks/outbox.ts";

type MessageMoves = Moves<MessageStatus, MessageMove>;

/** SQL: the outcome of the message is unknown. */
export const IS_OF_UNKNOWN_OUTCOME = `(status = 'Failed' and error_code = ${FAILURES.unknownOutcome.code})`;

/** SQL: the message's status permits each of these moves. */
export function mayMove(moves: readonly MessageMove[], table: MessageMoves = MESSAGE_MOVES): string {
  const guards = sourcesOf(table, moves).map((status) =>
    status === "Failed" ? IS_OF_UNKNOWN_OUTCOME : `status = '${status}'`,
  );
  return guards.length === 0 ? "false" : `(${guards.join(" or ")})`;
}

/** SQL: the only status that permits each of these moves. */
export function soleSource(moves: readonly MessageMove[], table: MessageMoves = MESSAGE_MOVES): string {
  const [source, ...others] = sourcesOf(table, moves);
  if (source === undefined || others.length > 0) throw new Error(`${moves} are not made from one status`);
  return `'${source}'`;
}

const MOVED = `message.account_sid, message.sid, message.from_number, message.to_number, message.status, message.error_code,
  message.error_description, message.segment_count, message.carrier, message.messaging_config_sid, message.callback_url, message.callback_shape,
  message.callback_statuses, message.events_told`;

const COLUMNS: Readonly<Record<keyof EventFields["OutboundMessageStatusChanged"], string>> = {
  Sid: "resource_sid",
  From: "from_number",
  To: "to_number",
  Status: "status",
  PreviousStatus: "previous",
  ErrorCode: "error_code",
  ErrorDescription: "error_description",
  SegmentCount: "segment_count",
  Carrier: "carrier",
};
/** What the events of messages consist of. */
export const STATUS_FIELDS = { columns: COLUMNS, shared: ["status", "previous", "error_code", "error_description"] };

/**
 * SQL: the callback URL of the message is to get final statuses only, and this one is not final. The event is stored
 * all the same, but for no subscription.
 */
const IS_UNASKED = `status = '${MESSAGE_MOVES.Queued.accepted}' and callback_statuses = 'Final'`;

/** SQL, in an update of `outbound_messages as message`: this transaction stores an event of it. */
export const toldIf = (isMoved: string) =>
  `events_told = message.events_told + (${isMoved})::integer,
       event_xids = case when ${isMoved} then message.event_xids || ${STORING_XID} else message.event_xids end`;
export const TOLD = `events_told = message.events_told + 1, event_xids = message.event_xids || ${STORING_XID}`;

/**
 * Ends a statement `with …` that moves messages. `update` changes `outbound_messages as message`, without its
 * `returning`; `previous` is the SQL of the previous status. A change of the status must set `TOLD`. A message whose
 * status stays the same gets no event. Returns what `storeEvents` does.
 */
export function moveMessages(update: string, previous: string, now: string, further = ""): string {
  return `moved as (
${update}
returning ${MOVED}, ${previous} as previous
), ${storeEvents(
    `select account_sid, 'OutboundMessageStatusChanged' as type, sid as resource_sid, events_told::integer as sequence,
         from_number, to_number, status, previous, error_code, error_description, segment_count, carrier,
         from_number as phone, messaging_config_sid, case when ${IS_UNASKED} then '' end as only_to, callback_url, callback_shape
    from moved where status <> previous`,
    now,
    { fields: STATUS_FIELDS, further },
  )}`;
}
