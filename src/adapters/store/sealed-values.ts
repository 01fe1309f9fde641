// Every column that holds values sealed with the secret key, and resealing them while other processes read and write.
//
// A value is replaced only if it is still the one that was read. A row that another transaction has locked is left for
// the next pass, so that sealing never waits while it holds other rows, and cannot be part of a deadlock.

import { KEY_ID_BYTES, type SecretKey, SecretKeys } from "../secrets.ts";
import { textArray } from "./engine/array-text.ts";
import type { Queryable } from "./engine/database.ts";
import { countOf } from "./engine/statements.ts";

export interface SealedColumn {
  /** What the values are, in the plural. */
  readonly what: string;
  readonly table: string;
  /** The primary key; its columns are compared as text. */
  readonly key: readonly string[];
  readonly column: string;
  /** A row has several values. */
  readonly isList?: true;
}

/** The check and the retired keys (`secret-keys.ts`) are sealed again when the key of the database changes. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { what: "webhook secrets", table: "webhook_subscriptions", key: ["sid"], column: "secret" },
  { what: "bearers of webhooks", table: "webhook_subscriptions", key: ["sid"], column: "bearer" },
  {
    what: "replaced webhook secrets",
    table: "webhook_subscriptions",
    key: ["sid"],
    column: "replaced_secrets",
    isList: true,
  },
  { what: "signing tokens", table: "account_tokens", key: ["account_sid", "n"], column: "sealed" },
  { what: "PINs of port orders", table: "port_orders", key: ["sid"], column: "pins" },
  { what: "remembered answers", table: "kept_answers", key: ["scope", "key"], column: "answer" },
];

const BATCH_MAX = 200;

/** SQL: the row has a value that was sealed with another key than $1, or without a key's id. */
function isUnderAnother({ column, isList }: SealedColumn): string {
  const isOther = (value: string) => `substring(${value} from 1 for ${KEY_ID_BYTES}) <> $1`;
  if (!isList) return isOther(column);
  return `exists (select from unnest(${column}) as each (value) where ${isOther("value")})`;
}

/** How many rows of each column have a value that was sealed with another key. */
export async function countUnderOthers(
  db: Queryable,
  key: Pick<SecretKey, "id">,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const column of SEALED_COLUMNS) {
    const counting = `select count(*)::int as count from ${column.table} where ${isUnderAnother(column)}`;
    counts.set(column.what, await countOf(db, counting, [key.id]));
  }
  return counts;
}

export interface SealedPass {
  /** Rows that were sealed again. */
  readonly sealed: number;
  /** Rows with a value that none of the keys opens. */
  readonly unreadable: number;
  /** Rows that another transaction has changed or locked meanwhile. */
  readonly left: number;
}

/** Seals with the first key, in one pass over all columns, in short transactions; `progress` is called per batch. */
export async function sealAnew(
  db: Queryable,
  keys: readonly SecretKey[],
  progress: (sealed: number) => void,
): Promise<SealedPass> {
  const sum = { sealed: 0, unreadable: 0, left: 0 };
  for (const column of SEALED_COLUMNS) {
    let after = column.key.map(() => "");
    for (;;) {
      const rows = await readBatch(db, column, keys, after);
      const last = rows.at(-1);
      if (!last) break;
      after = column.key.map((name) => last[name] as string);
      const fresh = rows.flatMap((row) => resealed(keys, row) ?? []);
      const sealed = fresh.length === 0 ? 0 : await storeBatch(db, column, fresh);
      sum.sealed += sealed;
      sum.left += fresh.length - sealed;
      sum.unreadable += rows.length - fresh.length;
      progress(sealed);
    }
  }
  return sum;
}

/** The columns of the primary key, and the values of the sealed column. */
type Row = Readonly<Record<string, unknown>> & { readonly values: readonly Buffer[] };
type FreshRow = Row & { readonly fresh: readonly Buffer[] };

function readBatch(db: Queryable, column: SealedColumn, keys: readonly SecretKey[], after: readonly string[]) {
  const list = column.key.map((name) => `${name}::text`).join(", ");
  return db.query<Row>(
    `select ${list}, ${column.isList ? column.column : `array[${column.column}]`} as values from ${column.table}
      where (${list}) > (${after.map((_, at) => `$${at + 2}::text`).join(", ")}) and ${isUnderAnother(column)}
      order by ${list} limit ${BATCH_MAX}`,
    [keys[0]?.id, ...after],
  );
}

/** Undefined when no value could be sealed again; what cannot be opened stays as it is. */
function resealed(keys: readonly SecretKey[], row: Row): FreshRow | undefined {
  const box = new SecretKeys(keys);
  const reseal = (sealed: Buffer) => {
    if (keys[0]?.id.equals(sealed.subarray(0, KEY_ID_BYTES))) return sealed;
    try {
      return box.seal(box.open(sealed));
    } catch {
      return sealed;
    }
  };
  const fresh = row.values.map(reseal);
  return fresh.every((each, at) => each === row.values[at]) ? undefined : { ...row, fresh };
}

/** Returns how many were stored. */
async function storeBatch(db: Queryable, column: SealedColumn, rows: readonly FreshRow[]): Promise<number> {
  const { table, key, isList } = column;
  const type = isList ? "bytea[]" : "bytea";
  const names = key.map((_, at) => `key${at}`);
  const isSame = key.map((name, at) => `${table}.${name}::text = given.key${at}`).join(" and ");
  const isUnchanged = `${table}.${column.column} = given.sealed::${type}`;
  const lists = [...names, "sealed", "fresh"];
  const stored = await db.query(
    `with given (${lists.join(", ")}) as (select * from unnest(${lists.map((_, at) => `$${at + 1}::text[]`).join(", ")})),
     held as (
       select ${names.map((name) => `given.${name}`).join(", ")} from ${table}
         join given on ${isSame} and ${isUnchanged} for update of ${table} skip locked
     )
     update ${table} set ${column.column} = given.fresh::${type} from given join held using (${names.join(", ")})
      where ${isSame} and ${isUnchanged} returning 1`,
    [
      ...key.map((name) => rows.map((row) => row[name])),
      rows.map(({ values }) => literal(values, isList)),
      rows.map(({ fresh }) => literal(fresh, isList)),
    ],
  );
  return stored.length;
}

function literal(values: readonly Buffer[], isList: true | undefined): string {
  const texts = values.map((value) => `\\x${value.toString("hex")}`);
  return isList ? textArray(texts) : (texts[0] as string);
}
