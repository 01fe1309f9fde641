// The account's events in an order that readers can rely on: by the transaction that stored them. An event becomes
// visible here only after every older transaction has ended, so nothing can appear before a position that was read.

import type { EventLog, LoggedEvent } from "../../../domain/webhooks/index.ts";
import { table } from "../engine/columns.ts";
import type { Queryable } from "../engine/database.ts";
import { fetchPage } from "../engine/pages.ts";

const EVENTS = table<Omit<LoggedEvent, "position" | "fieldsText">>("events", {
  accountSid: "account_sid",
  type: "type",
  resourceSid: "resource_sid",
  sequence: "sequence integer",
  fields: "fields json",
  createdOn: "created_at timestamptz",
});

const POSITION = "concat_ws('-', xid, id) as position";
const LOGGED = { columns: `${EVENTS.columns}, ${POSITION}`, from: "events" };
const IS_SETTLED = "xid < event_position(pg_snapshot_xmin(pg_current_snapshot()))";

export function eventLog(db: Queryable): EventLog {
  return {
    after(accountSid, position, limit) {
      const [xid, id] =
        position && /^(0|[1-9]\d{0,17})-(0|[1-9]\d{0,17})$/.test(position) ? position.split("-") : ["0", "0"];
      return db.query<LoggedEvent>(
        `select ${LOGGED.columns} from events
          where account_sid = $1 and (xid, id) > ($2::xid8, $3::bigint) and ${IS_SETTLED} order by xid, id limit $4`,
        [accountSid, xid, id, limit],
      );
    },
    ofAll: (afterId, limit) =>
      db.query<LoggedEvent>(
        `select ${LOGGED.columns} from events where id > $1::bigint and ${IS_SETTLED} order by id limit $2`,
        [afterId, limit],
      ),
    async lastId() {
      const [last] = await db.query<{ id: string }>("select id::text from events order by id desc limit 1");
      return last?.id ?? "0";
    },
    list: (accountSid, page, type) =>
      fetchPage(db, page, {
        of: LOGGED,
        where: { account_sid: accountSid, [IS_SETTLED]: true, type },
        key: ["xid xid8", "id bigint"],
      }),
    async end(accountSid) {
      const [last] = await db.query<Pick<LoggedEvent, "position">>(
        `select ${POSITION} from events where account_sid = $1 and ${IS_SETTLED} order by xid desc, id desc limit 1`,
        [accountSid],
      );
      return last?.position ?? "0-0";
    },
  };
}
