// Numbers: inventory, the accounts' phones, call forwarding, and the activation of numbers.

import { inventoryOperations } from "../../adapters/http/routes/numbers/operator-inventory.ts";
import { type PhoneVoiceRouteDeps, phoneVoiceOperations } from "../../adapters/http/routes/numbers/phone-voice.ts";
import { phoneOperations } from "../../adapters/http/routes/numbers/phones.ts";
import { areActivated } from "../../adapters/store/numbers/phones.ts";
import { activateNumbers } from "../../domain/numbers/index.ts";
import { dialRules } from "../config/sip.ts";
import { type Api, type Context, type Part, servedApi } from "../running/part.ts";
import { reconcileTask } from "../running/reconcile.ts";

const ACTIVATE_MS = 60_000;

export const numbersApi: Api<PhoneVoiceRouteDeps> = {
  account: [...phoneOperations, ...phoneVoiceOperations],
  operator: inventoryOperations,
};

export function openNumbers(context: Context): Part {
  const { store, clock, guard, outside, supportContact } = context;
  const when = areActivated(() => clock.now());
  const run = async (now: Date) => ({ counts: { numbers: await activateNumbers(store, now) } });
  return {
    name: "numbers",
    operations: servedApi(numbersApi, { supportContact, rules: dialRules(outside.sip), mayConnect: guard.mayConnect }),
    workerTasks: [reconcileTask(context, { name: "activate-numbers", everyMs: ACTIVATE_MS, run, when })],
  };
}
