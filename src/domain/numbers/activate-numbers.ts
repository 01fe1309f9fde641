// Makes numbers Active whose addition to their campaign is complete. Reads only numbers that are due. Several processes
// may run it at the same time: each number is checked again under the account's lock.

import type { PhoneStore } from "./ports.ts";
import { type SettleDeps, settleNumbers } from "./settle-numbers.ts";

export interface ActivationDeps {
  readonly phones: Pick<PhoneStore, "activated">;
  readonly transaction: (work: (unit: SettleDeps) => Promise<void>) => Promise<void>;
}

const BATCH_SIZE = 500;

/** Returns how many numbers were due. A failure in one account does not stop the others of the same batch. */
export async function activateNumbers({ phones, transaction }: ActivationDeps, now: Date): Promise<number> {
  for (let count = 0; ; ) {
    const due = await phones.activated(now, BATCH_SIZE);
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
    if (due.length < BATCH_SIZE) return count;
  }
}
