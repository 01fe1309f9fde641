// Decides what happens to a delivery after an attempt. Pure: time and chance are handed in.

import type { Attempt } from "./subscription.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Delays after the first attempt, the second, …: eleven attempts over about 76 hours. */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND,
  30 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

export const JITTER = 0.2;
const RETRY_AFTER_MS_MAX = 24 * HOUR;
export const FAILING_MS_MAX = 5 * 24 * HOUR;

export interface AttemptFacts {
  /** Attempts of this round so far, this one included; a backup URL tried at once belongs to the same attempt. */
  readonly count: number;
  readonly last: Attempt;
  /** The receiver's Retry-After, in ms from now. */
  readonly retryAfterMs: number | undefined;
  /** When the present series of failures of the subscription began. */
  readonly failingSince: Date;
  readonly now: Date;
  /** 0 ≤ chance < 1. */
  readonly chance: number;
}

export type AttemptOutcome =
  | { readonly kind: "delivered" }
  | { readonly kind: "retry"; readonly at: Date }
  | { readonly kind: "failed" }
  /** The subscription is switched off, and this delivery with it. */
  | { readonly kind: "switchOff"; readonly reason: string };

export function outcomeOf(facts: AttemptFacts): AttemptOutcome {
  if (isSuccess(facts.last)) return { kind: "delivered" };
  if (facts.last.status === 410) {
    return { kind: "switchOff", reason: "The receiver answered 410 Gone: it wants no more events." };
  }
  if (facts.now.getTime() - facts.failingSince.getTime() >= FAILING_MS_MAX) {
    return { kind: "switchOff", reason: "Every attempt of the last five days failed." };
  }
  const at = nextAttemptOn(facts);
  return at ? { kind: "retry", at } : { kind: "failed" };
}

/** Undefined after the last attempt. */
export function nextAttemptOn(
  facts: Pick<AttemptFacts, "count" | "retryAfterMs" | "now" | "chance">,
): Date | undefined {
  const delayMs = RETRY_DELAYS_MS[facts.count - 1];
  if (delayMs === undefined) return undefined;
  const jittered = delayMs * (1 + JITTER * (2 * facts.chance - 1));
  const asked = Math.min(facts.retryAfterMs ?? 0, RETRY_AFTER_MS_MAX);
  return new Date(facts.now.getTime() + Math.max(jittered, asked));
}

export function isSuccess(attempt: Pick<Attempt, "status">): boolean {
  return attempt.status !== null && attempt.status >= 200 && attempt.status < 300;
}
