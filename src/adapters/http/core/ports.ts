// What the API needs from outside: credentials, rate limits, transactions, and answers stored for repeats.

import type { MaybePromise } from "../../../base/maybe-promise.ts";
import type {
  AccountStore,
  FeatureRequestStore,
  Limit,
  LimitClass,
  Operator,
  OperatorTokenStore,
  SavedViewStore,
  Session,
  SessionStore,
  SignedInAccount,
  SupportLinkStore,
} from "../../../domain/accounts/index.ts";
import type { AttentionStore } from "../../../domain/attention/index.ts";
import type { AuditLog } from "../../../domain/audit.ts";
import type { CampaignStore, FollowedCampaignStore, MessagingConfigStore } from "../../../domain/campaigns/index.ts";
import type { ChangeLog } from "../../../domain/changes.ts";
import type { Outbox } from "../../../domain/events.ts";
import type { OverrideStore } from "../../../domain/lookup/index.ts";
import type { MadeByRequests } from "../../../domain/made-by-requests.ts";
import type {
  InboundMessageStore,
  MessageIntake,
  NewMessage,
  OutboundMessageStore,
  ReportedLinkStore,
} from "../../../domain/messaging/index.ts";
import type { MigrationStore } from "../../../domain/migrations/index.ts";
import type { NodeStore } from "../../../domain/nodes.ts";
import type { HeldMessages, InventoryStore, OptOutStore, PhoneStore } from "../../../domain/numbers/index.ts";
import type { PortDocumentStore, PortOrderStore } from "../../../domain/porting/index.ts";
import type { ReconcileLog } from "../../../domain/reconciles.ts";
import type { RefusedRequestStore } from "../../../domain/refused-requests.ts";
import type { SearchStore, TextStore } from "../../../domain/search.ts";
import type { StatisticsStore } from "../../../domain/statistics.ts";
import type { StoppedStore } from "../../../domain/stopped.ts";
import type { CallStore, ConferenceStore, TroubledRecordings } from "../../../domain/voice/index.ts";
import type { CallbackSecrets, DeliveryStore, SubscriptionStore } from "../../../domain/webhooks/index.ts";

/** Takes the same time whether the name or the token is wrong. */
export interface Credentials {
  account(sid: string, token: string): MaybePromise<SignedInAccount | undefined>;
  operator(token: string): Promise<Operator | undefined>;
  /** Finds a session by the browser's cookie. `use` extends the session, `look` does not. */
  session(text: string, purpose: "use" | "look"): Promise<Session | undefined>;
}

export interface Taken {
  readonly admitted: boolean;
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** Counters shared by all processes. A cost of 0 only reads. A refused cost is not counted. */
export interface RateLimits {
  take(subject: string, limitClass: LimitClass | "signIn", limit: Limit, cost: number): MaybePromise<Taken>;
}

/** All stores; inside `transaction` their changes commit together. */
export interface Unit {
  readonly accounts: AccountStore;
  readonly featureRequests: FeatureRequestStore;
  readonly operatorTokens: OperatorTokenStore;
  readonly sessions: SessionStore;
  readonly savedViews: SavedViewStore;
  readonly supportLinks: SupportLinkStore;
  readonly inventory: InventoryStore;
  readonly phones: PhoneStore;
  readonly messagingConfigs: MessagingConfigStore;
  readonly campaigns: CampaignStore;
  readonly followedCampaigns: FollowedCampaignStore;
  readonly portOrders: PortOrderStore;
  readonly portDocuments: PortDocumentStore;
  readonly migrations: MigrationStore;
  readonly optOuts: OptOutStore;
  readonly heldMessages: HeldMessages;
  /** How long it takes to add a number to a campaign. */
  readonly activationMs: number;
  readonly reconciles: ReconcileLog;
  readonly overrides: OverrideStore;
  readonly audit: AuditLog;
  readonly changes: ChangeLog;
  readonly refusedRequests: RefusedRequestStore;
  readonly madeByRequests: MadeByRequests;
  readonly search: SearchStore;
  readonly texts: TextStore;
  readonly statistics: StatisticsStore;
  readonly subscriptions: SubscriptionStore;
  readonly callbackSecrets: CallbackSecrets;
  readonly deliveries: DeliveryStore;
  readonly outbox: Outbox;
  readonly intake: MessageIntake;
  readonly outboundMessages: OutboundMessageStore;
  readonly inboundMessages: InboundMessageStore;
  readonly calls: CallStore;
  readonly conferences: ConferenceStore;
  readonly stoppedLinks: StoppedStore;
  readonly reportedLinks: ReportedLinkStore;
  readonly stoppedTrunks: StoppedStore;
  readonly troubledRecordings: TroubledRecordings;
  readonly attention: AttentionStore;
  readonly nodes: NodeStore;
  /** False when another process took over the claim: the transaction must be rolled back. */
  storeAnswer(claim: Claim, answer: StoredAnswer): Promise<boolean>;
}

export interface Store extends Unit {
  transaction<Value>(work: (unit: Unit) => Promise<Value>): Promise<Value>;
  claimAnswer(order: ClaimOrder): Promise<ClaimOutcome>;
  /**
   * Accepts a message and stores the answer to its request, together with those of concurrent requests. False when
   * another process took over the claim: then nothing is stored.
   */
  acceptOnce(message: NewMessage, claim: Claim, answer: StoredAnswer): Promise<boolean>;
  /** Deletes a claim whose answer is not stored. */
  releaseClaim(claim: Claim): Promise<void>;
}

export interface ClaimOrder {
  /** The owner of the key: an account's sid, or an operator. */
  readonly scope: string;
  readonly key: string;
  readonly requestDigest: Uint8Array;
  readonly now: Date;
}

export interface Claim {
  readonly scope: string;
  readonly key: string;
  readonly id: string;
}

export interface StoredAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Set when the text is a file, in base64. */
  readonly file?: { readonly name: string; readonly contentType: string };
}

export type ClaimOutcome =
  | { readonly kind: "claimed"; readonly claim: Claim }
  | { readonly kind: "answered"; readonly answer: StoredAnswer }
  | { readonly kind: "running" }
  | { readonly kind: "otherRequest" };
