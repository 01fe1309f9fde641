// The weekly partitions of outbound messages, by the time with which their sids begin. They are kept for ever.
//
//   outbound_messages_older      what was there before weeks were made, below the first of them
//   outbound_messages_20261116   a week
//   outbound_messages_later      everything after the last week
//
// They follow one another without a gap, so no insert ever fails, and PostgreSQL reads lists from one after the other:
// where there is a default partition it would look into all of them. Weeks are made ahead, where nothing is stored
// yet. What a jump of the clock left in `later` moves to its week when that is made; the weeks of a time when no server
// ran are one partition.

import { firstSidAt } from "../../../base/ids.ts";
import type { Queryable } from "./database.ts";
import { mondayOf, mondayOfPartition, partitionOf, WEEK_MS, WEEKS_AHEAD } from "./weeks.ts";

export const MESSAGES = "outbound_messages";
const OLDER = `${MESSAGES}_older`;
const LATER = `${MESSAGES}_later`;
const LEFT = `${MESSAGES}_left`;
/** An update of a message finds place in its page. */
const STORAGE = "with (fillfactor = 50)";

/** A partition holds the sids from `first` to that of the next one. */
export interface MessagePartition {
  readonly name: string;
  readonly first: string;
}

/** In the order of their sids. */
export async function listMessagePartitions(db: Queryable): Promise<readonly MessagePartition[]> {
  const rows = await db.query<{ name: string; bound: string }>(
    `select relname as name, pg_get_expr(relpartbound, oid) as bound from pg_inherits join pg_class on oid = inhrelid
      where inhparent = '${MESSAGES}'::regclass`,
  );
  return rows
    .map(({ name, bound }) => ({ name, first: /FROM \('([^']*)'\)/.exec(bound)?.[1] ?? "" }))
    .sort((one, other) => (one.first < other.first ? -1 : 1));
}

/** Sids that PostgreSQL may be asked for by name: of a partition that stays what it is for ever. */
export function isLasting({ name }: MessagePartition): boolean {
  return name !== LATER;
}

/** Makes the weeks up to some ahead. The caller holds the lock on partitions. */
export async function makeMessageWeeks(unit: Queryable, now: Date): Promise<void> {
  const last = (await listMessagePartitions(unit)).find(({ name }) => name === LATER);
  if (!last) return;
  const from = new Date(Number.parseInt(last.first.slice(2), 16));
  const end = mondayOf(now, WEEKS_AHEAD + 1);
  if (from >= end) return;
  const starts = [from];
  for (let start = mondayOf(now, -1); start < end; start = nextWeek(start)) if (start > from) starts.push(start);
  await unit.query(`alter table ${MESSAGES} detach partition ${LATER}`);
  await unit.query(`alter table ${LATER} rename to ${LEFT}`);
  await makePartitions(unit, starts, end);
  const [shown] = await unit.query<{ columns: string }>(
    `select string_agg(quote_ident(attname), ', ') as columns from pg_attribute
      where attrelid = '${MESSAGES}'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
  );
  const columns = shown?.columns ?? "";
  await unit.query(`insert into ${MESSAGES} (${columns}) select ${columns} from ${LEFT}`);
  await unit.query(`drop table ${LEFT}`);
}

/** Makes the partitions of an empty table anew, with these names; names that are not of weeks are ignored. */
export async function layMessageWeeks(unit: Queryable, names: readonly string[]): Promise<void> {
  const starts = names
    .flatMap((name) => mondayOfPartition(MESSAGES, name) ?? [])
    .sort((one, other) => one.getTime() - other.getTime());
  const [first, last] = [starts[0], starts.at(-1)];
  if (!first || !last) return;
  const [row] = await unit.query<{ isEmpty: boolean }>(`select not exists (select from ${MESSAGES}) as "isEmpty"`);
  if (!row?.isEmpty) throw new Error("the weeks of messages cannot be changed where there are some");
  for (const { name } of await listMessagePartitions(unit)) await unit.query(`drop table ${name}`);
  await unit.query(
    `create table ${OLDER} partition of ${MESSAGES} for values from (minvalue) to ('${firstSid(first)}') ${STORAGE}`,
  );
  await makePartitions(unit, starts, nextWeek(last));
}

/** Each partition ends where the next one starts, the last week at `end`. */
async function makePartitions(unit: Queryable, starts: readonly Date[], end: Date): Promise<void> {
  for (const [at, start] of starts.entries()) {
    const next = starts[at + 1] ?? end;
    await unit.query(
      `create table ${partitionOf(MESSAGES, start)} partition of ${MESSAGES} for values from ('${firstSid(start)}') to ('${firstSid(next)}') ${STORAGE}`,
    );
  }
  await unit.query(
    `create table ${LATER} partition of ${MESSAGES} for values from ('${firstSid(end)}') to (maxvalue) ${STORAGE}`,
  );
}

const firstSid = (at: Date) => firstSidAt("OM", at);
const nextWeek = (monday: Date) => new Date(monday.getTime() + WEEK_MS);
