// How many rows of the migration tables were read, by PostgreSQL's own statistics: the cost of a pass.

import type { Database } from "../../src/adapters/store/engine/database.ts";

const TABLES = [
  "registry_campaigns",
  "tcr_campaigns",
  "messaging_configs",
  "port_orders",
  "port_order_numbers",
  "port_requests",
  "phones",
] as const;

export type Rows = Readonly<Record<(typeof TABLES)[number], number>>;

export async function rowsRead(database: Database): Promise<Rows> {
  const rows = await database.query<{ table: string; read: number }>(
    `select relname as table, (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::float8 as read
       from pg_stat_user_tables where relname = any($1)`,
    [TABLES],
  );
  return Object.fromEntries(rows.map(({ table, read }) => [table, read])) as Rows;
}

export function lessThan(after: Rows, before: Rows): Rows {
  return Object.fromEntries(TABLES.map((table) => [table, after[table] - before[table]])) as Rows;
}

/** Number of committed transactions. */
export async function passesOf(database: Database): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    "select xact_commit::float8 as count from pg_stat_database where datname = current_database()",
  );
  return row?.count ?? 0;
}

export function sumOf(rows: Rows): number {
  return Object.values(rows).reduce((sum, count) => sum + count, 0);
}

/** Limits for a migration of ten numbers, two or three times the usual cost. */
const PER_MIGRATION_MAX: Rows = {
  registry_campaigns: 100,
  tcr_campaigns: 50,
  messaging_configs: 600,
  port_orders: 150,
  port_order_numbers: 300,
  port_requests: 200,
  phones: 1000,
};
/** PostgreSQL reads a small table completely in every pass, which is cheap. */
const SMALL_TABLES = 100_000;

/** The tables of which more rows were read than this many migrations may cost. */
export function dearerThan(rows: Rows, migrations: number): readonly string[] {
  return TABLES.filter((table) => rows[table] > PER_MIGRATION_MAX[table] * migrations + SMALL_TABLES);
}
