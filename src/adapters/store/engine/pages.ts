// One page of a list by key. Selects one row more than it returns, to know whether there is a next page.

import type { Page, PageRequest } from "../../../base/page.ts";
import type { Queryable } from "./database.ts";

/** The columns to select and where from; a described table is one. */
export interface Selection {
  readonly columns: string;
  readonly from: string;
}

export interface ListQuery {
  readonly of: Selection;
  /** The parameters of `of` and `either`, from `$1` on. */
  readonly values?: readonly unknown[];
  /**
   * Conditions of which exactly one holds for each row of the list. A page is read for each, in the order of the key
   * where an index has it: with "or" everything that matches would be read and sorted.
   */
  readonly either?: readonly string[];
  /**
   * Value by `column`, `column >=` or another comparison. Undefined: no condition; true: the name is the condition; a
   * list: one of its values.
   */
  readonly where?: Readonly<Record<string, unknown>>;
  /**
   * Further conditions, by which the rows are read piece by piece until the page is full. Every row meets those of one
   * piece, and pieces come in the order of the page.
   */
  readonly pieces?: AsyncIterable<Readonly<Record<string, unknown>>>;
  /** The columns that identify and order the rows, each with its type where that is not text: `["id bigint"]`. */
  readonly key: readonly string[];
  /** The items are made of rows that an index has: the last column of the key is that of the row plus a place in it. */
  readonly rows?: { readonly start: string; readonly place: string; readonly placesMax: number };
}

interface KeyColumn {
  readonly name: string;
  readonly type: string;
}

export async function fetchPage<Row extends object>(
  db: Queryable,
  page: PageRequest,
  list: ListQuery,
): Promise<Page<Row>> {
  const key = list.key.map(keyColumn);
  const place = page.after === undefined ? [] : placeOf(key, page.after);
  if (!place) return { items: [] };
  const names = key.map(({ name }) => name);
  const starts = list.rows ? [...names.slice(0, -1), list.rows.start] : names;
  const values = [...(list.values ?? [])];
  const conditions = conditionsOf(list.where ?? {}, values);
  const [comparison, order] = page.direction === "Ascending" ? [">", "asc"] : ["<", "desc"];
  if (place.length > 0) {
    const given = key.map(({ type }, at) => placeValue(type, `$${values.push(place[at])}`));
    const follows = (columns: readonly string[], last = "") =>
      `(${columns.join(", ")}) ${comparison} (${given.join(", ")}${last})`;
    conditions.push(follows(names));
    if (list.rows) conditions.push(follows(starts, comparison === ">" ? ` - ${list.rows.placesMax}` : ""));
  }
  const sorted = list.rows ? [...starts, list.rows.place] : names;
  const read = (piece: Readonly<Record<string, unknown>>, count: number) => {
    const given = [...values];
    const narrowed = [...conditions, ...conditionsOf(piece, given)];
    const inOrder = `order by ${sorted.map((name) => `${name} ${order}`).join(", ")} limit $${given.push(count)}`;
    const matching = (tests: readonly string[]) =>
      `${list.of.from} ${tests.length === 0 ? "" : `where ${tests.join(" and ")}`} ${inOrder}`;
    const pages = list.either?.map((condition) => `(select * from ${matching([condition, ...narrowed])})`);
    const from = pages ? `(${pages.join(" union all ")}) as pages ${inOrder}` : matching(narrowed);
    return db.query<Row & { readonly pageKey: string }>(
      `select ${list.of.columns}, concat_ws('-', ${key.map(textOf).join(", ")}) as "pageKey" from ${from}`,
      given,
    );
  };
  const rows: (Row & { readonly pageKey: string })[] = [];
  for await (const piece of list.pieces ?? [{}]) {
    rows.push(...(await read(piece, page.size + 1 - rows.length)));
    if (rows.length > page.size) break;
  }
  const last = rows[page.size - 1];
  const next = rows.length > page.size ? last?.pageKey : undefined;
  const items = rows.slice(0, page.size).map(({ pageKey: _, ...row }) => row as unknown as Row);
  const first = rows[0]?.pageKey;
  return { items, ...(first !== undefined && { first }), ...(next !== undefined && { next }) };
}

/** The SQL conditions of a `where`, whose values are added to `values`. */
export function conditionsOf(where: Readonly<Record<string, unknown>>, values: unknown[]): string[] {
  return Object.entries(where)
    .filter(([, value]) => value !== undefined)
    .map(([test, value]) => {
      if (value === true) return test;
      if (Array.isArray(value)) return `${test} = any ($${values.push(value)})`;
      return `${test}${/[<>=]$/.test(test) ? "" : " ="} $${values.push(value)}`;
    });
}

function keyColumn(column: string): KeyColumn {
  const [name = "", type = "text"] = column.split(" ");
  return { name, type };
}

/** In a page's position a time is written in microseconds, which contain no hyphen. */
function textOf({ name, type }: KeyColumn): string {
  return type === "timestamptz" ? `(extract(epoch from ${name}) * 1000000)::bigint` : name;
}

function placeValue(type: string, given: string): string {
  return type === "timestamptz" ? `'epoch'::timestamptz + ${given}::bigint * interval '1 us'` : `${given}::${type}`;
}

/** A number as PostgreSQL writes it: for the type xid8 it reads leading zeros as octal. */
const WHOLE_NUMBER = /^(0|[1-9]\d{0,17})$/;

/** The values of the key; undefined when the position is not valid. */
function placeOf(key: readonly KeyColumn[], after: string): readonly string[] | undefined {
  const parts = key.length === 1 ? [after] : after.split("-");
  const isPlace = key.every(({ type }, at) => type === "text" || WHOLE_NUMBER.test(parts[at] ?? ""));
  return isPlace && parts.length === key.length ? parts : undefined;
}
