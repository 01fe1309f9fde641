// Weekly partitions of the record tables: created some weeks ahead, dropped when older than records are kept. Dropping
// a table costs the same however many rows it has, so no table is scanned for old rows. Those of messages, which are
// kept for ever, are made at the same time (message-weeks.ts).
//
// When the clock jumps by weeks, records of a week without a partition go to the default partition; maintenance then
// creates the partitions of their weeks and moves them there. So no insert ever fails, and the default partition is
// mostly empty.
//
// While a backup runs nothing is created or dropped: that would wait for the backup, and every insert would wait, too.

import type { Database, Queryable } from "./database.ts";
import { BACKUP_LOCK, lock } from "./locks.ts";
import { layMessageWeeks, MESSAGES, makeMessageWeeks } from "./message-weeks.ts";
import { mondayOf, mondayOfPartition, partitionOf, WEEK_MS, WEEKS_AHEAD } from "./weeks.ts";

export const RECORD_TABLES = ["events", "deliveries", "attempts"] as const;

type RecordTable = (typeof RECORD_TABLES)[number];

/** The column by which the table is partitioned. */
const TIMES: Readonly<Record<RecordTable, string>> = { events: "created_at", deliveries: "created_at", attempts: "at" };

export interface PartitionDeps {
  readonly db: Database;
  readonly now: Date;
  readonly keepDays: number;
}

export async function tendPartitions({ db, now, keepDays }: PartitionDeps): Promise<void> {
  await db.transaction(async (unit) => {
    const [free] = await unit.query<{ isFree: boolean }>(
      `select pg_try_advisory_xact_lock_shared(${BACKUP_LOCK}) as "isFree"`,
    );
    if (!free?.isFree) return;
    // One process at a time; the others find nothing left to do.
    await lock(unit, "tandem partitions");
    const rows = await unit.query<{ name: string }>(
      "select inhrelid::regclass::text as name from pg_inherits where inhparent = any($1::text[]::regclass[])",
      [RECORD_TABLES],
    );
    const existing = new Set(rows.map((row) => row.name));
    const oldest = now.getTime() - keepDays * 24 * 3_600_000;
    for (const table of RECORD_TABLES) {
      // The previous week, too: an event may be written by a process whose clock is behind.
      const mondays = Array.from({ length: WEEKS_AHEAD + 2 }, (_, at) => mondayOf(now, at - 1));
      await makePartitions(unit, existing, table, mondays);
    }
    for (const name of existing) {
      const start = mondayOfRecords(name);
      if (start && start.getTime() + WEEK_MS <= oldest) await unit.query(`drop table ${name}`);
    }
    await makeMessageWeeks(unit, now);
  });
}

async function makePartitions(
  unit: Queryable,
  existing: Set<string>,
  table: RecordTable,
  mondays: readonly Date[],
): Promise<void> {
  const at = TIMES[table];
  const [left] = await unit.query<{ weeks: Date[] | null }>(
    `select array_agg(distinct date_trunc('week', ${at}, 'UTC')) as weeks from ${table}_default`,
  );
  const weeks = left?.weeks ?? [];
  // PostgreSQL creates no partition for rows that are in the default one: they are set aside meanwhile.
  if (weeks.length > 0) {
    await unit.query(`alter table ${table} detach partition ${table}_default`);
    await unit.query(`alter table ${table}_default rename to ${table}_left`);
  }
  for (const monday of [...mondays, ...weeks]) await makePartition(unit, existing, table, monday);
  if (weeks.length === 0) return;
  const [shown] = await unit.query<{ columns: string }>(
    `select string_agg(quote_ident(attname), ', ') as columns from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  );
  const columns = shown?.columns ?? "";
  await unit.query(`insert into ${table} (${columns}) overriding system value select ${columns} from ${table}_left`);
  await unit.query(`drop table ${table}_left`);
  await unit.query(`create table ${table}_default partition of ${table} default`);
}

/** Creates the partitions with these names; names that are not of weeks are ignored. */
export async function makeNamedPartitions(unit: Queryable, table: string, names: readonly string[]): Promise<void> {
  if (table === MESSAGES) return layMessageWeeks(unit, names);
  const record = RECORD_TABLES.find((known) => known === table);
  if (!record) return;
  for (const name of names) {
    const start = mondayOfPartition(record, name);
    if (start) await makePartition(unit, new Set(), record, start);
  }
}

async function makePartition(unit: Queryable, existing: Set<string>, table: RecordTable, monday: Date): Promise<void> {
  const name = partitionOf(table, monday);
  if (existing.has(name)) return;
  existing.add(name);
  const next = new Date(monday.getTime() + WEEK_MS);
  await unit.query(
    `create table ${name} partition of ${table} for values from ('${monday.toISOString()}') to ('${next.toISOString()}')`,
  );
}

function mondayOfRecords(partition: string): Date | undefined {
  for (const table of RECORD_TABLES) {
    const monday = mondayOfPartition(table, partition);
    if (monday) return monday;
  }
  return undefined;
}
