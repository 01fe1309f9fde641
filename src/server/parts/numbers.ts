// Numbers: what can be had, whose they are, where their calls go, and the moment they become active.

import { inventoryOperations } from "../../adapters/http/routes/numbers/operator-inventory.ts";
import { type PhoneVoiceRouteDeps, phoneVoiceOperations } from "../../adapters/http/routes/numbers/phone-voice.ts";
import { phoneOperations } from "../../adapters/http/routes/numbers/phones.ts";
import { activateNumbers } from "../../domain/numbers/index.ts";
import { type Api, type Context, type Part, servedApi } from "../running/part.ts";
import { reconcileTask } from "../running/reconcile.ts";

const ACTIVATE_MS = 1_000;

export const numbersApi: Api<PhoneVoiceRouteDeps> = {
  account: [...phoneOperations(), ...phoneVoiceOperations()],
  operator: inventoryOperations(),
};

export function openNumbers(context: Context): Part {
  const { config, store } = context;
  const activate = async (now: Date) => ({ counts: { numbers: await activateNumbers(store, now) } });
  return {
    operations: servedApi(numbersApi, { supportContact: config.settings.TANDEM_SUPPORT_CONTACT }),
    work: () => ({
      tasks: [reconcileTask(context, { name: "activate-numbers", everyMs: ACTIVATE_MS, run: activate })],
    }),
  };
}
