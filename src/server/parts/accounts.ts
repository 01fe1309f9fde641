// Accounts and operators: tokens, features and limits of accounts, stored answers of idempotent requests, rate limits.

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

export function openAccounts({ outside, store, clock, ids, upstreamCnpId, supportContact }: Context): Part {
  return {
    name: "accounts",
    operations: servedApi(accountsApi, {
      ids,
      tokens: tokenMaker,
      newSecret: newWebhookSecret,
      oldestSecretOn: (accountSid) => oldestSecretOf(store.db, accountSid),
      upstreamCnpId,
      sipSourceAddresses:
        outside.sip?.sourceAddresses.map(({ address, publicAddress }) => publicAddress ?? address) ?? [],
      supportContact,
    }),
    tasks: [
      { name: "sweep answers", everyMs: SWEEP_MS, run: () => sweepAnswers(store.db, clock.now()) },
      { name: "sweep rate windows", everyMs: SWEEP_MS, run: () => sweepRateWindows(store.db, clock.now()) },
    ],
  };
}
