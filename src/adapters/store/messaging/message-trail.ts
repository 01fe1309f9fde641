// The history of a message, built from its own row, its events, and the steps that were stored because they were
// unusual. Events are kept for TANDEM_RECORD_DAYS; the final status of a message is kept permanently.

import type { MessageStatus, MessageStep, TrailStep } from "../../../domain/messaging/index.ts";
import type { Queryable } from "../engine/database.ts";
import { eventsOf, FIELDS_COLUMNS, type FieldsRow, fieldsTextOf } from "../webhooks/event-batches.ts";
import { OUTBOUND, type StoredMessage, UNHAPPY } from "./message-table.ts";

type Row = StoredMessage & { readonly isHeld: boolean };

interface StatusEvent {
  readonly at: Date;
  readonly fields: {
    readonly Status: MessageStatus;
    readonly ErrorCode: number;
    readonly ErrorDescription: string | null;
  };
}

const STEPS_MAX = 200;
/** The order of steps that have the same time. */
const RANKS: readonly MessageStep[] = ["accepted", "held", "scheduled", "submit", "sent", "receipt"];
const CHECKS = [
  "sender is yours and may send",
  "recipient has not opted out",
  "country is allowed",
  "text and media fit",
];

export async function trailOf(db: Queryable, accountSid: string, sid: string): Promise<readonly TrailStep[]> {
  const [row] = await db.query<Row>(
    `select ${OUTBOUND.columns}, exists (select from outbound_queue where sid = $2 and due_at = 'infinity') as "isHeld"
       from outbound_messages where account_sid = $1 and sid = $2`,
    [accountSid, sid],
  );
  if (!row) return [];
  const written = await db.query<TrailStep>(
    `select at, step, details from message_steps where sid = $1 order by id limit ${STEPS_MAX}`,
    [sid],
  );
  const told = await db.query<FieldsRow & Pick<StatusEvent, "at">>(
    `select created_at as at, ${FIELDS_COLUMNS} from ${eventsOf("$1", "$2")} as event
      where type = 'OutboundMessageStatusChanged' order by sequence limit ${STEPS_MAX}`,
    [accountSid, sid],
  );
  const events = told.map((event): StatusEvent => ({ at: event.at, fields: JSON.parse(fieldsTextOf(event)) }));
  return [...stepsOfRow(row), ...written, ...failuresOf(row, events)].sort(
    (one, other) => one.at.getTime() - other.at.getTime() || rankOf(one) - rankOf(other),
  );
}

function rankOf({ step }: TrailStep): number {
  const rank = RANKS.indexOf(step);
  return rank < 0 ? RANKS.length : rank;
}

function stepsOfRow(row: Row): readonly TrailStep[] {
  const steps: TrailStep[] = [
    {
      at: row.createdOn,
      step: "accepted",
      details: {
        checks: row.isReply ? ["answers a keyword"] : CHECKS,
        messagingConfigSid: row.messagingConfigSid,
        tcrCampaignId: row.tcrCampaignId,
        recipientCarrier: row.carrier,
        segmentCount: row.segmentCount,
        encoding: row.encoding,
      },
    },
  ];
  if (row.isHeld) steps.push({ at: row.createdOn, step: "held", details: { until: `${row.from} is active` } });
  if (row.sendAt) steps.push({ at: row.createdOn, step: "scheduled", details: { until: row.sendAt } });
  if (row.sentOn)
    steps.push({ at: row.sentOn, step: "sent", details: { link: row.link, carrierIds: row.carrierIds ?? [] } });
  if (row.deliveredOn) steps.push({ at: row.deliveredOn, step: "delivered", details: { link: row.link } });
  return steps;
}

/** Failures among the events. The last is the row's own, and only its reason is known. */
function failuresOf(row: Row, events: readonly StatusEvent[]): readonly TrailStep[] {
  const failures = events.filter(({ fields }) => UNHAPPY.has(fields.Status));
  const last = failures.at(-1);
  const steps = failures.map((end) => ({
    at: end.at,
    step: stepOf(end.fields.Status),
    details: {
      errorCode: end.fields.ErrorCode,
      errorDescription: end.fields.ErrorDescription,
      ...(end === last && end.fields.Status === row.status ? { reason: row.statusReason } : {}),
    },
  }));
  if (last || !UNHAPPY.has(row.status)) return steps;
  const { errorCode, errorDescription, statusReason: reason } = row;
  const at = row.sentOn ?? row.createdOn;
  return [{ at, step: stepOf(row.status), details: { errorCode, errorDescription, reason } }];
}

/** Of a message that did not arrive. */
function stepOf(status: MessageStatus): MessageStep {
  if (status === "Expired") return "expired";
  return status === "Canceled" ? "canceled" : "failed";
}
