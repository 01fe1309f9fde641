// One page of a list by key. Selects one row more than it returns, to know whether there is a next page.
//
// Guarantees: reads a bounded number of rows, however many the account has. What an index finds in the order of the
// list is read until the page is full. Other conditions filter what it finds, of at most `readMax` rows: a page for
// which that was not enough is shorter than asked for, perhaps empty, and still names the next, which begins there.

import type { Page, PageRequest } from "../../../base/page.ts";
import type { Queryable } from "./database.ts";

/** The columns to select and where from; a described table is one. */
export interface Selection {
  readonly columns: string;
  readonly from: string;
  /** Joins that make items of each row of `from`; the place of an item in its row is the last column of the key. */
  readonly joined?: { readonly tables: string; readonly placesMax: number };
}

/**
 * Value by `column`, `column >=` or another comparison. Undefined: no condition; true: the name is the condition; a
 * list: one of its values.
 */
export type Conditions = Readonly<Record<string, unknown>>;

/** Where rows are looked for. */
export interface Source {
  /** What an index has, in the order of the list. */
  readonly where?: Conditions;
  /**
   * What an index has in another order: where this holds for few rows, all of them are read, and `where` is one of the
   * conditions that filter them.
   */
  readonly few?: Conditions;
  /** It holds for a bounded number of rows, so they are not counted. */
  readonly isFew?: boolean;
  /** What is tested of each row that was read of this source. */
  readonly filter?: Conditions;
}

/** Further conditions; or the end: everything before this place of the list has been looked at, and nothing after. */
export type Piece = { readonly where: Conditions } | { readonly end: string };

export interface ListQuery {
  readonly of: Selection;
  /** The parameters of `of` and of conditions that are names, from `$1` on. */
  readonly values?: readonly unknown[];
  /** Each row of the list is of one of them; without any, all rows are. */
  readonly sources?: readonly Source[];
  /** What indexes have in every source. */
  readonly where?: Conditions;
  /** What is tested of each row that was read. */
  readonly filter?: Conditions;
  /**
   * Further conditions, by which the rows are read piece by piece until the page is full. Every row meets those of one
   * piece, and pieces come in the order of the page.
   */
  readonly pieces?: AsyncIterable<Piece>;
  /** The columns that identify and order the rows, each with its type where that is not text: `["id bigint"]`. */
  readonly key: readonly string[];
  /** The items are made of rows that an index has: the last column of the key is that of the row plus a place in it. */
  readonly rows?: { readonly start: string; readonly place: string; readonly placesMax: number };
}

/** At most this many rows are looked through for a page. */
export const READ_MAX = 20_000;
/** So many of them are few. */
const FEW_SHARE = 10;

interface KeyColumn {
  readonly name: string;
  readonly type: string;
}

type Keyed<Row> = Row & { readonly pageKey: string };

export async function fetchPage<Row extends object>(
  db: Queryable,
  page: PageRequest,
  list: ListQuery,
): Promise<Page<Row>> {
  const key = list.key.map(keyColumn);
  const place = page.after === undefined ? [] : placeOf(key, page.after);
  if (!place) return { items: [] };
  const reader = new PageReader<Row>(db, page, list, key, place);
  const { rows, end } = await reader.read();
  const next = rows.length > page.size ? rows[page.size - 1]?.pageKey : end;
  const items = rows.slice(0, page.size).map(({ pageKey: _, ...row }) => row as unknown as Row);
  const first = rows[0]?.pageKey;
  return { items, ...(first !== undefined && { first }), ...(next !== undefined && { next }) };
}

/** How a source is read: until the page is full, so many rows in the order of an index, or all of its few rows. */
interface Way {
  readonly kind: "page" | "window" | "few";
  readonly inner: readonly Conditions[];
  readonly outer: readonly Conditions[];
}

class PageReader<Row extends object> {
  readonly #db: Queryable;
  readonly #page: PageRequest;
  readonly #list: ListQuery;
  readonly #key: readonly KeyColumn[];
  readonly #place: readonly string[];
  readonly #sources: readonly Source[];
  readonly #readMax: number;
  readonly #isDown: boolean;

  constructor(db: Queryable, page: PageRequest, list: ListQuery, key: readonly KeyColumn[], place: readonly string[]) {
    [this.#db, this.#page, this.#list, this.#key, this.#place] = [db, page, list, key, place];
    this.#sources = list.sources ?? [{}];
    this.#readMax = page.readMax ?? READ_MAX;
    this.#isDown = page.direction === "Descending";
  }

  async read(): Promise<{ readonly rows: readonly Keyed<Row>[]; readonly end?: string | undefined }> {
    const { size } = this.#page;
    const rows: Keyed<Row>[] = [];
    let left = this.#readMax;
    for await (const piece of this.#list.pieces ?? [{ where: {} }]) {
      if ("end" in piece) return this.#cut(rows, piece.end);
      const ways = await this.#waysOf(piece.where);
      rows.push(...(await this.#rowsOf(ways, size + 1 - rows.length, left)));
      const isFull = rows.length > size;
      // Of several sources, one may have more rows in a part of the list that another has not reached.
      if (isFull && ways.length === 1) break;
      const { count, ends } = await this.#lookedAt(ways, left, isFull ? rows.at(-1)?.pageKey : undefined);
      const [end] = ends.sort((one, other) => (this.#isAfter(one, other) ? 1 : -1));
      if (end !== undefined) return this.#cut(rows, end);
      if (isFull) break;
      left = Math.max(1, left - count);
    }
    return { rows };
  }

  /**
   * Without the rows after the end: those of another source, and those that are further away because rows were added
   * before the end was looked for. The next page has them.
   */
  #cut(rows: readonly Keyed<Row>[], end: string) {
    return { rows: rows.filter(({ pageKey }) => !this.#isAfter(pageKey, end)), end };
  }

  #isAfter(one: string, other: string): boolean {
    const partsOf = (key: string) => (this.#key.length === 1 ? [key] : key.split("-"));
    const [parts, others] = [partsOf(one), partsOf(other)];
    for (const [at, { type }] of this.#key.entries()) {
      const readPart = (text = "0") => (type === "text" ? text : BigInt(text));
      const [part, than] = [readPart(parts[at]), readPart(others[at])];
      if (part !== than) return this.#isDown ? part < than : part > than;
    }
    return false;
  }

  #waysOf(piece: Conditions): Promise<readonly Way[]> {
    const { where = {}, filter: ofAll = {} } = this.#list;
    return Promise.all(
      this.#sources.map(async ({ where: own = {}, few, isFew, filter = {} }): Promise<Way> => {
        const found = [few ?? {}, where, piece];
        const tests = [filter, ofAll];
        if (few && (isFew || (await this.#isFew(found)))) return { kind: "few", inner: found, outer: [own, ...tests] };
        const inner = [own, where, piece];
        const outer = [few ?? {}, ...tests];
        const isWindow = this.#list.of.joined !== undefined || outer.some(isNarrowing);
        return { kind: isWindow ? "window" : "page", inner, outer };
      }),
    );
  }

  async #isFew(conditions: readonly Conditions[]): Promise<boolean> {
    const values = [...(this.#list.values ?? [])];
    const max = this.#readMax / FEW_SHARE;
    const looked = `select from ${this.#list.of.from}${whereOf(conditions, values)} limit $${values.push(max + 1)}`;
    return (await this.#count(looked, values)) <= max;
  }

  async #count(select: string, values: readonly unknown[]): Promise<number> {
    const [row] = await this.#db.query<{ count: number }>(
      `select count(*)::int as count from (${select}) as looked`,
      values,
    );
    return row?.count ?? 0;
  }

  #rowsOf(ways: readonly Way[], count: number, readMax: number): Promise<Keyed<Row>[]> {
    const { of } = this.#list;
    const values = [...(this.#list.values ?? [])];
    const sorted = `order by ${this.#inOrder(this.#sortedBy())} limit $${values.push(count)}`;
    const selects = ways.map((way) => `${this.#select(way, values, readMax)} ${sorted}`);
    const from =
      selects.length === 1
        ? selects[0]
        : `(${selects.map((select) => `(select * from ${select})`).join(" union all ")}) as pages ${sorted}`;
    const key = this.#key.map(textOf).join(", ");
    return this.#db.query<Keyed<Row>>(`select ${of.columns}, concat_ws('-', ${key}) as "pageKey" from ${from}`, values);
  }

  /** SQL after `from`: the rows that are found so. */
  #select({ kind, inner, outer }: Way, values: unknown[], readMax: number): string {
    const { from, joined } = this.#list.of;
    if (kind === "page") return from + whereOf(inner, values, this.#follows(values));
    const read =
      kind === "window"
        ? this.#window(inner, values, readMax)
        : `select * from ${from}${whereOf(inner, values)} offset 0`;
    return `(${read}) as ${nameOf(from)} ${joined?.tables ?? ""}${whereOf(outer, values, this.#follows(values))}`;
  }

  /** SQL: the next rows by the index. */
  #window(inner: readonly Conditions[], values: unknown[], readMax: number, selected = "*"): string {
    const sorted = this.#list.of.joined ? this.#base().map(({ name }) => name) : this.#sortedBy();
    const reached = this.#list.of.joined ? this.#reaches(values) : this.#follows(values);
    return `select ${selected} from ${this.#list.of.from}${whereOf(inner, values, reached)}
      order by ${this.#inOrder(sorted)} limit $${values.push(readMax)}`;
  }

  /**
   * How many rows of the windows were looked at, and where those end that did not come to the end of the list, or
   * `until` there, which is the key of several sources.
   */
  async #lookedAt(ways: readonly Way[], readMax: number, until: string | undefined) {
    const before: Conditions = { [`${this.#key[0]?.name} ${this.#isDown ? ">=" : "<="}`]: until };
    let most = 0;
    const ends: string[] = [];
    for (const { kind, inner } of ways) {
      if (kind !== "window") continue;
      const values = [...(this.#list.values ?? [])];
      const count = await this.#count(this.#window([...inner, before], values, readMax, ""), values);
      most = Math.max(most, count);
      const end = count === readMax ? await this.#endOf(inner, readMax) : undefined;
      if (end !== undefined) ends.push(end);
    }
    return { count: most, ends };
  }

  async #endOf(inner: readonly Conditions[], readMax: number): Promise<string | undefined> {
    const { joined } = this.#list.of;
    // Everything that is made of the last row has been looked at.
    const last = joined ? [this.#isDown ? "0" : String(joined.placesMax)] : [];
    const values = [...(this.#list.values ?? [])];
    const shown = `concat_ws('-', ${[...this.#base().map(textOf), ...last].join(", ")}) as "pageKey"`;
    const end = `${this.#window(inner, values, 1, shown)} offset $${values.push(readMax - 1)}`;
    const [row] = await this.#db.query<{ pageKey: string }>(end, values);
    return row?.pageKey;
  }

  /** The columns of the key that rows of `from` have. */
  #base(): readonly KeyColumn[] {
    return this.#list.of.joined ? this.#key.slice(0, -1) : this.#key;
  }

  /** What items are sorted by. */
  #sortedBy(): readonly string[] {
    const names = this.#key.map(({ name }) => name);
    const { rows } = this.#list;
    return rows ? [...names.slice(0, -1), rows.start, rows.place] : names;
  }

  #inOrder(names: readonly string[]): string {
    return names.map((name) => `${name} ${this.#isDown ? "desc" : "asc"}`).join(", ");
  }

  /** The conditions that a row has the place of the page or a later one. */
  #reaches(values: unknown[]): readonly string[] {
    if (this.#place.length === 0) return [];
    const base = this.#base();
    const given = base.map(({ type }, at) => placeValue(type, `$${values.push(this.#place[at])}`));
    return [`(${base.map(({ name }) => name).join(", ")}) ${this.#isDown ? "<=" : ">="} (${given.join(", ")})`];
  }

  /** The conditions that an item has a later place. */
  #follows(values: unknown[]): readonly string[] {
    if (this.#place.length === 0) return [];
    const { rows } = this.#list;
    const names = this.#key.map(({ name }) => name);
    const given = this.#key.map(({ type }, at) => placeValue(type, `$${values.push(this.#place[at])}`)).join(", ");
    const than = this.#isDown ? "<" : ">";
    const follows = `(${names.join(", ")}) ${than} (${given})`;
    if (!rows) return [follows];
    const starts = [...names.slice(0, -1), rows.start].join(", ");
    return [follows, `(${starts}) ${than} (${given}${this.#isDown ? "" : ` - ${rows.placesMax}`})`];
  }
}

const isNarrowing = (conditions: Conditions) => Object.values(conditions).some((value) => value !== undefined);

/** SQL: with a space before it, if there is a condition. */
function whereOf(conditions: readonly Conditions[], values: unknown[], further: readonly string[] = []): string {
  const tests = [...conditions.flatMap((each) => conditionsOf(each, values)), ...further];
  return tests.length === 0 ? "" : ` where ${tests.join(" and ")}`;
}

/** The name by which a statement knows what is after `from`. */
function nameOf(from: string): string {
  return /(\w+)$/.exec(from)?.[1] ?? from;
}

/** The SQL of conditions, whose values are added to `values`. */
export function conditionsOf(where: Conditions, values: unknown[]): string[] {
  return Object.entries(where)
    .filter(([, value]) => value !== undefined)
    .map(([test, value]) => {
      if (value === true) return test;
      const isCompared = /[<>=]$/.test(test);
      if (Array.isArray(value) && !isCompared) return `${test} = any ($${values.push(value)})`;
      return `${test}${isCompared ? "" : " ="} $${values.push(value)}`;
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
