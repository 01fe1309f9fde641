// A table is described once: each field of a domain record with its column, and the column's type where that is not
// text. From the description come the column lists that statements select, insert and set, under the record's field
// names, so a row that was read is the record. Statements stay SQL: they are written around these pieces.
//
//   const OPT_OUTS = table<OptOut>("opt_outs", { number: "number", createdOn: "created_at timestamptz" });
//   db.query<OptOut>(`${OPT_OUTS.select} where account_sid = $1`, [accountSid]);
//   db.query(`${OPT_OUTS.insert} on conflict do nothing`, [OPT_OUTS.rows(optOuts)]);

import type { Optional } from "../../../base/optional.ts";
import { listText } from "./array-text.ts";
import { jsonText } from "./json-text.ts";

export type Fields<Row> = { readonly [Field in keyof Row]-?: string };

export interface Table<Row extends object> {
  readonly fields: Fields<Row>;
  /** The table's name. */
  readonly from: string;
  /** The names of the columns. */
  readonly names: readonly string[];
  /** `account_sid as "accountSid", …`. */
  readonly columns: string;
  /** `select … from …`, without conditions. */
  readonly select: string;
  /**
   * The result of `rows` as a table with these columns: `json_to_recordset($1) as given (…)`. The planner expects a
   * hundred rows of it: a statement that joins it with a large table also narrows that table by a parameter.
   */
  readonly given: string;
  /**
   * The result of `lists`, given in the order of the columns from this parameter on, as a table with these columns:
   * `(select … from unnest(…)) as given`. For hot statements: PostgreSQL reads lists in half the time of JSON.
   */
  listed(first?: number): string;
  /** Inserts the result of `rows`, given as `$1`. */
  readonly insert: string;
  /** `sid = excluded.sid, …`, for `on conflict … do update set`. */
  readonly excluded: string;
  /** The columns of a table that the statement knows by this name. */
  columnsOf(name: string): string;
  /** The same table with only these fields. */
  only<Field extends keyof Row>(picked: readonly Field[]): Table<Pick<Row, Field>>;
  rows(records: readonly Optional<Row>[]): string;
  lists(records: readonly Optional<Row>[]): readonly string[];
  /** `name = $3, …` for the fields of a change that are not undefined, numbered from `first`, and their values. */
  set(change: Optional<Row>, first: number): { readonly sets: readonly string[]; readonly values: readonly unknown[] };
}

export type RowOf<Described> = Described extends Table<infer Row> ? Row : never;

interface Column {
  readonly field: string;
  readonly name: string;
  readonly type: string;
}

export function table<Row extends object>(name: string, fields: Fields<Row>): Table<Row> {
  const columns = Object.entries<string>(fields).map(([field, column]): Column => {
    const [columnName = "", type = "text"] = column.split(" ", 2);
    return { field, name: columnName, type };
  });
  const names = columns.map((column) => column.name);
  const columnsOf = (prefix: string) =>
    columns.map((column) => `${prefix}${column.name} as "${column.field}"`).join(", ");
  const given = `json_to_recordset($1) as given (${columns.map((column) => `${column.name} ${column.type}`).join(", ")})`;
  return {
    fields,
    from: name,
    names,
    columns: columnsOf(""),
    select: `select ${columnsOf("")} from ${name}`,
    given,
    listed: (
      first = 1,
    ) => `(select ${columns.map(({ name, type }) => (isList(type) ? `${name}::${type}` : name)).join(", ")}
  from unnest(${columns.map(({ type }, at) => `$${first + at}::${isList(type) ? "text" : type}[]`).join(", ")}) as given (${names.join(", ")})) as given`,
    insert: `insert into ${name} (${names.join(", ")}) select ${names.join(", ")} from ${given}`,
    excluded: columns.map((column) => `${column.name} = excluded.${column.name}`).join(", "),
    columnsOf: (known) => columnsOf(`${known}.`),
    only: (picked) =>
      table(
        name,
        Object.fromEntries(picked.map((field) => [field, fields[field]])) as Fields<Pick<Row, (typeof picked)[number]>>,
      ),
    rows: (records) => jsonText(records.map((record) => toRow(columns, record))),
    lists: (records) => columns.map(({ field }) => listText(records.map((record) => fieldOf(record, field)))),
    set(change, first) {
      const changed = columns.filter(({ field }) => fieldOf(change, field) !== undefined);
      return {
        sets: changed.map((column, at) => `${column.name} = $${first + at}`),
        values: changed.map(({ field, type }) => settable(fieldOf(change, field), type)),
      };
    },
  };
}

function fieldOf(record: object, field: string): unknown {
  return (record as Readonly<Record<string, unknown>>)[field];
}

function toRow(columns: readonly Column[], record: object): Readonly<Record<string, unknown>> {
  const row: Record<string, unknown> = {};
  for (const { field, name } of columns) {
    const value = fieldOf(record, field);
    // PostgreSQL reads an absent member as null, and a shorter text is parsed faster.
    if (value === null || value === undefined) continue;
    // PostgreSQL reads bytes in JSON as it writes them.
    row[name] = value instanceof Uint8Array ? `\\x${Buffer.from(value).toString("hex")}` : value;
  }
  return row;
}

/** A list of lists would have to be rectangular, so each inner list is written as text. */
function isList(type: string): boolean {
  return type.endsWith("[]");
}

function settable(value: unknown, type: string): unknown {
  return type === "jsonb" && value !== null ? jsonText(value) : value;
}
