import type { PageRequest } from "../../../base/page.ts";
import { MESSAGE_MOVES, type MessageFilters, type OutboundMessageStore } from "../../../domain/messaging/index.ts";
import type { Queryable } from "../engine/database.ts";
import { mayMove, moveMessages, soleSource } from "./message-changes.ts";
import { MESSAGE_COLUMNS, type MessageRow, toMessage } from "./message-rows.ts";
import { trailOf } from "./message-trail.ts";

const UNHAPPY = new Set(["Failed", "Expired", "Canceled"]);

const CANCEL = `
with waiting as (
  delete from outbound_queue where sid = $2 and account_sid = $1 and submitting is null returning account_sid, sid
), ${moveMessages(
  `update outbound_messages as message
   set status = '${MESSAGE_MOVES.Queued.canceled}', status_reason = 'Its sender canceled it', events_told = events_told + 1
  from waiting where message.account_sid = waiting.account_sid and message.sid = waiting.sid and ${mayMove(["canceled"])}`,
  soleSource(["canceled"]),
  "$3::timestamptz",
)}`;

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
      const [row] = await db.query<{ told: number }>(CANCEL, [accountSid, sid, now]);
      return row?.told === 1 ? find(accountSid, sid) : undefined;
    },
    trail: (accountSid, sid) => trailOf(db, accountSid, sid),
  };
}

/** Between `createdOn` and the making of a sid lies no more than this, whatever the clock did. */
const SLACK_MS = 600_000;

/** A sid begins with the time it was made at, so a span of time is within a span of sids: those are found by their index. */
export function sidBounds(
  prefix: "OM" | "IM",
  { createdFrom, createdTo }: Pick<MessageFilters, "createdFrom" | "createdTo">,
) {
  const hex = (ms: number) => Math.max(0, ms).toString(16).padStart(12, "0");
  return {
    from: createdFrom && `${prefix}${hex(createdFrom.getTime() - SLACK_MS)}`,
    before: createdTo && `${prefix}${hex(createdTo.getTime() + SLACK_MS)}`,
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
  add(filters.createdFrom, (place) => `created_at >= ${place}`);
  add(filters.createdTo, (place) => `created_at <= ${place}`);
  add(page.after, (place) => `sid ${page.direction === "Ascending" ? ">" : "<"} ${place}`);
  add(filters.from, (place) => `from_number = ${place}`);
  add(filters.to, (place) => `to_number = ${place}`);
  add(filters.status, (place) => `${UNHAPPY.has(filters.status ?? "") ? "unhappy" : "status"} = ${place}`);
  add(filters.errorCode, (place) => `error_code = ${place}`);
  return { where: conditions.join(" and "), values };
}
