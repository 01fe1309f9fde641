// Decides what happens to a delivery after an attempt. Pure: time and chance are handed in.

import { isSuccess, JITTER, RETRY_DELAYS_MS } from "../../../rules/webhook-retries.ts";
import type { Attempt } from "./subscription.ts";

const HOUR_MS = 3_600_000;
const RETRY_AFTER_MS_MAX = 24 * HOUR_MS;
export const FAILING_MS_MAX = 5 * 24 * HOUR_MS;

export interface AttemptFacts {
  /** Attempts of this round so far, this one included; the backup URL tried right after belongs to the same attempt. */
  readonly count: number;
  readonly last: Attempt;
  /** The receiver's Retry-After, in ms from now. */
  readonly retryAfterMs: number | undefined;
  /** When the current series of failures of the subscription began. */
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
