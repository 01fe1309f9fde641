// Operators' overrides: the answer for a number, whatever other sources return.

import type { LookupOverride, OverrideStore } from "../../../domain/lookup/index.ts";
import { table } from "../engine/columns.ts";
import type { Queryable } from "../engine/database.ts";
import { fetchPage } from "../engine/pages.ts";

const OVERRIDES = table<LookupOverride>("lookup_overrides", {
  number: "number",
  status: "status",
  type: "type",
  carrierName: "carrier_name",
  note: "note",
  updatedOn: "updated_at timestamptz",
});

/** `known` is called with every number that got an override. */
export function overrideStore(db: Queryable, known: (numbers: readonly string[]) => Promise<void>): OverrideStore {
  return {
    async put(override) {
      await db.query(`${OVERRIDES.insert} on conflict (number) do update set ${OVERRIDES.excluded}`, [
        OVERRIDES.rows([override]),
      ]);
      await known([override.number]);
    },
    async find(number) {
      const [override] = await db.query<LookupOverride>(`${OVERRIDES.select} where number = $1`, [number]);
      return override;
    },
    list: (page) => fetchPage(db, page, { of: OVERRIDES, key: ["id bigint"] }),
    async remove(number) {
      const rows = await db.query("delete from lookup_overrides where number = $1 returning number", [number]);
      return rows.length > 0;
    },
  };
}
