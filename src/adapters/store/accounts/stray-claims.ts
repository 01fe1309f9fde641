// Claims of Idempotency-Keys that this process has given up and that the database may still have, because its answer
// was lost or a release did not reach it. They are released as soon as the database answers again, so that the same
// request need not wait until they count as dead.
//
// A claim without an answer did nothing, and work that is still on its way finds its claim gone and is rolled back. So
// a release is right at any time. A claim whose commit was given up may be committed late: it is released again every
// second, until it would be taken over anyway.

import { forgetOldest } from "../../../base/forget-oldest.ts";

interface Identified {
  readonly id: string;
}

interface Stray<Claim> {
  readonly claim: Claim;
  readonly untilMs: number;
}

/** Beyond that, the oldest are left until they are taken over. */
const STRAYS_MAX = 20_000;
const BATCH_MAX = 1_000;

export class StrayClaims<Claim extends Identified> {
  readonly #strays = new Map<string, Stray<Claim>>();
  readonly #forMs: number;

  /** `forMs`: how long a claim counts. */
  constructor(forMs: number) {
    this.#forMs = forMs;
  }

  add(claims: Iterable<Claim>): void {
    const untilMs = performance.now() + this.#forMs;
    for (const claim of claims) this.#strays.set(claim.id, { claim, untilMs });
    forgetOldest(this.#strays, STRAYS_MAX);
  }

  /** To be called about once a second. `release` returns the ids of the claims that the database had. */
  async release(release: (claims: readonly Claim[]) => Promise<readonly string[]>): Promise<void> {
    const nowMs = performance.now();
    const strays = [...this.#strays.values()];
    for (let at = 0; at < strays.length; at += BATCH_MAX) {
      const some = strays.slice(at, at + BATCH_MAX);
      const had = new Set(await release(some.map(({ claim }) => claim)));
      for (const { claim, untilMs } of some) if (had.has(claim.id) || untilMs < nowMs) this.#strays.delete(claim.id);
    }
  }
}
