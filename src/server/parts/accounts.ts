// Accounts and operators: tokens, features and limits of accounts, stored answers of idempotent requests, rate limits.

import { join } from "node:path";
import { type AccountRouteDeps, accountOperations } from "../../adapters/http/routes/accounts/account.ts";
import { changeOperations } from "../../adapters/http/routes/accounts/changes.ts";
import {
  type OperatorAccountDeps,
  operatorAccountOperations,
} from "../../adapters/http/routes/accounts/operator-accounts.ts";
import { auditOperations, operatorTokenOperations } from "../../adapters/http/routes/accounts/operator-tokens.ts";
import { type SavedViewDeps, savedViewOperations } from "../../adapters/http/routes/accounts/saved-views.ts";
import { type SessionRouteDeps, sessionOperations } from "../../adapters/http/routes/accounts/session.ts";
import {
  openedLinkOperations,
  type SupportLinkRouteDeps,
  supportLinkOperations,
} from "../../adapters/http/routes/accounts/support-links.ts";
import { digestOfToken, tokenMaker } from "../../adapters/secrets.ts";
import { noteUsedTokens } from "../../adapters/store/accounts/accounts.ts";
import { sweepChanges } from "../../adapters/store/accounts/changes.ts";
import { sweepAnswers } from "../../adapters/store/accounts/idempotent-answers.ts";
import { sweepRateWindows } from "../../adapters/store/accounts/rate-limits.ts";
import { hasTurn } from "../../adapters/store/accounts/retention-turns.ts";
import { sweepSessions } from "../../adapters/store/accounts/sessions.ts";
import { sweepSupportLinks } from "../../adapters/store/accounts/support-links.ts";
import { deleteOldRecords } from "../../adapters/store/retention.ts";
import { oldestSecretOf } from "../../adapters/store/webhooks/subscriptions.ts";
import { newWebhookSecret } from "../../adapters/webhook-signer.ts";
import { type Api, type Context, type Part, servedApi } from "../running/part.ts";
import { reconcileTask } from "../running/reconcile.ts";
import { DEMO_ENV, readDemoEnv } from "../sandbox/demo-env.ts";

const RELEASE_MS = 1_000;
const SWEEP_MS = 60_000;
const NOTE_MS = 60_000;

export const accountsApi: Api<
  AccountRouteDeps & OperatorAccountDeps & SessionRouteDeps & SavedViewDeps & SupportLinkRouteDeps
> = {
  account: [
    ...accountOperations,
    ...changeOperations,
    ...sessionOperations,
    ...savedViewOperations,
    ...supportLinkOperations,
  ],
  operator: [...operatorAccountOperations, ...operatorTokenOperations, ...auditOperations, ...openedLinkOperations],
};

/** The file as shells in the server's folder name it. */
function demoEnvOf({ dataDir, settings }: Context["config"], accountSid: string): string | null {
  const kept = readDemoEnv(dataDir);
  const isHere = kept.get("TANDEM_ACCOUNT_SID") === accountSid && kept.has("TANDEM_TOKEN");
  return isHere ? join(settings.TANDEM_DATA_DIR, DEMO_ENV) : null;
}

export function openAccounts(context: Context): Part {
  const { config, outside, store, clock, ids, limits, credentials, upstreamCnpId, supportContact, publicUrl } = context;
  const noteUsed = async () => {
    const used = store.directory.takeUsed();
    if (used.length > 0) await noteUsedTokens(store.db, used, clock.now());
  };
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
      credentials,
      limits,
      digestOf: digestOfToken,
      transaction: store.transaction,
      isSandbox: config.sandbox,
      demoEnvOf: (accountSid) => (config.sandbox ? demoEnvOf(config, accountSid) : null),
      publicUrl,
      isSecure: () => publicUrl().startsWith("https:"),
    }),
    tasks: [
      { name: "release stray claims", everyMs: RELEASE_MS, ignoresClock: true, run: () => store.releaseStrays() },
      { name: "sweep answers", everyMs: SWEEP_MS, run: () => sweepAnswers(store.db, clock.now()) },
      { name: "sweep changes", everyMs: SWEEP_MS, run: () => sweepChanges(store.db, clock.now()) },
      { name: "sweep sessions", everyMs: SWEEP_MS, run: () => sweepSessions(store.db, clock.now()) },
      { name: "sweep support links", everyMs: SWEEP_MS, run: () => sweepSupportLinks(store.db, clock.now()) },
      { name: "note used tokens", everyMs: NOTE_MS, run: noteUsed },
      { name: "sweep rate windows", everyMs: SWEEP_MS, run: () => sweepRateWindows(store.db, clock.now()) },
    ],
    workerTasks: [
      reconcileTask(context, {
        name: "delete-old-records",
        everyMs: SWEEP_MS,
        when: hasTurn(() => clock.now()),
        async run() {
          const { counts, failure } = await deleteOldRecords(store.db, () => clock.now());
          return { counts, ...(failure === undefined ? {} : { failure }) };
        },
      }),
    ],
  };
}
