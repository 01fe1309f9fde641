// Weekly partitions of the record tables: made some weeks ahead, dropped when older than records are kept. Dropping a
// table costs the same however many rows it has, so no table is scanned for old rows.

import type { Database, Queryable } from "./database.ts";
import { lock } from "./locks.ts";

export const RECORD_TABLES = ["events", "deliveries", "attempts"] as const;

/** Deliveries are updated once, often whole pages at a time: with free space on the page no index is touched (HOT). */
const STORAGE: Readonly<Record<string, string>> = { deliveries: " with (fillfactor = 50)" };

const WEEK_MS = 7 * 24 * 3_600_000;
/** The Monday that weeks are counted from. */
const EPOCH_MS = Date.UTC(2024, 0, 1);
const WEEKS_AHEAD = 4;

export interface PartitionDeps {
  readonly db: Database;
  readonly now: Date;
  readonly keepDays: number;
}

export async function tendPartitions({ db, now, keepDays }: PartitionDeps): Promise<void> {
  await db.transaction(async (unit) => {
    // One process at a time; the others find nothing left to do.
    await lock(unit, "tandem partitions");
    const rows = await unit.query<{ name: string }>(
      "select inhrelid::regclass::text as name from pg_inherits where inhparent = any($1::text[]::regclass[])",
      [RECORD_TABLES],
    );
    const existing = new Set(rows.map((row) => row.name));
    for (const table of RECORD_TABLES) {
      // One week back too: an event may be written by a process whose clock is behind.
      for (let week = -1; week <= WEEKS_AHEAD; week++) await makePartition(unit, existing, table, mondayOf(now, week));
    }
    const oldest = now.getTime() - keepDays * 24 * 3_600_000;
    for (const name of existing) {
      const start = startOf(name);
      if (start !== undefined && start + WEEK_MS <= oldest) await unit.query(`drop table ${name}`);
    }
  });
}

async function makePartition(
  unit: Queryable,
  existing: ReadonlySet<string>,
  table: string,
  monday: Date,
): Promise<void> {
  const name = `${table}_${monday.toISOString().slice(0, 10).replaceAll("-", "")}`;
  if (existing.has(name)) return;
  const next = new Date(monday.getTime() + WEEK_MS);
  await unit.query(
    `create table ${name} partition of ${table} for values from ('${monday.toISOString()}') to ('${next.toISOString()}')${STORAGE[table] ?? ""}`,
  );
}

function mondayOf(now: Date, weeksOn: number): Date {
  const weeks = Math.floor((now.getTime() - EPOCH_MS) / WEEK_MS) + weeksOn;
  return new Date(EPOCH_MS + weeks * WEEK_MS);
}

function startOf(partition: string): number | undefined {
  const match = /^(events|deliveries|attempts)_(\d{4})(\d{2})(\d{2})$/.exec(partition);
  return match ? Date.UTC(Number(match[2]), Number(match[3]) - 1, Number(match[4])) : undefined;
}
