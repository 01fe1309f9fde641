// The attempts of a delivery as tries: an attempt at the backup URL soon after another belongs to the same try. And the
// tries still to come, by the documented schedule. Pure.

import type { WebhookDelivery } from "@tandem/sdk";
import { ATTEMPTS_MAX, isSuccess, RETRY_DELAYS_MS } from "../../../../rules/webhook-retries.ts";

export type Attempt = WebhookDelivery["attempts"][number];

export interface Try {
  readonly number: number;
  readonly isBackup: boolean;
  readonly attempt: Attempt;
  /** Its position among the attempts, from 1: used in the URL. */
  readonly id: string;
  /** Since the try before it, in milliseconds; undefined for the first. */
  readonly afterMs: number | undefined;
}

const AT_ONCE_MS = 120_000;

/** `backupUrl`: the subscription's, if known; otherwise an attempt at another URL soon afterwards is taken for it. */
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
  /** When it is given up, approximately. */
  readonly givenUpOn: Date | undefined;
}

/** What comes after the next try if all of them fail. */
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
