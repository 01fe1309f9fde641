// Answers stored under an Idempotency-Key for 24 hours, encrypted, because they may hold a secret that is shown once. A
// claim is a row without an answer. It counts as running for a minute, longer than a request may take; after that any
// request may take it over: work and answer commit together, so a claim without an answer did nothing. What an outage
// of the database leaves behind is released sooner (stray-claims.ts).

import { randomUUID } from "node:crypto";
import { Unavailable } from "../../../base/unavailable.ts";
import type { SecretBox } from "../../secrets.ts";
import type { Queryable } from "../engine/database.ts";
import { gather } from "../engine/gather.ts";
import { named } from "../engine/named-statements.ts";
import { cutoff, sweep } from "../engine/sweeps.ts";
import { StrayClaims } from "./stray-claims.ts";

const CLAIM_MS = 60_000;
const KEPT_MS = 24 * 3_600_000;

export interface Claim {
  readonly scope: string;
  readonly key: string;
  readonly id: string;
}

export interface StoredAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly file?: { readonly name: string; readonly contentType: string };
}

interface ClaimOrder {
  readonly scope: string;
  readonly key: string;
  readonly requestDigest: Uint8Array;
  readonly now: Date;
}

type Claiming =
  | { readonly kind: "claimed"; readonly claim: Claim }
  | { readonly kind: "answered"; readonly answer: StoredAnswer }
  | { readonly kind: "running" }
  | { readonly kind: "otherRequest" };

// Sorted, so that two processes cannot wait for each other's keys.
const CLAIM = named(
  "claim-answers",
  `
insert into kept_answers as kept (scope, key, claim_id, request_digest, claimed_at)
select *, $5::timestamptz from unnest($1::text[], $2::text[], $3::uuid[], $4::bytea[]) as given (scope, key, claim_id, request_digest)
 order by scope, key
on conflict (scope, key) do update set
  claim_id = excluded.claim_id, request_digest = excluded.request_digest, claimed_at = excluded.claimed_at, answer = null
  where kept.claimed_at < $7 or (kept.answer is null and kept.claimed_at < $6)
returning claim_id`,
);

const RELEASE = `
delete from kept_answers using unnest($1::text[], $2::text[], $3::uuid[]) as given (scope, key, claim_id)
 where kept_answers.scope = given.scope and kept_answers.key = given.key and kept_answers.claim_id = given.claim_id
   and answer is null
returning given.claim_id as id`;

const READ = `
select kept.* from unnest($1::text[], $2::text[]) as given (scope, key) cross join lateral (
    select scope, key, request_digest, answer from kept_answers where scope = given.scope and key = given.key offset 0) as kept`;

interface KeptRow {
  readonly scope: string;
  readonly key: string;
  readonly request_digest: Buffer;
  readonly answer: Buffer | null;
}

const nameOf = ({ scope, key }: Pick<Claim, "scope" | "key">) => `${scope} ${key}`;

/** Claims keys for many requests in one statement. */
export function claimStore(db: Queryable, box: SecretBox) {
  const strays = new StrayClaims<Claim>(CLAIM_MS);
  const claims = gather(async (orders: readonly ClaimOrder[]) => {
    // Of several requests with one key the first claims it.
    const first = new Map(orders.toReversed().map((order) => [nameOf(order), order]));
    const claimed = await claim(db, [...first.values()], strays);
    const others = orders.filter((order) => !claimed.has(order));
    const kept = await read(db, others).catch((fault: unknown) => {
      strays.add(claimed.values());
      throw fault;
    });
    return orders.map((order): Claiming => {
      const own = claimed.get(order);
      return own ? { kind: "claimed", claim: own } : judge(box, order, kept.get(nameOf(order)));
    });
  });
  const releaseAll = (given: readonly Claim[]) => release(db, given);
  return {
    claimAnswer: (order: ClaimOrder) => claims.ask(order),
    /** One that cannot be released now is released by `releaseStrays`. */
    async releaseClaim(own: Claim): Promise<void> {
      try {
        await releaseAll([own]);
      } catch (fault) {
        strays.add([own]);
        if (!(fault instanceof Unavailable)) throw fault;
      }
    },
    /** To be called about once a second. */
    releaseStrays: () => strays.release(releaseAll),
  };
}

async function claim(
  db: Queryable,
  orders: readonly ClaimOrder[],
  strays: StrayClaims<Claim>,
): Promise<ReadonlyMap<ClaimOrder, Claim>> {
  const wanted = orders.map(({ scope, key }): Claim => ({ scope, key, id: randomUUID() }));
  const now = orders[0]?.now as Date;
  const rows = await db
    .query<{ claim_id: string }>(CLAIM, [
      orders.map(({ scope }) => scope),
      orders.map(({ key }) => key),
      wanted.map(({ id }) => id),
      orders.map(({ requestDigest }) => requestDigest),
      now,
      cutoff(now, CLAIM_MS),
      cutoff(now, KEPT_MS),
    ])
    .catch((fault: unknown) => {
      if (!(fault instanceof Unavailable) || !fault.isUndone) strays.add(wanted);
      throw fault;
    });
  const taken = new Set(rows.map((row) => row.claim_id));
  return new Map(
    orders.flatMap((order, at) => {
      const own = wanted[at] as Claim;
      return taken.has(own.id) ? [[order, own] as const] : [];
    }),
  );
}

async function read(db: Queryable, orders: readonly ClaimOrder[]): Promise<ReadonlyMap<string, KeptRow>> {
  if (orders.length === 0) return new Map();
  const rows = await db.query<KeptRow>(READ, [orders.map(({ scope }) => scope), orders.map(({ key }) => key)]);
  return new Map(rows.map((row) => [nameOf(row), row]));
}

/** Returns the ids of those that were stored. */
async function release(db: Queryable, claims: readonly Claim[]): Promise<readonly string[]> {
  const rows = await db.query<{ id: string }>(RELEASE, [
    claims.map(({ scope }) => scope),
    claims.map(({ key }) => key),
    claims.map(({ id }) => id),
  ]);
  return rows.map(({ id }) => id);
}

function judge(box: SecretBox, { requestDigest }: ClaimOrder, row: KeptRow | undefined): Claiming {
  // The claim was released between the two statements: a repeated request will claim it.
  if (!row) return { kind: "running" };
  if (!row.request_digest.equals(requestDigest)) return { kind: "otherRequest" };
  if (!row.answer) return { kind: "running" };
  return { kind: "answered", answer: JSON.parse(box.open(row.answer)) as StoredAnswer };
}

export function answerStore(db: Queryable, box: SecretBox) {
  return {
    /** False when the claim was taken over. */
    async storeAnswer({ scope, key, id }: Claim, answer: StoredAnswer): Promise<boolean> {
      const rows = await db.query(
        "update kept_answers set answer = $4 where scope = $1 and key = $2 and claim_id = $3 and answer is null returning key",
        [scope, key, id, sealAnswer(box, answer)],
      );
      return rows.length > 0;
    },
  };
}

/** As it is stored. */
export function sealAnswer(box: SecretBox, answer: StoredAnswer): Buffer {
  return box.seal(JSON.stringify(answer));
}

/** Deletes expired answers. */
export function sweepAnswers(db: Queryable, now: Date): Promise<number> {
  return sweep(db, "kept_answers", "claimed_at < $1", [cutoff(now, KEPT_MS)]);
}
