import type { PageRequest } from "../../base/page.ts";
import type { MessageFilters, OutboundMessageStore, TrailStep } from "../../domain/messaging/index.ts";
import type { Queryable } from "./database.ts";
import { MOVED_COLUMNS, type MovedRow, tellOfChanges } from "./message-changes.ts";
import { MESSAGE_COLUMNS, type MessageRow, toMessage } from "./message-rows.ts";

const UNHAPPY = new Set(["Failed", "Expired", "Canceled"]);

const CANCEL = `
with waiting as (
  delete from outbound_queue where sid = $2 and account_sid = $1 and submitting is null returning sid
)
update outbound_messages as message set status = 'Canceled', status_reason = 'Its sender canceled it'
  from waiting where message.account_sid = $1 and message.sid = waiting.sid and message.status = 'Queued'
returning ${MOVED_COLUMNS}, 'Queued' as previous`;

export function outboundMessageStore(db: Queryable): OutboundMessageStore {
  const find = async (accountSid: string, sid: string) => {
    const [row] = await db.query<MessageRow>(
      `select ${MESSAGE_COLUMNS} from outbound_messages where account_sid = $1 and sid = $2`,
      [accountSid, sid],
    );
    return row && toMessage(row);
  };
  return {
    find,
    async list(accountSid, page, filters) {
      const { where, values } = conditionsOf(accountSid, page, filters);
      const order = page.direction === "Ascending" ? "asc" : "desc";
      const rows = await db.query<MessageRow>(
        `select ${MESSAGE_COLUMNS} from outbound_messages where ${where} order by sid ${order} limit $${values.push(page.size + 1)}`,
        values,
      );
      const items = rows.slice(0, page.size).map(toMessage);
      const last = items.at(-1);
      return rows.length > page.size && last ? { items, next: last.sid } : { items };
    },
    async cancel(accountSid, sid, now) {
      const moved = await db.query<MovedRow>(CANCEL, [accountSid, sid]);
      await tellOfChanges(db, moved, now);
      return moved.length === 0 ? undefined : find(accountSid, sid);
    },
    trail: (accountSid, sid) => trailOf(db, accountSid, sid),
  };
}

/** A sid begins with the time it was made at, so a span of time is a span of sids. */
export function sidBounds(
  prefix: "OM" | "IM",
  { createdFrom, createdTo }: Pick<MessageFilters, "createdFrom" | "createdTo">,
) {
  const hex = (date: Date) => Math.max(0, date.getTime()).toString(16).padStart(12, "0");
  return {
    from: createdFrom && `${prefix}${hex(createdFrom)}`,
    before: createdTo && `${prefix}${hex(new Date(createdTo.getTime() + 1))}`,
  };
}

function conditionsOf(accountSid: string, page: PageRequest, filters: MessageFilters) {
  const values: unknown[] = [accountSid];
  const conditions = ["account_sid = $1"];
  const add = (value: unknown, condition: (place: string) => string) => {
    if (value !== undefined) conditions.push(condition(`$${values.push(value)}`));
  };
  const { from, before } = sidBounds("OM", filters);
  add(from, (place) => `sid >= ${place}`);
  add(before, (place) => `sid < ${place}`);
  add(page.after, (place) => `sid ${page.direction === "Ascending" ? ">" : "<"} ${place}`);
  add(filters.from, (place) => `from_number = ${place}`);
  add(filters.to, (place) => `to_number = ${place}`);
  add(filters.status, (place) => `${UNHAPPY.has(filters.status ?? "") ? "unhappy" : "status"} = ${place}`);
  add(filters.errorCode, (place) => `error_code = ${place}`);
  return { where: conditions.join(" and "), values };
}

interface TrailRow {
  readonly created_at: Date;
  readonly send_at: Date | null;
  readonly sent_at: Date | null;
  readonly delivered_at: Date | null;
  readonly link: string | null;
  readonly carrier: string | null;
  readonly carrier_ids: string[] | null;
  readonly messaging_config_sid: string | null;
  readonly tcr_campaign_id: string | null;
  readonly segment_count: number;
  readonly encoding: string;
  readonly due_at: Date | number | null;
  readonly submitting: string | null;
}

/** Made of the message's own row, what stands in the queue, and the steps written down because they were out of the ordinary. */
async function trailOf(db: Queryable, accountSid: string, sid: string): Promise<readonly TrailStep[]> {
  const [row] = await db.query<TrailRow>(
    `select message.created_at, send_at, sent_at, delivered_at, link, carrier, carrier_ids, messaging_config_sid, tcr_campaign_id,
            segment_count, encoding, nullif(queued.due_at, 'infinity') as due_at, queued.submitting
       from outbound_messages as message left join outbound_queue as queued on queued.sid = message.sid
      where message.account_sid = $1 and message.sid = $2`,
    [accountSid, sid],
  );
  if (!row) return [];
  const written = await db.query<{ at: Date; step: string; details: Record<string, unknown> }>(
    "select at, step, details from message_steps where sid = $1 order by id limit 200",
    [sid],
  );
  const steps: TrailStep[] = [
    {
      at: row.created_at,
      step: "accepted",
      details: {
        checks: [
          "sender is yours and may send",
          "recipient has not opted out",
          "country is allowed",
          "text and media fit",
        ],
        messagingConfigSid: row.messaging_config_sid,
        tcrCampaignId: row.tcr_campaign_id,
        recipientCarrier: row.carrier,
        segmentCount: row.segment_count,
        encoding: row.encoding,
      },
    },
    ...written,
  ];
  if (row.send_at) steps.push({ at: row.created_at, step: "scheduled", details: { until: row.send_at } });
  if (row.sent_at) {
    steps.push({ at: row.sent_at, step: "sent", details: { link: row.link, carrierIds: row.carrier_ids ?? [] } });
  }
  if (row.delivered_at) steps.push({ at: row.delivered_at, step: "delivered", details: { link: row.link } });
  return steps.sort((one, other) => one.at.getTime() - other.at.getTime());
}
