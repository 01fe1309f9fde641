// Counts messages to each recipient. Each process counts in memory up to its share of the limit, without a query.
// Beyond the share everything is counted in the database, including the messages counted in memory before. With one
// process the limit is exact; every further process may admit its share in addition.

import type { Clock } from "../../../base/clock.ts";
import { ok, type Result, refused } from "../../../base/result.ts";
import type { Limit } from "../../../domain/accounts/index.ts";
import type { RecipientGuard } from "../../../domain/messaging/index.ts";
import { windowStartOf } from "../accounts/rate-lease.ts";
import type { RateCounters } from "../accounts/rate-limits.ts";

const SHARES = 8;
const RECIPIENTS_MAX = 50_000;
const TIDY_MS = 1_000;

interface Own {
  readonly windowStart: number;
  readonly windowEnd: number;
  /** Messages counted in memory; once `isShared`, they are in the database as well. */
  count: number;
  isShared: boolean;
}

export class RecipientGuards {
  readonly #counters: Pick<RateCounters, "take">;
  readonly #clock: Clock;
  readonly #own = new Map<string, Own>();
  #tidiedMs = 0;

  constructor(counters: Pick<RateCounters, "take">, clock: Clock) {
    this.#counters = counters;
    this.#clock = clock;
  }

  under(limit: Limit): RecipientGuard {
    return { take: (accountSid, recipients) => this.#takeAll(accountSid, recipients, limit) };
  }

  async #takeAll(accountSid: string, recipients: readonly string[], limit: Limit): ReturnType<RecipientGuard["take"]> {
    for (const recipient of recipients) {
      const taken = await this.#take(`${accountSid} ${recipient}`, limit);
      if (!taken.ok) return refused({ recipient, retryAfterSeconds: taken.refusal });
    }
    return ok(undefined);
  }

  /** Refuses with the seconds to wait. */
  async #take(subject: string, limit: Limit): Promise<Result<undefined, number>> {
    const nowMs = this.#clock.now().getTime();
    const own = this.#ownOf(subject, limit, nowMs);
    if (own && !own.isShared && own.count < Math.floor(limit.requests / SHARES)) {
      own.count++;
      return ok(undefined);
    }
    const toHandOver = own && !own.isShared ? own : undefined;
    if (toHandOver) toHandOver.isShared = true;
    let isTaken = false;
    try {
      const taken = await this.#counters.take(subject, "sendToRecipient", limit, (toHandOver?.count ?? 0) + 1);
      isTaken = taken.admitted;
      return isTaken ? ok(undefined) : refused(taken.resetSeconds);
    } finally {
      // The count in memory has not been added to the database yet.
      if (toHandOver && !isTaken) toHandOver.isShared = false;
    }
  }

  /** Undefined when too many recipients are being counted in memory. */
  #ownOf(subject: string, limit: Limit, nowMs: number): Own | undefined {
    const windowStart = windowStartOf(limit, nowMs);
    const known = this.#own.get(subject);
    if (known?.windowStart === windowStart) return known;
    if (!known && this.#own.size >= RECIPIENTS_MAX && !this.#tidy(nowMs)) return undefined;
    const own = { windowStart, windowEnd: windowStart + limit.windowSeconds * 1000, count: 0, isShared: false };
    this.#own.set(subject, own);
    return own;
  }

  /** Returns whether there is capacity for another recipient. */
  #tidy(nowMs: number): boolean {
    if (nowMs - this.#tidiedMs < TIDY_MS) return false;
    this.#tidiedMs = nowMs;
    for (const [subject, { windowEnd }] of this.#own) if (windowEnd <= nowMs) this.#own.delete(subject);
    return this.#own.size < RECIPIENTS_MAX;
  }
}
