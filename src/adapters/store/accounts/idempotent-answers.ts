// Answers stored under an Idempotency-Key for 24 hours, encrypted, because they may hold a secret that is shown once. A
// claim is a row without an answer. It counts as running for a minute, longer than a request may take; after that any
// request may take it over: work and answer commit together, so a claim without an answer did nothing.

import { randomUUID } from "node:crypto";
import type { SecretBox } from "../../secrets.ts";
import type { Queryable } from "../engine/database.ts";
import { gather } from "../engine/gather.ts";
import { named } from "../engine/named-statements.ts";
import { cutoff, sweep } from "../engine/sweeps.ts";

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
  const claims = gather(async (orders: readonly ClaimOrder[]) => {
    // Of several requests with one key the first claims it.
    const first = new Map(orders.toReversed().map((order) => [nameOf(order), order]));
    const claimed = await claim([...first.values()]);
    const others = orders.filter((order) => !claimed.has(order));
    const kept = await read(others);
    return orders.map((order): Claiming => {
      const own = claimed.get(order);
      return own ? { kind: "claimed", claim: own } : judge(order, kept.get(nameOf(order)));
    });
  });

  async function claim(orders: readonly ClaimOrder[]): Promise<ReadonlyMap<ClaimOrder, Claim>> {
    const ids = orders.map(() => randomUUID());
    const now = orders[0]?.now as Date;
    const rows = await db.query<{ claim_id: string }>(CLAIM, [
      orders.map(({ scope }) => scope),
      orders.map(({ key }) => key),
      ids,
      orders.map(({ requestDigest }) => requestDigest),
      now,
      cutoff(now, CLAIM_MS),
      cutoff(now, KEPT_MS),
    ]);
    const taken = new Set(rows.map((row) => row.claim_id));
    return new Map(
      orders.flatMap((order, at) => {
        const id = ids[at] as string;
        return taken.has(id) ? [[order, { scope: order.scope, key: order.key, id }] as const] : [];
      }),
    );
  }

  async function read(orders: readonly ClaimOrder[]): Promise<ReadonlyMap<string, KeptRow>> {
    if (orders.length === 0) return new Map();
    const rows = await db.query<KeptRow>(READ, [orders.map(({ scope }) => scope), orders.map(({ key }) => key)]);
    return new Map(rows.map((row) => [nameOf(row), row]));
  }

  function judge({ requestDigest }: ClaimOrder, row: KeptRow | undefined): Claiming {
    // The claim was released between the two statements: a repeated request will claim it.
    if (!row) return { kind: "running" };
    if (!row.request_digest.equals(requestDigest)) return { kind: "otherRequest" };
    if (!row.answer) return { kind: "running" };
    return { kind: "answered", answer: JSON.parse(box.open(row.answer)) as StoredAnswer };
  }

  return {
    claimAnswer: (order: ClaimOrder) => claims.ask(order),
    async releaseClaim({ scope, key, id }: Claim): Promise<void> {
      await db.query("delete from kept_answers where scope = $1 and key = $2 and claim_id = $3 and answer is null", [
        scope,
        key,
        id,
      ]);
    },
  };
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
