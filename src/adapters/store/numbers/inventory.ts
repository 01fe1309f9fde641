import type { InventoryNumber, InventoryStore, NumberFeature } from "../../../domain/numbers/index.ts";
import type { Queryable } from "../engine/database.ts";
import { fetchPage } from "../engine/pages.ts";

interface Row {
  readonly id: string;
  readonly number: string;
  readonly features: NumberFeature[];
  readonly created_at: Date;
}

const SELECT = "select id, number, features, created_at from inventory_numbers";
const toNumber = (row: Row): InventoryNumber => ({
  number: row.number,
  features: row.features,
  createdOn: row.created_at,
});

/** `known` hears of every number added. */
export function inventoryStore(db: Queryable, known: (numbers: readonly string[]) => Promise<void>): InventoryStore {
  return {
    async add(numbers) {
      const rows = await db.query<{ number: string }>(
        `insert into inventory_numbers (number, features, created_at)
         select number, string_to_array(features, ','), created_at
           from unnest($1::text[], $2::text[], $3::timestamptz[]) as given (number, features, created_at)
         on conflict (number) do nothing returning number`,
        [
          numbers.map((entry) => entry.number),
          numbers.map((entry) => entry.features.join(",")),
          numbers.map((entry) => entry.createdOn),
        ],
      );
      const added = rows.map((row) => row.number);
      await known(added);
      return added;
    },
    list: (page) =>
      fetchPage(db, page, {
        select: SELECT,
        key: "id",
        keyType: "bigint",
        show: toNumber,
      }),
    async available({ areaCode, contains, quantity }) {
      const rows = await db.query<Row>(
        `${SELECT} where starts_with(number, $1) and strpos(number, $2) > 0
            and not exists (select from phones where phones.number = inventory_numbers.number and phones.status <> 'Removed')
          order by number limit $3`,
        [areaCode === undefined ? "+" : `+1${areaCode}`, contains ?? "+", quantity],
      );
      return rows.map(toNumber);
    },
    async findHeld(number) {
      const [row] = await db.query<Row>(`${SELECT} where number = $1 for share`, [number]);
      return row && toNumber(row);
    },
    async remove(number) {
      // Whoever takes the number just now holds its row; what they did shows in the statement after this one.
      const [row] = await db.query("select from inventory_numbers where number = $1 for update", [number]);
      if (!row) return "unknown";
      const [served] = await db.query("select from phones where number = $1 and status <> 'Removed'", [number]);
      if (served) return "serving";
      await db.query("delete from inventory_numbers where number = $1", [number]);
      return "removed";
    },
  };
}
