// Weeks, as partitions are cut: from Monday to Monday, in UTC. A partition's name ends in the date of its Monday.

export const WEEK_MS = 7 * 24 * 3_600_000;
/** How many weeks partitions are made ahead. */
export const WEEKS_AHEAD = 4;
/** The Monday that weeks are counted from. */
const EPOCH_MS = Date.UTC(2024, 0, 1);

export function mondayOf(now: Date, weeksOn = 0): Date {
  const weeks = Math.floor((now.getTime() - EPOCH_MS) / WEEK_MS) + weeksOn;
  return new Date(EPOCH_MS + weeks * WEEK_MS);
}

export function partitionOf(table: string, monday: Date): string {
  return `${table}_${monday.toISOString().slice(0, 10).replaceAll("-", "")}`;
}

/** Undefined for the name of another table, or one that is not of a week. */
export function mondayOfPartition(table: string, name: string): Date | undefined {
  const match = name.startsWith(`${table}_`) ? /^(\d{4})(\d{2})(\d{2})$/.exec(name.slice(table.length + 1)) : null;
  return match ? new Date(Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3]))) : undefined;
}
