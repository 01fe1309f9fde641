// The account's events in an order that readers can rely on: by the transaction that stored them. An event becomes
// visible here only after every older transaction has ended, so nothing can appear before a position that was read.

import type { PageRequest } from "../../../base/page.ts";
import type { EventType } from "../../../domain/events.ts";
import type { EventLog, LoggedEvent } from "../../../domain/webhooks/index.ts";
import type { Queryable } from "../engine/database.ts";
import { fetchPage, type ListQuery } from "../engine/pages.ts";
import { BATCH_MAX, EACH_EVENT, FIELDS_COLUMNS, type FieldsRow, fieldsTextOf } from "./event-batches.ts";

type Row = Omit<LoggedEvent, "fields" | "fieldsText"> & FieldsRow;

const POSITION = "concat_ws('-', xid, id) as position";
const LOGGED = {
  columns: `account_sid as "accountSid", type, resource_sid as "resourceSid", sequence, created_at as "createdOn",
       ${FIELDS_COLUMNS}, ${POSITION}`,
  from: `${EACH_EVENT} as event`,
};
const IN_ROWS = { start: "row_id", place: "place", placesMax: BATCH_MAX };
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

function toLogged({ firstSid, firstFields, line, ...row }: Row): LoggedEvent {
  return { ...row, fields: JSON.parse(fieldsTextOf({ firstSid, firstFields, line })) };
}

function narrowed(accountSid: string, type: EventType | undefined): Pick<ListQuery, "sources" | "filter"> {
  const own = { account_sid: accountSid };
  const where = { ...own, [IS_SETTLED]: true };
  return { sources: [{ where, ...(type && { few: { ...own, type } }) }], filter: { type } };
}

export function eventLog(db: Queryable): EventLog {
  const list = async (page: PageRequest, narrowed: Pick<ListQuery, "sources" | "filter">, key: readonly string[]) => {
    const { items, ...rest } = await fetchPage<Row>(db, page, { of: LOGGED, ...narrowed, key, rows: IN_ROWS });
    return { items: items.map(toLogged), ...rest };
  };
  return {
    async after(accountSid, position, limit) {
      const [xid, id] = placeOf(position);
      const rows = await db.query<Row>(
        `select ${LOGGED.columns} from ${LOGGED.from}
          where account_sid = $1 and (xid, row_id) > ($2::xid8, $3::bigint - ${BATCH_MAX}) and (xid, id) > ($2::xid8, $3::bigint) and ${IS_SETTLED}
          order by xid, row_id, place limit $4`,
        [accountSid, xid, id, limit],
      );
      return rows.map(toLogged);
    },
    async ofAllAfter(position, limit) {
      const rows = await db.query<Row>(
        `select ${LOGGED.columns}
           from (select * from ${LOGGED.from} where row_id > $2::bigint - ${LOOKED_BACK_BATCHES * BATCH_MAX}
                  order by row_id desc, place desc limit ${LOOKED_AT}) as event
          where (xid, id) > ($1::xid8, $2::bigint) and ${IS_SETTLED} order by xid, id limit $3`,
        [...placeOf(position), limit],
      );
      return rows.map(toLogged);
    },
    listAll: (page, type) => list(page, { filter: { [IS_SETTLED]: true, type } }, ["id bigint"]),
    async endOfAll() {
      // After everything that is settled, and before everything that is not.
      const [end] = await db.query<Pick<LoggedEvent, "position">>(
        `select concat_ws('-', ${UNSETTLED_FROM}::text::bigint - 1, coalesce(max(id), 0) + ${BATCH_MAX - 1}) as position from events`,
      );
      return end?.position ?? "0-0";
    },
    list: (accountSid, page, type) => list(page, narrowed(accountSid, type), ["xid xid8", "id bigint"]),
    async end(accountSid) {
      const [last] = await db.query<Pick<LoggedEvent, "position">>(
        `select ${POSITION} from ${LOGGED.from} where account_sid = $1 and ${IS_SETTLED}
          order by xid desc, row_id desc, place desc limit 1`,
        [accountSid],
      );
      return last?.position ?? "0-0";
    },
  };
}
