// Why a message did or did not arrive: made of its own row, of what was told of it, and of the steps that were written down because they
// were out of the ordinary. What was told is kept for as long as events are; the end of a message is known for ever.

import type { MessageStatus, TrailStep } from "../../../domain/messaging/index.ts";
import type { Queryable } from "../engine/database.ts";

interface Row {
  readonly from_number: string;
  readonly status: MessageStatus;
  readonly status_reason: string | null;
  readonly error_code: number;
  readonly error_description: string | null;
  readonly created_at: Date;
  readonly send_at: Date | null;
  readonly sent_at: Date | null;
  readonly delivered_at: Date | null;
  readonly is_reply: boolean;
  readonly link: string | null;
  readonly carrier: string | null;
  readonly carrier_ids: string[] | null;
  readonly messaging_config_sid: string | null;
  readonly tcr_campaign_id: string | null;
  readonly segment_count: number;
  readonly encoding: string;
  readonly is_held: boolean;
}

interface Told {
  readonly at: Date;
  readonly fields: {
    readonly Status: MessageStatus;
    readonly ErrorCode: number;
    readonly ErrorDescription: string | null;
  };
}

const STEPS_MAX = 200;
/** Of steps at the same moment, what comes first. */
const RANKS = ["accepted", "held", "scheduled", "submit", "sent", "receipt"];
const UNHAPPY: readonly MessageStatus[] = ["Failed", "Expired", "Canceled"];
const CHECKS = [
  "sender is yours and may send",
  "recipient has not opted out",
  "country is allowed",
  "text and media fit",
];

export async function trailOf(db: Queryable, accountSid: string, sid: string): Promise<readonly TrailStep[]> {
  const [row] = await db.query<Row>(
    `select message.from_number, status, status_reason, error_code, error_description, created_at, send_at, sent_at, delivered_at,
            is_reply, link, carrier, carrier_ids, messaging_config_sid, tcr_campaign_id, segment_count, encoding,
            coalesce(queued.due_at = 'infinity', false) as is_held
       from outbound_messages as message left join outbound_queue as queued on queued.sid = message.sid
      where message.account_sid = $1 and message.sid = $2`,
    [accountSid, sid],
  );
  if (!row) return [];
  const written = await db.query<{ at: Date; step: string; details: Record<string, unknown> }>(
    `select at, step, details from message_steps where sid = $1 order by id limit ${STEPS_MAX}`,
    [sid],
  );
  const told = await db.query<Told>(
    `select created_at as at, fields from events where resource_sid = $2 and account_sid = $1
        and type = 'OutboundMessageStatusChanged' order by sequence limit ${STEPS_MAX}`,
    [accountSid, sid],
  );
  return [...stepsOfRow(row), ...written, ...endsOf(row, told)].sort(
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
      at: row.created_at,
      step: "accepted",
      details: {
        checks: row.is_reply ? ["answers a keyword"] : CHECKS,
        messagingConfigSid: row.messaging_config_sid,
        tcrCampaignId: row.tcr_campaign_id,
        recipientCarrier: row.carrier,
        segmentCount: row.segment_count,
        encoding: row.encoding,
      },
    },
  ];
  if (row.is_held) steps.push({ at: row.created_at, step: "held", details: { until: `${row.from_number} is active` } });
  if (row.send_at) steps.push({ at: row.created_at, step: "scheduled", details: { until: row.send_at } });
  if (row.sent_at)
    steps.push({ at: row.sent_at, step: "sent", details: { link: row.link, carrierIds: row.carrier_ids ?? [] } });
  if (row.delivered_at) steps.push({ at: row.delivered_at, step: "delivered", details: { link: row.link } });
  return steps;
}

/** Ends that were not the wanted one. The last is the row's own, and only of that the reason is known. */
function endsOf(row: Row, told: readonly Told[]): readonly TrailStep[] {
  const ends = told.filter(({ fields }) => UNHAPPY.includes(fields.Status));
  const last = ends.at(-1);
  const steps = ends.map((end) => ({
    at: end.at,
    step: end.fields.Status.toLowerCase(),
    details: {
      errorCode: end.fields.ErrorCode,
      errorDescription: end.fields.ErrorDescription,
      ...(end === last && end.fields.Status === row.status ? { reason: row.status_reason } : {}),
    },
  }));
  if (last || !UNHAPPY.includes(row.status)) return steps;
  const { error_code: errorCode, error_description: errorDescription, status_reason: reason } = row;
  const at = row.sent_at ?? row.created_at;
  return [{ at, step: row.status.toLowerCase(), details: { errorCode, errorDescription, reason } }];
}
