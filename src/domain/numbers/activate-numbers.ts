// Makes numbers Active whose addition to their campaign is done. Looks at what is due, so that a pass with nothing to do reads nothing;
// may run anywhere, twice, and at once: each number is looked at again in the account's turn.

import type { PhoneStore } from "./ports.ts";
import { type SettleDeps, settleNumbers } from "./settle-numbers.ts";

export interface ActivationDeps {
  readonly phones: Pick<PhoneStore, "activated">;
  readonly transaction: (work: (unit: SettleDeps) => Promise<void>) => Promise<void>;
}

const NUMBERS_AT_ONCE = 500;

/** Answers how many were looked at. One account whose numbers cannot be moved does not keep the others from it. */
export async function activateNumbers({ phones, transaction }: ActivationDeps, now: Date): Promise<number> {
  for (let count = 0; ; ) {
    const due = await phones.activated(now, NUMBERS_AT_ONCE);
    count += due.length;
    const byAccount = new Map<string, string[]>();
    for (const { accountSid, number } of due) byAccount.set(accountSid, [...(byAccount.get(accountSid) ?? []), number]);
    const faults: unknown[] = [];
    for (const [accountSid, numbers] of byAccount) {
      await transaction(async (unit) => {
        await unit.phones.lockAccount(accountSid);
        await settleNumbers(unit, accountSid, { numbers }, now);
      }).catch((fault: unknown) => faults.push(fault));
    }
    if (faults.length > 0) throw faults[0];
    if (due.length < NUMBERS_AT_ONCE) return count;
  }
}
