// The attempts of a delivery as tries: a backup URL that was tried at once belongs to the try before it. And what is
// still to come, by the schedule of the contract. Pure.

import type { WebhookDelivery } from "@tandem/sdk";
import { ATTEMPTS_MAX, isSuccess, RETRY_DELAYS_MS } from "../../../../rules/webhook-retries.ts";

export type Attempt = WebhookDelivery["attempts"][number];

export interface Try {
  readonly number: number;
  readonly isBackup: boolean;
  readonly attempt: Attempt;
  /** From its place among the attempts, from 1: what the URL names. */
  readonly id: string;
  /** Since the try before it, in milliseconds; undefined of the first. */
  readonly afterMs: number | undefined;
}

const AT_ONCE_MS = 120_000;

/** `backupUrl`: the subscription's, where it is known; else a second address at once is taken for it. */
export function triesOf({ attempts }: WebhookDelivery, backupUrl: string | null): readonly Try[] {
  const tries: Try[] = [];
  for (const [index, attempt] of attempts.entries()) {
    const before = tries.at(-1);
    const isOther = before !== undefined && before.attempt.url !== attempt.url && !before.isBackup;
    const isAtOnce = before !== undefined && Date.parse(attempt.at) - Date.parse(before.attempt.at) < AT_ONCE_MS;
    const isBackup =
      isOther && isAtOnce && !isSuccess(before.attempt) && (backupUrl === null || backupUrl === attempt.url);
    const first = tries.findLast((known) => !known.isBackup);
    tries.push({
      number: isBackup ? (before?.number ?? 1) : (first?.number ?? 0) + 1,
      isBackup,
      attempt,
      id: String(index + 1),
      afterMs: isBackup || !first ? undefined : Date.parse(attempt.at) - Date.parse(first.attempt.at),
    });
  }
  return tries;
}

export interface Outlook {
  /** The tries after the next one, from and to. */
  readonly later: readonly [number, number] | undefined;
  readonly gaps: readonly [number, number] | undefined;
  /** When it is given up, about. */
  readonly givenUpOn: Date | undefined;
}

/** What comes after the next try, when nothing gets better. */
export function outlookOf(done: number, nextOn: string | null): Outlook {
  const next = done + 1;
  const gaps = RETRY_DELAYS_MS.slice(next - 1);
  if (next > ATTEMPTS_MAX || nextOn === null) return { later: undefined, gaps: undefined, givenUpOn: undefined };
  const rest = gaps.reduce((sum, gap) => sum + gap, 0);
  return {
    later: next < ATTEMPTS_MAX ? [next + 1, ATTEMPTS_MAX] : undefined,
    gaps: gaps.length > 0 ? [Math.min(...gaps), Math.max(...gaps)] : undefined,
    givenUpOn: new Date(Date.parse(nextOn) + rest),
  };
}
