// The numbers that accounts may take.

import type { InventoryNumber, InventoryStore } from "../../../domain/numbers/index.ts";
import { table } from "../engine/columns.ts";
import type { Queryable } from "../engine/database.ts";
import { fetchPage } from "../engine/pages.ts";
import { first } from "../engine/statements.ts";

const INVENTORY = table<InventoryNumber>("inventory_numbers", {
  number: "number",
  country: "country",
  features: "features text[]",
  createdOn: "created_at timestamptz",
});

/** `known` is called with every number added. */
export function inventoryStore(db: Queryable, known: (numbers: readonly string[]) => Promise<void>): InventoryStore {
  return {
    async add(numbers) {
      const rows = await db.query<{ number: string }>(
        `${INVENTORY.insert} on conflict (number) do nothing returning number`,
        [INVENTORY.rows(numbers)],
      );
      const added = rows.map((row) => row.number);
      await known(added);
      return added;
    },
    list: (page) => fetchPage(db, page, { of: INVENTORY, key: ["id bigint"] }),
    available: ({ areaCode, contains, quantity }) =>
      db.query<InventoryNumber>(
        `${INVENTORY.select} where starts_with(number, $1) and strpos(number, $2) > 0
            and not exists (select from phones where phones.number = inventory_numbers.number and phones.status <> 'Removed')
          order by number limit $3`,
        [areaCode === undefined ? "" : `+1${areaCode}`, contains ?? "", quantity],
      ),
    findLocked: (number) => first<InventoryNumber>(db, `${INVENTORY.select} where number = $1 for share`, [number]),
    async remove(number) {
      // Waits for a transaction that is taking the number; the next statement sees its result.
      const [row] = await db.query("select from inventory_numbers where number = $1 for update", [number]);
      if (!row) return "unknown";
      const [served] = await db.query("select from phones where number = $1 and status <> 'Removed'", [number]);
      if (served) return "serving";
      await db.query("delete from inventory_numbers where number = $1", [number]);
      return "removed";
    },
  };
}
