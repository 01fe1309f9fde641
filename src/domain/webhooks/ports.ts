// What webhooks need from outside.

import type { Page, PageRequest } from "../../base/page.ts";
import type { EventType, NewEvent, StoredEvent } from "../events.ts";
import type { Payload } from "./payload.ts";
import type { Attempt, Delivery, DeliveryStatus, Subscription, SubscriptionSecrets } from "./subscription.ts";

export interface SubscriptionChange {
  readonly url?: string | undefined;
  readonly backupUrl?: string | null | undefined;
  readonly payloadShape?: Subscription["payloadShape"] | undefined;
  readonly bearer?: string | null | undefined;
  readonly enabled?: boolean | undefined;
}

/** What is absent does not narrow. */
export interface SubscriptionFilter {
  readonly accountSid?: string | undefined;
  readonly enabled?: boolean | undefined;
}

export interface SubscriptionStore {
  insert(subscription: Subscription, secrets: SubscriptionSecrets): Promise<void>;
  find(accountSid: string, sid: string): Promise<Subscription | undefined>;
  list(filter: SubscriptionFilter, page: PageRequest): Promise<Page<Subscription>>;
  /** Switching it on forgets why it was off. */
  change(accountSid: string, sid: string, change: SubscriptionChange): Promise<void>;
  /** What is still to be delivered to it is canceled. */
  remove(accountSid: string, sid: string, now: Date): Promise<boolean>;
  rotateSecret(accountSid: string, sid: string, rotation: SecretRotation): Promise<void>;
  /**
   * An enabled subscription of the type with exactly this scope, other than `exceptSid`. Waits for whoever is making
   * one.
   */
  findEnabled(scope: SubscriptionScope, exceptSid: string | undefined): Promise<string | undefined>;
}

/** The secret of before goes on signing until `previousUntil`. */
export interface SecretRotation {
  readonly secret: string;
  readonly previousUntil: Date;
  readonly now: Date;
}

/** The account's own signing secret, for callback URLs that messages bring along. */
export interface CallbackSecrets {
  /** Also where there was none. */
  rotate(accountSid: string, rotation: SecretRotation): Promise<void>;
}

export interface SubscriptionScope {
  readonly accountSid: string;
  readonly type: EventType;
  readonly messagingConfigSid: string | null;
  readonly phone: string | null;
}

export interface DeliveryFilters {
  readonly type?: EventType | undefined;
  readonly status?: DeliveryStatus | undefined;
  readonly subscriptionSid?: string | undefined;
  readonly resourceSid?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

export interface DeliveryStore {
  find(accountSid: string, sid: string): Promise<Delivery | undefined>;
  list(accountSid: string, page: PageRequest, filters: DeliveryFilters): Promise<Page<Delivery>>;
  /**
   * Queues them once more, attempts counted from the start, to `url` instead of the subscription's when given. Answers
   * how many.
   */
  replay(accountSid: string, order: ReplayOrder): Promise<number>;
}

export interface ReplayOrder {
  readonly sids?: readonly string[];
  readonly filters: DeliveryFilters;
  readonly url: string | null;
  readonly now: Date;
  readonly limit: number;
}

export interface LoggedEvent extends StoredEvent {
  /** Its place in the account's log: what comes after it was stored after it. */
  readonly position: string;
}

export interface EventLog {
  /** Nothing that is stored later can come before a position answered here. */
  after(accountSid: string, position: string | undefined, limit: number): Promise<readonly LoggedEvent[]>;
  list(accountSid: string, page: PageRequest, type: EventType | undefined): Promise<Page<LoggedEvent>>;
  /** Where a reader starts who wants only what comes. */
  end(accountSid: string): Promise<string>;
}

/** What is due and not yet taken by anybody. */
export interface Backlog {
  /** Not counted beyond a bound. */
  readonly count: number;
  /** For how long the oldest has been due; 0 when nothing is. */
  readonly oldestMs: number;
}

export interface EndpointRoom {
  readonly subscriptionSid: string;
  readonly room: number;
}

export interface Claim {
  readonly claimed: readonly ClaimedDelivery[];
  /** Endpoints in which something due was left for want of room. */
  readonly full: readonly string[];
  /** Endpoints in which something due was left because an earlier event of its resource is still queued. */
  readonly blocked: readonly string[];
}

export interface ClaimedDelivery {
  readonly sid: string;
  readonly createdOn: Date;
  /** When its round began: a replay begins another. */
  readonly queuedOn: Date;
  /** Of this round, this one included. */
  readonly attempt: number;
  /** Instead of the subscription's own, without its bearer. */
  readonly url: string | null;
  /** False when its subscription is gone or switched off meanwhile, or its event too old to be kept. */
  readonly isWanted: boolean;
  readonly event: StoredEvent;
  readonly subscription: AskedSubscription & { readonly failingSince: Date | null };
}

/** A subscription with what it takes to send to it. */
export interface AskedSubscription extends Pick<Subscription, "sid" | "url" | "backupUrl" | "payloadShape"> {
  /** The present one and, while it still signs, the one before. */
  readonly secrets: readonly string[];
  readonly bearer: string | null;
}

/** Subscriptions whose answer somebody waits for, and the record of it. */
export interface AskedWebhooks {
  /** The one enabled subscription with the narrowest scope. */
  find(event: NewEvent): Promise<AskedSubscription | undefined>;
  /** How the subscription fares is noted too. */
  record(exchange: AskedExchange): Promise<void>;
  /** An event nobody was asked about still happened. */
  recordUnheard(event: NewEvent, now: Date): Promise<void>;
}

export interface AskedExchange {
  readonly event: NewEvent;
  readonly subscriptionSid: string;
  readonly deliverySid: string;
  readonly createdOn: Date;
  readonly attempts: readonly Attempt[];
  readonly isAnswered: boolean;
}

export interface SettledDelivery {
  readonly sid: string;
  readonly createdOn: Date;
  readonly queuedOn: Date;
  readonly subscriptionSid: string;
  readonly resourceSid: string;
  readonly status: DeliveryStatus;
  /** When it is tried again; only of `Pending`. */
  readonly nextAttemptOn: Date | null;
  readonly attempts: readonly Attempt[];
}

/** What is still to be delivered, in endpoints: one per subscription. */
export interface DeliveryQueue {
  /** Endpoints in which something is due. */
  dueEndpoints(now: Date): Promise<readonly string[]>;
  /** Takes what is due until the lease ends. */
  claim(endpoints: readonly EndpointRoom[], now: Date, leaseMs: number): Promise<Claim>;
  /**
   * Records attempts and what became of the deliveries; one that is queued anew meanwhile stays queued. Answers the
   * endpoints in which something waited behind them and is due now.
   */
  settle(settled: readonly SettledDelivery[], now: Date): Promise<readonly string[]>;
  noteSuccess(subscriptionSids: readonly string[], now: Date): Promise<void>;
  noteFailure(subscriptionSids: readonly string[], now: Date): Promise<void>;
  switchOff(subscriptionSid: string, reason: string): Promise<void>;
}

export interface SignOrder {
  readonly webhookSid: string;
  readonly url: string;
  readonly payload: Payload;
  readonly secrets: readonly string[];
  readonly now: Date;
}

/** Makes the headers a receiver checks. */
export interface WebhookSigner {
  sign(order: SignOrder): Record<string, string>;
}

export interface PostOrder {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly deadlineMs: number;
  /** How much of the answer is wanted; the first 4 KiB unless told. */
  readonly keepBytes?: number;
}

/** Never throws, and never takes longer than the deadline. */
export interface WebhookPoster {
  post(order: PostOrder): Promise<PostOutcome>;
}

export interface PostOutcome {
  /** Null when no answer came. */
  readonly status: number | null;
  readonly failure: string | null;
  readonly ms: number;
  readonly answer: Uint8Array;
  /** There was more than is kept, or the rest did not come. */
  readonly isCut: boolean;
  readonly contentType: string | null;
  readonly retryAfterMs: number | undefined;
}
