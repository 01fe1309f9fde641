// Accounts and operators: their tokens, what accounts may do, answers kept for repeats, windows of rate limits.

import { type AccountRouteDeps, accountOperations } from "../../adapters/http/routes/accounts/account.ts";
import {
  type OperatorAccountDeps,
  operatorAccountOperations,
} from "../../adapters/http/routes/accounts/operator-accounts.ts";
import { auditOperation, operatorTokenOperations } from "../../adapters/http/routes/accounts/operator-tokens.ts";
import { tokenMaker } from "../../adapters/secrets.ts";
import { sweepAnswers } from "../../adapters/store/accounts/idempotent-answers.ts";
import { sweepRateWindows } from "../../adapters/store/accounts/rate-limits.ts";
import { oldestSecretOf } from "../../adapters/store/webhooks/subscriptions.ts";
import { newWebhookSecret } from "../../adapters/webhook-signer.ts";
import { type Api, type Context, type Part, servedApi } from "../running/part.ts";

const SWEEP_MS = 60_000;

export const accountsApi: Api<AccountRouteDeps & OperatorAccountDeps> = {
  account: accountOperations(),
  operator: [...operatorAccountOperations(), ...operatorTokenOperations(), auditOperation()],
};

export function openAccounts({ config, outside, store, clock, ids }: Context): Part {
  return {
    operations: servedApi(accountsApi, {
      ids,
      tokens: tokenMaker,
      newSecret: newWebhookSecret,
      oldestSecretOn: (accountSid) => oldestSecretOf(store.db, accountSid),
      upstreamCnpId: outside.registry?.upstreamCnpId ?? null,
      sipSourceAddresses: config.file.sip?.sourceAddresses ?? [],
      supportContact: config.settings.TANDEM_SUPPORT_CONTACT,
    }),
    tasks: [
      { name: "sweep answers", everyMs: SWEEP_MS, run: () => sweepAnswers(store.db, clock.now()) },
      { name: "sweep rate windows", everyMs: SWEEP_MS, run: () => sweepRateWindows(store.db, clock.now()) },
    ],
  };
}
