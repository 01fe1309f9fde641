// Answers stored under an Idempotency-Key for 24 hours, encrypted, because they may hold a secret that is shown once. A
// claim is a row without an answer. It counts as running for a minute, longer than a request may take; after that any
// request may take it over: work and answer commit together, so a claim without an answer did nothing.

import { randomUUID } from "node:crypto";
import type { SecretBox } from "../../secrets.ts";
import type { Queryable } from "../engine/database.ts";
import { cutoff, sweep } from "../engine/sweeps.ts";

const CLAIM_MS = 60_000;
const KEPT_MS = 24 * 3_600_000;

interface Claim {
  readonly scope: string;
  readonly key: string;
  readonly id: string;
}

interface StoredAnswer {
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

export function answerStore(db: Queryable, box: SecretBox) {
  return {
    async claimAnswer({ scope, key, requestDigest, now }: ClaimOrder): Promise<Claiming> {
      const id = randomUUID();
      const claimed = await db.query(
        `insert into kept_answers as kept (scope, key, claim_id, request_digest, claimed_at) values ($1, $2, $3, $4, $5)
         on conflict (scope, key) do update set
           claim_id = excluded.claim_id, request_digest = excluded.request_digest, claimed_at = excluded.claimed_at, answer = null
           where kept.claimed_at < $7 or (kept.answer is null and kept.claimed_at < $6)
         returning key`,
        [scope, key, id, requestDigest, now, cutoff(now, CLAIM_MS), cutoff(now, KEPT_MS)],
      );
      if (claimed.length > 0) return { kind: "claimed", claim: { scope, key, id } };
      const [row] = await db.query<{ request_digest: Buffer; answer: Buffer | null }>(
        "select request_digest, answer from kept_answers where scope = $1 and key = $2",
        [scope, key],
      );
      // The claim was released between the two statements: a repeated request will claim it.
      if (!row) return { kind: "running" };
      if (!row.request_digest.equals(requestDigest)) return { kind: "otherRequest" };
      if (!row.answer) return { kind: "running" };
      return { kind: "answered", answer: JSON.parse(box.open(row.answer)) as StoredAnswer };
    },
    /** False when the claim was taken over. */
    async storeAnswer({ scope, key, id }: Claim, answer: StoredAnswer): Promise<boolean> {
      const rows = await db.query(
        "update kept_answers set answer = $4 where scope = $1 and key = $2 and claim_id = $3 and answer is null returning key",
        [scope, key, id, box.seal(JSON.stringify(answer))],
      );
      return rows.length > 0;
    },
    async releaseClaim({ scope, key, id }: Claim): Promise<void> {
      await db.query("delete from kept_answers where scope = $1 and key = $2 and claim_id = $3 and answer is null", [
        scope,
        key,
        id,
      ]);
    },
  };
}

/** Deletes expired answers. */
export function sweepAnswers(db: Queryable, now: Date): Promise<number> {
  return sweep(db, "kept_answers", "claimed_at < $1", [cutoff(now, KEPT_MS)]);
}
