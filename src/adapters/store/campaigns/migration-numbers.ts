// The numbers of migrations, each with its events.

import type { MigrationFacts, MigrationNumber } from "../../../domain/migrations/index.ts";
import { PHONE_STATUSES, type PhoneStatus } from "../../../domain/numbers/index.ts";
import type { Queryable } from "../engine/database.ts";

/** Timeline entries per number. */
const ENTRIES_MAX = 50;

/** A campaign and a config that names it or is linked to it. */
export interface Pair {
  readonly id: string;
  readonly sid: string;
}

/** SQL: the pairs, as the second and third parameter of a statement. */
export const PAIRS = "unnest($2::text[], $3::text[]) as wanted (id, config_sid)";
export const columnsOf = (pairs: readonly Pair[]) => [pairs.map(({ id }) => id), pairs.map(({ sid }) => sid)];

export interface CountedNumber {
  readonly id: string;
  readonly number: MigrationNumber;
  /** How many of the campaign's numbers are in the same status. */
  readonly alike: number;
}

/** The numbers of its configs, and those of its port orders that belong to no config (any more). */
export async function numbersOf(
  db: Queryable,
  accountSid: string,
  pairs: readonly Pair[],
  countMax: number,
): Promise<readonly CountedNumber[]> {
  type Row = Omit<MigrationNumber, "timeline"> & Omit<CountedNumber, "number">;
  if (pairs.length === 0) return [];
  const rows = await db.query<Row>(
    `with wanted as materialized (
       select id, config_sid from ${PAIRS}
     ), found as (
       select wanted.id, phones.id as phone_id from wanted join phones on phones.messaging_config_sid = wanted.config_sid
       union
       select wanted.id, phones.id from wanted
         join port_orders as orders on orders.messaging_config_sid = wanted.config_sid and orders.account_sid = $1
         join port_order_numbers as ordered on ordered.order_sid = orders.sid
         join phones on phones.number = ordered.number and phones.port_order_sid = orders.sid and phones.messaging_config_sid is null
     ), latest as (
       select distinct on (found.id, phones.number) found.id as campaign_id, phones.*
         from found join phones on phones.id = found.phone_id where phones.account_sid = $1
        order by found.id, phones.number, phones.id desc
     ), counted as (
       select *, count(*) over (partition by campaign_id, status) as alike,
              row_number() over (partition by campaign_id order by status = 'Active', number) as place,
              row_number() over (partition by campaign_id, status order by number) as place_alike
         from latest
     )
     select campaign_id as id, number, status, status_reason as "statusReason", messaging_config_sid as "messagingConfigSid",
            port_order_sid as "portOrderSid", created_at as "createdOn", activate_at as "activatesOn", alike::integer
       from counted where place <= $4 or place_alike = 1 order by place`,
    [accountSid, ...columnsOf(pairs), countMax],
  );
  return rows.map(({ id, alike, ...number }) => ({ id, alike, number: { ...number, timeline: [] } }));
}

export function countsOf(numbers: readonly CountedNumber[]): MigrationFacts["counts"] {
  const alike = new Map(numbers.map((counted) => [counted.number.status, counted.alike]));
  return Object.fromEntries(
    PHONE_STATUSES.map((status) => [status, alike.get(status) ?? 0]),
  ) as MigrationFacts["counts"];
}

export async function withTimelines(
  db: Queryable,
  accountSid: string,
  numbers: readonly MigrationNumber[],
): Promise<readonly MigrationNumber[]> {
  interface Row {
    readonly number: string;
    readonly at: Date;
    readonly status: PhoneStatus;
    readonly previousStatus: PhoneStatus | null;
    readonly reason: string | null;
  }
  if (numbers.length === 0) return [];
  const rows = await db.query<Row>(
    `select wanted.number, told.created_at as at, told.fields->>'Status' as status, told.fields->>'PreviousStatus' as "previousStatus",
            told.fields->>'Reason' as reason
       from unnest($2::text[], $3::timestamptz[]) as wanted (number, since)
       join lateral (
         select created_at, fields, sequence from events
          where resource_sid = wanted.number and account_sid = $1 and type = 'PhoneNumberStatusChanged' and created_at >= wanted.since
          order by sequence desc limit $4
       ) as told on true
      order by wanted.number, told.sequence`,
    [accountSid, numbers.map(({ number }) => number), numbers.map(({ createdOn }) => createdOn), ENTRIES_MAX],
  );
  const entries = new Map<string, Omit<Row, "number">[]>();
  for (const { number, ...entry } of rows) entries.set(number, [...(entries.get(number) ?? []), entry]);
  return numbers.map((number) => ({ ...number, timeline: entries.get(number.number) ?? [] }));
}
