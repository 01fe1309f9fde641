// The store as the rest of the program sees it: everything readable, everything writable in one transaction, and after a commit
// what this process holds in memory (who may sign in, which numbers are known) is up to date before the caller is answered.

import type { Log } from "../../base/log.ts";
import type { NewEvent } from "../../domain/events.ts";
import type { NewMessage } from "../../domain/messaging/index.ts";
import type { SecretBox } from "../secrets.ts";
import { accountStore } from "./accounts/accounts.ts";
import { auditLog } from "./accounts/audit-log.ts";
import { featureRequestStore } from "./accounts/feature-requests.ts";
import { claimAnswer, keepAnswer, releaseClaim } from "./accounts/idempotent-answers.ts";
import { operatorTokenStore } from "./accounts/operator-tokens.ts";
import { ACCOUNT_CHANGED, OPERATORS_CHANGED, SignInDirectory } from "./accounts/sign-in-directory.ts";
import { campaignStore } from "./campaigns/campaigns.ts";
import { followedCampaignStore } from "./campaigns/followed-campaigns.ts";
import { messagingConfigStore } from "./campaigns/messaging-configs.ts";
import { migrationFacts } from "./campaigns/migration-facts.ts";
import { type ConnectionSettings, Database, type Queryable } from "./engine/database.ts";
import { newListener } from "./engine/listener.ts";
import { overrideStore } from "./lookup/overrides.ts";
import { heldMessages } from "./messaging/held-messages.ts";
import { inboundMessageStore } from "./messaging/inbound-messages.ts";
import { acceptInside, StoredIntake } from "./messaging/message-intake.ts";
import { outboundMessageStore } from "./messaging/outbound-messages.ts";
import { MESSAGES_QUEUED } from "./messaging/send-queue.ts";
import { inventoryStore } from "./numbers/inventory.ts";
import { announceNumbers, NUMBERS_KNOWN, NumberFilter } from "./numbers/number-filter.ts";
import { optOutStore } from "./numbers/opt-outs.ts";
import { phoneStore } from "./numbers/phones.ts";
import { portDocumentStore } from "./porting/port-documents.ts";
import { portOrderStore } from "./porting/port-orders.ts";
import { reconcileLog } from "./reconciles.ts";
import { callbackSecrets } from "./webhooks/callbacks.ts";
import { deliveryStore } from "./webhooks/deliveries.ts";
import { eventLog } from "./webhooks/event-log.ts";
import { Notifier } from "./webhooks/notifier.ts";
import { EVENTS_STORED, emitEvents } from "./webhooks/outbox.ts";
import { subscriptionStore } from "./webhooks/subscriptions.ts";

export interface StoreDeps {
  readonly settings: ConnectionSettings;
  readonly box: SecretBox;
  /** How long it takes to add a number to a campaign. */
  readonly activationMs: number;
  readonly log: Log;
}

/** What to load again, by a name so that each is loaded once. */
type AfterCommit = Map<string, () => Promise<void>>;

export async function openStore({ settings, box, activationMs, log }: StoreDeps) {
  const db = new Database(settings, log);
  const directory = new SignInDirectory(db);
  const numbers = new NumberFilter(db);
  const notifier = new Notifier();
  const intake = new StoredIntake(db);
  const listener = newListener(
    settings,
    {
      channels: {
        [ACCOUNT_CHANGED]: (sid) => directory.loadAccount(sid),
        [OPERATORS_CHANGED]: () => directory.loadOperators(),
        [NUMBERS_KNOWN]: async (list) => numbers.add(list.split(",")),
        [EVENTS_STORED]: async (list) => notifier.notifyEvents(list),
        [MESSAGES_QUEUED]: async () => notifier.notifyMessages(),
      },
      async connected() {
        await directory.loadAll();
        await numbers.load();
        notifier.notifyEvents("");
        notifier.notifyMessages();
      },
      disconnected: () => numbers.distrust(),
    },
    log,
  );
  const close = async () => {
    notifier.close();
    await listener.close();
    await db.close();
  };
  try {
    await listener.open();
  } catch (fault) {
    // A start that fails must leave nothing that keeps the process alive.
    await close();
    throw fault;
  }

  // Set before the commit: a bit too early costs a question to the database, a bit too late a wrong answer.
  const knowNumbers = async (queryable: Queryable, known: readonly string[]) => {
    numbers.add(known);
    await announceNumbers(queryable, known);
  };

  const unitOver = (queryable: Queryable, afterCommit: AfterCommit) => ({
    accounts: accountStore(queryable, async (sid) => {
      afterCommit.set(sid, () => directory.loadAccount(sid));
      await queryable.query("select pg_notify($1, $2)", [ACCOUNT_CHANGED, sid]);
    }),
    featureRequests: featureRequestStore(queryable),
    operatorTokens: operatorTokenStore(queryable, async () => {
      afterCommit.set(OPERATORS_CHANGED, () => directory.loadOperators());
      await queryable.query("select pg_notify($1, '')", [OPERATORS_CHANGED]);
    }),
    inventory: inventoryStore(queryable, (known) => knowNumbers(queryable, known)),
    phones: phoneStore(queryable, (known) => knowNumbers(queryable, known)),
    messagingConfigs: messagingConfigStore(queryable),
    campaigns: campaignStore(queryable),
    followedCampaigns: followedCampaignStore(queryable),
    portOrders: portOrderStore(queryable, box),
    portDocuments: portDocumentStore(queryable),
    migrations: migrationFacts(queryable),
    optOuts: optOutStore(queryable),
    heldMessages: heldMessages(queryable),
    activationMs,
    reconciles: reconcileLog(queryable),
    overrides: overrideStore(queryable, (known) => knowNumbers(queryable, known)),
    audit: auditLog(queryable),
    subscriptions: subscriptionStore(queryable, box),
    callbackSecrets: callbackSecrets(queryable, box),
    deliveries: deliveryStore(queryable),
    intake: {
      accept: (message: NewMessage) => acceptInside(queryable, [message]),
      waitingOf: (accountSid: string) => intake.waitingOf(accountSid),
    },
    outboundMessages: outboundMessageStore(queryable),
    inboundMessages: inboundMessageStore(queryable),
    outbox: { emit: (events: readonly NewEvent[], now: Date) => emitEvents(queryable, events, now) },
    keepAnswer: (claim: Parameters<typeof keepAnswer>[2], answer: Parameters<typeof keepAnswer>[3]) =>
      keepAnswer(queryable, box, claim, answer),
  });

  return {
    ...unitOver(db, new Map()),
    intake,
    db,
    directory,
    numbers,
    notifier,
    eventLog: eventLog(db),
    async transaction<Value>(work: (unit: ReturnType<typeof unitOver>) => Promise<Value>): Promise<Value> {
      const afterCommit: AfterCommit = new Map();
      const value = await db.transaction((queryable) => work(unitOver(queryable, afterCommit)));
      // It is committed: should the database be lost just now, everything is loaded anew when it is back.
      await Promise.allSettled([...afterCommit.values()].map((load) => load()));
      return value;
    },
    claimAnswer: (order: Parameters<typeof claimAnswer>[2]) => claimAnswer(db, box, order),
    releaseClaim: (claim: Parameters<typeof releaseClaim>[1]) => releaseClaim(db, claim),
    close,
  };
}

export type OpenStore = Awaited<ReturnType<typeof openStore>>;
