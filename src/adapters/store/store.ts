// The store as the rest of the program uses it: everything can be read, and written in one transaction. After a commit,
// what this process holds in memory (credentials, senders, filters) is up to date before the caller continues.

import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { NewMessage } from "../../domain/messaging/index.ts";
import type { SecretBox } from "../secrets.ts";
import { accountStore } from "./accounts/accounts.ts";
import { auditLog } from "./accounts/audit-log.ts";
import { changeLog } from "./accounts/changes.ts";
import { featureRequestStore } from "./accounts/feature-requests.ts";
import { answerStore, type Claim, claimStore, type StoredAnswer, sealAnswer } from "./accounts/idempotent-answers.ts";
import { operatorTokenStore } from "./accounts/operator-tokens.ts";
import { refusedRequestStore } from "./accounts/refused-requests.ts";
import { savedViewStore } from "./accounts/saved-views.ts";
import { sessionStore } from "./accounts/sessions.ts";
import { SignInDirectory } from "./accounts/sign-in-directory.ts";
import { supportLinkStore } from "./accounts/support-links.ts";
import { attentionStore } from "./attention.ts";
import { campaignStore } from "./campaigns/campaigns.ts";
import { followedCampaignStore } from "./campaigns/followed-campaigns.ts";
import { messagingConfigStore } from "./campaigns/messaging-configs.ts";
import { migrationFacts } from "./campaigns/migration-facts.ts";
import {
  ACCOUNT_CHANGED,
  CALLS_ASKED,
  EVENTS_STORED,
  KEYS_CHANGED,
  LIMITS_WANTED,
  LINKS_CHANGED,
  LIVE_POSTED,
  LIVE_WATCHED,
  MESSAGES_QUEUED,
  NUMBERS_KNOWN,
  notify,
  OPERATORS_CHANGED,
  OPT_OUTS_KNOWN,
  REGISTRATIONS_CHANGED,
  SENDERS_CHANGED,
} from "./engine/channels.ts";
import { type ConnectionSettings, Database, type Queryable } from "./engine/database.ts";
import { DatabaseHealth } from "./engine/database-health.ts";
import type { KeyFilter } from "./engine/key-filter.ts";
import { type ListenerOrder, newListener } from "./engine/listener.ts";
import { overrideStore } from "./lookup/overrides.ts";
import { madeByRequests } from "./made-by-requests.ts";
import { heldMessages } from "./messaging/held-messages.ts";
import { inboundMessageStore } from "./messaging/inbound-messages.ts";
import { KnownSenders } from "./messaging/known-senders.ts";
import { acceptInside, StoredIntake } from "./messaging/message-intake.ts";
import { MessageWeeks } from "./messaging/message-weeks.ts";
import { outboundMessageStore } from "./messaging/outbound-messages.ts";
import { reportedLinkStore } from "./messaging/reported-links.ts";
import { textStore } from "./messaging/text-search.ts";
import { nodeStore } from "./nodes.ts";
import { inventoryStore } from "./numbers/inventory.ts";
import { numberFilter } from "./numbers/number-filter.ts";
import { optOutFilter, optOutStore } from "./numbers/opt-outs.ts";
import { phoneStore } from "./numbers/phones.ts";
import { portDocumentStore } from "./porting/port-documents.ts";
import { portOrderStore } from "./porting/port-orders.ts";
import { reconcileLog } from "./reconciles.ts";
import { searchStore } from "./search.ts";
import { statisticsStore } from "./statistics.ts";
import { stoppedStore } from "./stopped.ts";
import { callStore } from "./voice/calls.ts";
import { conferenceStore } from "./voice/conferences.ts";
import { troubledRecordings } from "./voice/troubled-recordings.ts";
import { callbackSecrets } from "./webhooks/callbacks.ts";
import { deliveryStore } from "./webhooks/deliveries.ts";
import { eventLog } from "./webhooks/event-log.ts";
import { Notifier } from "./webhooks/notifier.ts";
import { outboxOf } from "./webhooks/outbox.ts";
import { subscriptionStore } from "./webhooks/subscriptions.ts";

export interface StoreDeps {
  readonly settings: ConnectionSettings;
  readonly box: SecretBox;
  /**
   * Learns which secret keys the database has. Runs in the session of the listener, immediately and whenever they have
   * changed. Absent where they never change.
   */
  readonly followKeys?: (session: Queryable, db: Database) => Promise<void>;
  /** How long it takes to add a number to a campaign. */
  readonly activationMs: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** What to reload after the commit, by name, so that each is loaded once. */
type AfterCommit = Map<string, () => Promise<void>>;

/** What this process holds in memory of the database. Notifications keep it up to date. */
interface Memory {
  readonly directory: SignInDirectory;
  readonly numbers: KeyFilter;
  readonly senders: KnownSenders;
  readonly optOutFilter: KeyFilter;
}

const memoryOf = (db: Queryable, isCurrent: () => boolean): Memory => ({
  directory: new SignInDirectory(db, isCurrent),
  numbers: numberFilter(db, isCurrent),
  senders: new KnownSenders(isCurrent),
  optOutFilter: optOutFilter(db, isCurrent),
});

const memoryChannels = ({ directory, numbers, senders, optOutFilter }: Memory): ListenerOrder["channels"] => ({
  [ACCOUNT_CHANGED]: (sid) => directory.loadAccount(sid),
  [OPERATORS_CHANGED]: () => directory.loadOperators(),
  [NUMBERS_KNOWN]: async (list) => numbers.hear(list),
  [SENDERS_CHANGED]: async (accountSid) => senders.changed(accountSid),
  [OPT_OUTS_KNOWN]: async (list) => optOutFilter.hear(list),
});

const noticeChannels = (notifier: Notifier): ListenerOrder["channels"] => ({
  [EVENTS_STORED]: async (list) => notifier.notifyEvents(list),
  [MESSAGES_QUEUED]: async () => notifier.onMessages(),
  [CALLS_ASKED]: async (notice) => notifier.onCalls(notice),
  [REGISTRATIONS_CHANGED]: async (trunk) => notifier.onRegistrations(trunk),
  [LINKS_CHANGED]: async () => notifier.onLinks(),
  [LIMITS_WANTED]: (key) => notifier.onLimits(key),
  [LIVE_WATCHED]: async (process) => notifier.onLiveWatched(process),
  [LIVE_POSTED]: async (notice) => notifier.notifyLive(notice),
});

async function loadMemory({ directory, numbers, senders, optOutFilter }: Memory): Promise<void> {
  senders.clear();
  await directory.loadAll();
  await numbers.load();
  await optOutFilter.load();
}

interface UnitDeps extends Pick<StoreDeps, "box" | "activationMs">, Memory {
  readonly intake: StoredIntake;
}

type Unit = ReturnType<typeof unitOver>;

/** All repositories over one connection: a transaction's, or the pool. */
function unitOver(
  db: Queryable,
  { box, activationMs, directory, numbers, senders, optOutFilter, intake }: UnitDeps,
  afterCommit: AfterCommit,
) {
  const know = (known: readonly string[]) => numbers.announce(db, known);
  const accountChanged = async (sid: string) => {
    afterCommit.set(sid, () => directory.loadAccount(sid));
    await notify(db, ACCOUNT_CHANGED, sid);
  };
  const sendersChanged = async (accountSid: string) => {
    afterCommit.set(`senders of ${accountSid}`, async () => senders.changed(accountSid));
    await notify(db, SENDERS_CHANGED, accountSid);
  };
  return {
    accounts: accountStore(db, box, accountChanged),
    featureRequests: featureRequestStore(db),
    operatorTokens: operatorTokenStore(db, async () => {
      afterCommit.set(OPERATORS_CHANGED, () => directory.loadOperators());
      await notify(db, OPERATORS_CHANGED);
    }),
    sessions: sessionStore(db),
    savedViews: savedViewStore(db),
    supportLinks: supportLinkStore(db),
    inventory: inventoryStore(db, know),
    phones: phoneStore(db, { known: know, oldestMayChange: accountChanged, sendersChanged }),
    messagingConfigs: messagingConfigStore(db, sendersChanged),
    campaigns: campaignStore(db, sendersChanged),
    followedCampaigns: followedCampaignStore(db),
    portOrders: portOrderStore(db, box),
    portDocuments: portDocumentStore(db),
    migrations: migrationFacts(db),
    optOuts: optOutStore(db, optOutFilter),
    heldMessages: heldMessages(db),
    activationMs,
    reconciles: reconcileLog(db),
    overrides: overrideStore(db, know),
    audit: auditLog(db),
    changes: changeLog(db),
    statistics: statisticsStore(db),
    refusedRequests: refusedRequestStore(db),
    madeByRequests: madeByRequests(db),
    search: searchStore(db),
    texts: textStore(db),
    subscriptions: subscriptionStore(db, box),
    callbackSecrets: callbackSecrets(db, box),
    deliveries: deliveryStore(db),
    intake: {
      accept: (message: NewMessage) => acceptInside(db, [message]),
      waitingOf: (accountSid: string) => intake.waitingOf(accountSid),
    },
    outboundMessages: outboundMessageStore(db),
    inboundMessages: inboundMessageStore(db),
    conferences: conferenceStore(db),
    calls: callStore(db),
    stoppedLinks: stoppedStore(db, "stopped_links", () => notify(db, LINKS_CHANGED)),
    reportedLinks: reportedLinkStore(db),
    stoppedTrunks: stoppedStore(db, "stopped_trunks"),
    troubledRecordings: troubledRecordings(db),
    attention: attentionStore(db),
    nodes: nodeStore(db),
    outbox: outboxOf(db),
    ...answerStore(db, box),
  };
}

export async function openStore({ settings, box, followKeys, activationMs, clock, log }: StoreDeps) {
  const db = new Database(settings, log);
  const health = new DatabaseHealth(settings, log, db);
  const isCurrent = (): boolean => listener.isCurrent();
  const memory = memoryOf(db, isCurrent);
  const notifier = new Notifier();
  const intake = new StoredIntake(db, clock);
  const messageWeeks = new MessageWeeks();
  const listener = newListener(
    settings,
    {
      channels: {
        ...memoryChannels(memory),
        ...noticeChannels(notifier),
        [KEYS_CHANGED]: async (_, session) => followKeys?.(session, db),
      },
      async reload(session) {
        await followKeys?.(session, db);
        await loadMemory(memory);
        notifier.notifyAll();
      },
    },
    log,
  );
  const unitOf = (unit: Queryable, afterCommit: AfterCommit) =>
    unitOver(unit, { box, activationMs, intake, ...memory }, afterCommit);
  const store = {
    ...unitOf(db, new Map()),
    ...claimStore(db, box),
    intake,
    /** Stores a message and the answer to its request in one statement. False when the claim was taken over. */
    acceptOnce: (message: NewMessage, claim: Claim, answer: StoredAnswer) =>
      intake.acceptOnce(message, claim, sealAnswer(box, answer)),
    db,
    health,
    ...memory,
    notifier,
    messageWeeks,
    /** Whether what this process holds in memory is up to date; if not, the database is queried. */
    isCurrent,
    eventLog: eventLog(db),
    async transaction<Value>(work: (unit: Unit) => Promise<Value>): Promise<Value> {
      const afterCommit: AfterCommit = new Map();
      const value = await db.transaction((queryable) => work(unitOf(queryable, afterCommit)));
      // The transaction is committed: if the database is lost now, everything is reloaded when it is back.
      await Promise.allSettled([...afterCommit.values()].map((load) => load()));
      return value;
    },
    async close() {
      notifier.close();
      await listener.close();
      await health.close();
      await db.close();
    },
  };
  try {
    await listener.open();
    return store;
  } catch (fault) {
    // A start that fails must not leave anything open that keeps the process alive.
    await store.close();
    throw fault;
  }
}

export type OpenStore = Awaited<ReturnType<typeof openStore>>;
