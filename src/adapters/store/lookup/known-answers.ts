// What the store knows about a number: the operator's override, a number of our own, or a cached live answer. One
// statement for all numbers looked up at the same moment, and none for numbers that the store cannot know.

import type { KnownAnswer, KnownAnswers } from "../../../domain/lookup/index.ts";
import type { Database, Queryable } from "../engine/database.ts";
import { gather } from "../engine/gather.ts";
import { named } from "../engine/named-statements.ts";
import { run } from "../engine/statements.ts";
import { cutoff, sweep } from "../engine/sweeps.ts";

type Row = KnownAnswer["answer"]["info"] &
  Omit<KnownAnswer["answer"], "info" | "ported"> & {
    readonly kind: KnownAnswer["kind"];
    readonly expiresAt: Date | null;
    readonly ported: boolean | null;
  };

// In order of authority: a later row never replaces an earlier one. A number of ours takes messages when it is Active;
// one that is still being ported in is not ours yet.
const FIND = named(
  "find-known-answers",
  `
select 'override' as kind, number, 'override' as source, status, type, carrier_name as "carrierName",
       updated_at as "asOf", null::timestamptz as "expiresAt", null::boolean as ported
  from lookup_overrides where number = any($1)
union all
select 'own', number, 'own', case status when 'Active' then 'Active' else 'Inactive' end, 'VoIP', $2, updated_at, null,
       port_order_sid is not null
  from phones where number = any($1) and status not in ('Removed', 'PendingPortIn')
union all
select 'own', number, 'own', 'Inactive', 'VoIP', $2, created_at, null, null
  from inventory_numbers where number = any($1)
union all
select 'cached', number, source, status, type, carrier_name, as_of, expires_at, ported
  from lookup_cache where number = any($1)`,
);

export interface KnownAnswersOrder {
  readonly ownCarrierName: string;
  /** Whether there may be an override for the number, or it may be one of ours. */
  readonly mayKnow: (number: string) => boolean;
  /** Without live providers there are no answers to cache. */
  readonly hasProviders: boolean;
}

export function knownAnswers(db: Database, { ownCarrierName, mayKnow, hasProviders }: KnownAnswersOrder): KnownAnswers {
  const questions = gather<string, KnownAnswer | undefined>(async (numbers) => {
    const rows = await db.query<Row>(FIND, [numbers, ownCarrierName]);
    if (rows.length === 0) return numbers.map(() => undefined);
    const known = new Map<string, KnownAnswer>();
    for (const row of rows) if (!known.has(row.number)) known.set(row.number, toKnown(row));
    return numbers.map((number) => known.get(number));
  });
  return {
    find: (number) => (hasProviders || mayKnow(number) ? questions.ask(number) : undefined),
    remember: ({ info, source, asOf, ported }, expiresAt) =>
      run(
        db,
        `insert into lookup_cache (number, source, status, type, carrier_name, as_of, expires_at, ported)
         values ($1, $2, $3, $4, $5, $6, $7, $8)
         on conflict (number) do update set source = excluded.source, status = excluded.status, type = excluded.type,
           carrier_name = excluded.carrier_name, as_of = excluded.as_of, expires_at = excluded.expires_at,
           ported = excluded.ported`,
        [info.number, source, info.status, info.type, info.carrierName, asOf, expiresAt, ported ?? null],
      ),
  };
}

function toKnown({ kind, number, status, type, carrierName, source, asOf, expiresAt, ported }: Row): KnownAnswer {
  const said = ported === null ? {} : { ported };
  const answer = { info: { number, status, type, carrierName }, source, asOf, ...said };
  return expiresAt === null ? { kind, answer } : { kind, answer, expiresAt };
}

const STALE_KEPT_MS = 7 * 24 * 3_600_000;

/** Deletes expired answers. */
export function sweepLookupCache(db: Queryable, now: Date): Promise<number> {
  return sweep(db, "lookup_cache", "expires_at < $1", [cutoff(now, STALE_KEPT_MS)]);
}
