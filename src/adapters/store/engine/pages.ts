// One page of a list by key: asks for one row more than shown, to know whether there is a next page.

import type { Page, PageRequest } from "../../../base/page.ts";
import type { Queryable } from "./database.ts";

export interface ListQuery<Row, Item> {
  /** `select … from …`, without conditions. */
  readonly select: string;
  /** Column and value pairs; undefined values do not narrow. */
  readonly where?: Readonly<Record<string, unknown>>;
  /** A unique column that is selected too, compared as text unless it says otherwise in `keyType`. */
  readonly key: keyof Row & string;
  readonly keyType?: "text" | "bigint";
  readonly show: (row: Row) => Item;
}

export async function fetchPage<Row extends object, Item>(
  db: Queryable,
  page: PageRequest,
  list: ListQuery<Row, Item>,
): Promise<Page<Item>> {
  const values: unknown[] = [];
  const conditions: string[] = [];
  for (const [column, value] of Object.entries(list.where ?? {})) {
    if (value !== undefined) conditions.push(`${column} = $${values.push(value)}`);
  }
  const keyType = list.keyType ?? "text";
  if (page.after !== undefined) {
    if (keyType === "bigint" && !/^\d{1,18}$/.test(page.after)) return { items: [] };
    const comparison = page.direction === "Ascending" ? ">" : "<";
    conditions.push(`${list.key} ${comparison} $${values.push(page.after)}::${keyType}`);
  }
  const order = page.direction === "Ascending" ? "asc" : "desc";
  const where = conditions.length === 0 ? "" : `where ${conditions.join(" and ")}`;
  const rows = await db.query<Row>(
    `${list.select} ${where} order by ${list.key} ${order} limit $${values.push(page.size + 1)}`,
    values,
  );
  const shown = rows.slice(0, page.size);
  const items = shown.map(list.show);
  const last = shown.at(-1);
  return rows.length > page.size && last !== undefined ? { items, next: String(last[list.key]) } : { items };
}
