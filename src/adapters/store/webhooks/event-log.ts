// The account's events in an order that readers can rely on: by the transaction that stored them. An event becomes
// visible here only after every older transaction has ended, so nothing can appear before a position that was read.

import type { EventLog, LoggedEvent } from "../../../domain/webhooks/index.ts";
import { table } from "../engine/columns.ts";
import type { Queryable } from "../engine/database.ts";
import { fetchPage } from "../engine/pages.ts";
import { BATCH_MAX } from "./outbox.ts";

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
const UNSETTLED_FROM = "event_position(pg_snapshot_xmin(pg_current_snapshot()))";
const IS_SETTLED = `xid < ${UNSETTLED_FROM}`;

/**
 * Events of all accounts have no index by transaction, which would cost every insert. They are found by their ids, and
 * the events of this many batches before a position are read again, because they include every event that was stored
 * concurrently with it. A reader that is further behind than `LOOKED_AT` skips to the newest events.
 */
const LOOKED_BACK_BATCHES = 2_000;
const LOOKED_AT = 4_000;

function placeOf(position: string | undefined): readonly [xid: string, id: string] {
  const [, xid = "0", id = "0"] = /^(0|[1-9]\d{0,17})-(0|[1-9]\d{0,17})$/.exec(position ?? "") ?? [];
  return [xid, id];
}

export function eventLog(db: Queryable): EventLog {
  return {
    after(accountSid, position, limit) {
      const [xid, id] = placeOf(position);
      return db.query<LoggedEvent>(
        `select ${LOGGED.columns} from events
          where account_sid = $1 and (xid, id) > ($2::xid8, $3::bigint) and ${IS_SETTLED} order by xid, id limit $4`,
        [accountSid, xid, id, limit],
      );
    },
    ofAllAfter: (position, limit) =>
      db.query<LoggedEvent>(
        `select ${LOGGED.columns}
           from (select * from events where id > $2::bigint - ${LOOKED_BACK_BATCHES * BATCH_MAX} order by id desc
                  limit ${LOOKED_AT}) as events
          where (xid, id) > ($1::xid8, $2::bigint) and ${IS_SETTLED} order by xid, id limit $3`,
        [...placeOf(position), limit],
      ),
    listAll: (page, type) =>
      fetchPage(db, page, { of: LOGGED, where: { [IS_SETTLED]: true, type }, key: ["id bigint"] }),
    async endOfAll() {
      // After everything that is settled, and before everything that is not.
      const [end] = await db.query<Pick<LoggedEvent, "position">>(
        `select concat_ws('-', ${UNSETTLED_FROM}::text::bigint - 1, coalesce(max(id), 0)) as position from events`,
      );
      return end?.position ?? "0-0";
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
