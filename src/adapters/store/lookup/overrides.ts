// Operators' overrides: the answer for a number, whatever other sources return.

import type { LookupOverride, OverrideStore } from "../../../domain/lookup/index.ts";
import { table } from "../engine/columns.ts";
import type { Queryable } from "../engine/database.ts";
import { fetchPage } from "../engine/pages.ts";
import { first, hasRow } from "../engine/statements.ts";

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
    find: (number) => first<LookupOverride>(db, `${OVERRIDES.select} where number = $1`, [number]),
    list: (page) => fetchPage(db, page, { of: OVERRIDES, key: ["id bigint"] }),
    remove: (number) => hasRow(db, "delete from lookup_overrides where number = $1 returning number", [number]),
  };
}
