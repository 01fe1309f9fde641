// The account's events in the order in which a reader may rely on: by the transaction that stored them. An event becomes visible here
// only when every older transaction has ended, so nothing can appear before a position that was already answered.

import type { EventType } from "../../../domain/events.ts";
import type { EventLog, LoggedEvent } from "../../../domain/webhooks/index.ts";
import type { Queryable } from "../engine/database.ts";

interface Row {
  readonly id: string;
  readonly xid: string;
  readonly account_sid: string;
  readonly type: EventType;
  readonly resource_sid: string;
  readonly sequence: number;
  readonly fields: Record<string, unknown>;
  readonly created_at: Date;
}

const SELECT = "select id, xid, account_sid, type, resource_sid, sequence, fields, created_at from events";
const IS_SETTLED = "xid < pg_snapshot_xmin(pg_current_snapshot())";

const toLogged = (row: Row): LoggedEvent => ({
  position: `${row.xid}-${row.id}`,
  accountSid: row.account_sid,
  type: row.type,
  resourceSid: row.resource_sid,
  sequence: row.sequence,
  fields: row.fields,
  createdOn: row.created_at,
});

export function eventLog(db: Queryable): EventLog {
  return {
    async after(accountSid, position, limit) {
      const [xid, id] = partsOf(position) ?? ["0", "0"];
      const rows = await db.query<Row>(
        `${SELECT} where account_sid = $1 and (xid, id) > ($2::xid8, $3::bigint) and ${IS_SETTLED} order by xid, id limit $4`,
        [accountSid, xid, id, limit],
      );
      return rows.map(toLogged);
    },
    async list(accountSid, page, type) {
      const values: unknown[] = [accountSid, page.size + 1];
      const conditions = ["account_sid = $1", IS_SETTLED];
      if (type !== undefined) conditions.push(`type = $${values.push(type)}`);
      const ascending = page.direction === "Ascending";
      const place = page.after === undefined ? undefined : partsOf(page.after);
      if (page.after !== undefined && !place) return { items: [] };
      if (place) {
        conditions.push(
          `(xid, id) ${ascending ? ">" : "<"} ($${values.push(place[0])}::xid8, $${values.push(place[1])}::bigint)`,
        );
      }
      const order = ascending ? "order by xid, id" : "order by xid desc, id desc";
      const rows = await db.query<Row>(`${SELECT} where ${conditions.join(" and ")} ${order} limit $2`, values);
      const items = rows.slice(0, page.size).map(toLogged);
      const last = items.at(-1);
      return rows.length > page.size && last ? { items, next: last.position } : { items };
    },
    async end(accountSid) {
      const [row] = await db.query<Pick<Row, "xid" | "id">>(
        `select xid, id from events where account_sid = $1 and ${IS_SETTLED} order by xid desc, id desc limit 1`,
        [accountSid],
      );
      return row ? `${row.xid}-${row.id}` : "0-0";
    },
  };
}

function partsOf(position: string | undefined): readonly [string, string] | undefined {
  const match = /^(\d{1,19})-(\d{1,18})$/.exec(position ?? "");
  return match ? [match[1] as string, match[2] as string] : undefined;
}
