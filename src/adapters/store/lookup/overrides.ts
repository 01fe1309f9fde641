import type { LookupOverride, MessagingStatus, OverrideStore, PhoneType } from "../../../domain/lookup/index.ts";
import type { Queryable } from "../engine/database.ts";
import { fetchPage } from "../engine/pages.ts";

interface Row {
  readonly id: string;
  readonly number: string;
  readonly status: MessagingStatus;
  readonly type: PhoneType;
  readonly carrier_name: string | null;
  readonly note: string | null;
  readonly updated_at: Date;
}

const SELECT = "select id, number, status, type, carrier_name, note, updated_at from lookup_overrides";

const toOverride = (row: Row): LookupOverride => ({
  number: row.number,
  status: row.status,
  type: row.type,
  carrierName: row.carrier_name,
  note: row.note,
  updatedOn: row.updated_at,
});

/** `known` hears of every number that got one. */
export function overrideStore(db: Queryable, known: (numbers: readonly string[]) => Promise<void>): OverrideStore {
  return {
    async put(override) {
      await db.query(
        `insert into lookup_overrides (number, status, type, carrier_name, note, updated_at)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (number) do update set status = excluded.status, type = excluded.type,
           carrier_name = excluded.carrier_name, note = excluded.note, updated_at = excluded.updated_at`,
        [override.number, override.status, override.type, override.carrierName, override.note, override.updatedOn],
      );
      await known([override.number]);
    },
    async find(number) {
      const [row] = await db.query<Row>(`${SELECT} where number = $1`, [number]);
      return row && toOverride(row);
    },
    list: (page) =>
      fetchPage(db, page, {
        select: SELECT,
        key: "id",
        keyType: "bigint",
        show: toOverride,
      }),
    async remove(number) {
      const rows = await db.query("delete from lookup_overrides where number = $1 returning number", [number]);
      return rows.length > 0;
    },
  };
}
