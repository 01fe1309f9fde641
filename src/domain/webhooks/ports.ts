// What webhooks need from outside.

import type { MaybePromise } from "../../base/maybe-promise.ts";
import type { Optional } from "../../base/optional.ts";
import type { Page, PageRequest } from "../../base/page.ts";
import type { Result } from "../../base/result.ts";
import type { EventType, NewEvent, PayloadShape, StoredEvent } from "../events.ts";
import type { ClaimRecords } from "../give-back.ts";
import type { Payload } from "./payload.ts";
import type { OrderedDelivery } from "./resource-order.ts";
import type {
  Attempt,
  AttemptExchange,
  Delivery,
  DeliveryStatus,
  HttpMethod,
  Subscription,
  SubscriptionSecrets,
} from "./subscription.ts";

export type SubscriptionChange = Optional<
  Pick<Subscription, "url" | "backupUrl" | "payloadShape" | "enabled" | "method" | "backupMethod"> &
    Pick<SubscriptionSecrets, "bearer">
>;

export type SubscriptionFilter = Optional<Pick<Subscription, "accountSid" | "enabled">>;

export interface SubscriptionStore {
  insert(subscription: Subscription, secrets: SubscriptionSecrets): Promise<void>;
  find(accountSid: string, sid: string): Promise<Subscription | undefined>;
  /** How many the account has. Waits while another one is being made. */
  count(accountSid: string): Promise<number>;
  list(filter: SubscriptionFilter, page: PageRequest): Promise<Page<Subscription>>;
  /** Those in Twilio's shape, each to one type and limited to one of these numbers; newest first. */
  twilioOf(accountSid: string, numbers: readonly string[]): Promise<readonly Subscription[]>;
  /** Enabling it clears `disabledReason`. */
  change(accountSid: string, sid: string, change: SubscriptionChange): Promise<void>;
  /** Cancels its pending deliveries. */
  remove(accountSid: string, sid: string, now: Date): Promise<boolean>;
  /** False when the maximum number of replaced secrets is still signing. */
  rotateSecret(accountSid: string, sid: string, rotation: SecretRotation): Promise<boolean>;
  /**
   * An enabled subscription that names this type for exactly this scope, other than `exceptSid`. Waits while another
   * one is being made.
   */
  findEnabled(type: EventType, scope: SubscriptionScope, exceptSid: string | undefined): Promise<string | undefined>;
}

/** The replaced secret also signs until `previousUntil`. */
export interface SecretRotation {
  readonly secret: string;
  readonly previousUntil: Date;
  readonly now: Date;
}

/** The account's own signing secret: for callback URLs of messages, and for Twilio's shape without a signing token. */
export interface CallbackSecrets {
  /** The current secret and those it has replaced recently; none before the first was made. */
  current(accountSid: string, now: Date): Promise<readonly string[]>;
  /** Makes the first secret. */
  ensure(accountSid: string, now: Date): Promise<void>;
  /** Also makes the first secret. False when the maximum number of replaced secrets is still signing. */
  rotate(accountSid: string, rotation: SecretRotation): Promise<boolean>;
}

export interface SubscriptionScope {
  readonly accountSid: string;
  readonly messagingConfigSid: string | null;
  readonly phone: string | null;
}

export type DeliveryFilters = Optional<
  Pick<Delivery, "type" | "status" | "subscriptionSid" | "resourceSid"> & { readonly from: Date; readonly to: Date }
>;

export interface DeliveryStore {
  find(accountSid: string, sid: string): Promise<Delivery | undefined>;
  /** The event that is delivered, while it is stored. */
  eventOf(accountSid: string, sid: string): Promise<StoredEvent | undefined>;
  list(accountSid: string, page: PageRequest, filters: DeliveryFilters): Promise<Page<Delivery>>;
  /**
   * Queues them again with a new count of attempts, to `url` instead of the subscription's if given. Those whose
   * subscription is gone are left out, unless there is a `url`: then the account's own secret signs. Deliveries under
   * way are also left out, unless `sids` names them. Returns how many.
   */
  replay(accountSid: string, order: ReplayOrder): Promise<number>;
}

export interface ReplayOrder {
  readonly sids?: readonly string[];
  readonly filters: DeliveryFilters;
  readonly url: string | null;
  /** Replaces the subscription's; only with a `url`. */
  readonly payloadShape?: PayloadShape | null;
  readonly now: Date;
  readonly limit: number;
}

export interface LoggedEvent extends StoredEvent {
  /** The position in the account's log. */
  readonly position: string;
}

export interface EventLog {
  /** An event that is stored later never gets a position before one that was returned here. */
  after(accountSid: string, position: string | undefined, limit: number): Promise<readonly LoggedEvent[]>;
  list(accountSid: string, page: PageRequest, type: EventType | undefined): Promise<Page<LoggedEvent>>;
  /** The position from which a reader sees only future events. */
  end(accountSid: string): Promise<string>;
  /**
   * Events of all accounts. Under heavy load, an event that is stored late is left out when thousands that follow it
   * were read before, and a reader that is thousands behind continues with the newest.
   */
  ofAllAfter(position: string, limit: number): Promise<readonly LoggedEvent[]>;
  listAll(page: PageRequest, type: EventType | undefined): Promise<Page<LoggedEvent>>;
  endOfAll(): Promise<string>;
}

/** Deliveries that are due and not claimed. */
export interface Backlog {
  /** Not counted beyond a bound. */
  readonly count: number;
  /** How long the oldest has been due; 0 when nothing is. */
  readonly oldestMs: number;
}

/** How many deliveries may be claimed from an endpoint. */
export interface EndpointLimit {
  readonly subscriptionSid: string;
  readonly countMax: number;
}

export interface Claim {
  readonly claimed: readonly ClaimedDelivery[];
  /** Endpoints that may have more due deliveries: the claim reached the limit, or one is no longer blocked. */
  readonly left: readonly string[];
  /** Endpoints with a due delivery that was not claimed because an earlier event of its resource is still queued. */
  readonly blocked: readonly string[];
}

export interface ClaimedDelivery {
  readonly sid: string;
  readonly createdOn: Date;
  /** Its entry in the queue. A replay gives it another. */
  readonly entry: number;
  /** The number of the attempt since it was stored or replayed, from 1. */
  readonly attempt: number;
  /** Replaces the subscription's URLs; gets no bearer. Null: the subscription's own. */
  readonly url: string | null;
  /** Replaces the subscription's; null: the subscription's own. */
  readonly payloadShape: PayloadShape | null;
  /** False when the subscription was deleted or disabled meanwhile, or the event is no longer stored. */
  readonly isWanted: boolean;
  readonly event: StoredEvent;
  readonly subscription: SubscriptionTarget & { readonly failingSince: Date | null };
}

/** A subscription with everything needed to send to it. */
export interface SubscriptionTarget
  extends Pick<Subscription, "sid" | "url" | "backupUrl" | "payloadShape" | "method" | "backupMethod"> {
  /** The current secret and those it has replaced recently. */
  readonly secrets: readonly string[];
  readonly bearer: string | null;
  /** Why nothing can be sent to it. */
  readonly fault?: string;
}

/** Subscriptions to events that need an answer, and the record of the exchange. */
export interface AskedWebhooks {
  /** The one enabled subscription with the narrowest scope. */
  find(event: NewEvent): Promise<SubscriptionTarget | undefined>;
  /** Also notes success or failure on the subscription. */
  record(exchange: AskedExchange): Promise<void>;
  /** Stores an event that has no subscription. */
  recordUnsubscribed(event: NewEvent, now: Date): Promise<void>;
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
  readonly entry: number;
  readonly subscriptionSid: string;
  readonly resourceSid: string;
  readonly sequence: number;
  readonly payloadShape: PayloadShape | null;
  readonly status: DeliveryStatus;
  /** When it is tried again; only for `Pending`. */
  readonly nextAttemptOn: Date | null;
  readonly attempts: readonly Attempt[];
}

/**
 * Pending deliveries. An endpoint holds those of one subscription, and has its sid. One process at a time delivers to
 * an endpoint.
 */
/** Endpoints with due deliveries, a bounded number at a time, in rounds over all of them. */
export interface DueEndpoints {
  readonly sids: readonly string[];
  /** The next look goes on after these; otherwise it begins a new round. */
  readonly hasMore: boolean;
}

export interface DeliveryQueue extends ClaimRecords {
  dueEndpoints(now: Date): Promise<DueEndpoints>;
  /** Claims due deliveries of those endpoints that this process delivers to. */
  claim(endpoints: readonly EndpointLimit[], now: Date): Promise<Claim>;
  /**
   * Records attempts and the outcome of the deliveries; one that was replayed meanwhile stays queued. Returns the
   * endpoints with deliveries that waited behind these and are due now.
   */
  settle(settled: readonly SettledDelivery[], now: Date): Promise<readonly string[]>;
  /** It is claimed, and waits here for an earlier event of its resource. */
  isWaiting(deliverySid: string): boolean;
}

/** What the queue notes on subscriptions. */
export interface SubscriptionHealth {
  noteSuccess(subscriptionSids: readonly string[], now: Date): Promise<void>;
  noteFailure(subscriptionSids: readonly string[], now: Date): Promise<void>;
  switchOff(subscriptionSid: string, reason: string): Promise<void>;
}

/** A delivery in the queue. */
export interface QueuedDelivery extends OrderedDelivery {
  readonly sid: string;
  /** Since it was stored or replayed. */
  readonly firstTriedMs: number | undefined;
}

/** A delivery that was tried and is tried again. */
export interface TriedBefore extends OrderedDelivery {
  /** At first. */
  readonly triedOn: Date;
}

/** The rows under an ordered queue; each method is a statement. */
export interface DeliveryRecords<Queued extends QueuedDelivery> extends ClaimRecords {
  dueEndpoints(now: Date): Promise<DueEndpoints>;
  /** Claims due deliveries of endpoints in this worker's slots, and returns them in the order of the queue. */
  claim(limits: readonly EndpointLimit[]): Promise<readonly Queued[]>;
  /** Resolves when every claim of this worker has ended, also if its answer is no longer expected. */
  claimsEnded(): Promise<void>;
  /** Reads what is needed to deliver to these endpoints now. */
  read(endpoints: readonly EndpointLimit[], now: Date): Promise<(queued: Queued) => ClaimedDelivery>;
  settle(settled: readonly SettledDelivery[], now: Date): Promise<void>;
  /** What was first tried since then, in all slots. */
  triedSince(time: Date): Promise<readonly TriedBefore[]>;
}

export interface SignOrder {
  readonly accountSid: string;
  readonly webhookSid: string;
  readonly url: string;
  readonly payload: Payload;
  readonly secrets: readonly string[];
  readonly now: Date;
}

/** Makes the signature headers, or returns why nothing can be sent. In Twilio's shape one key signs for the account. */
export interface WebhookSigner {
  /** A promise only for Twilio's shape: the others are signed without one, because deliveries are frequent. */
  sign(order: SignOrder): MaybePromise<Result<Record<string, string>, string>>;
}

export interface PostOrder {
  /** Accounts share no connections. */
  readonly accountSid: string;
  /** The resource that it tells of. */
  readonly resourceSid: string;
  readonly method: HttpMethod;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly deadlineMs: number;
  /** How much of the answer to keep; 4 KiB by default. */
  readonly keepBytes?: number;
  /** Never sent a second time, not even when a connection breaks that was in use before. */
  readonly isOnce?: boolean;
}

/** Never throws, and never takes longer than the deadline. */
export interface WebhookPoster {
  post(order: PostOrder): Promise<PostOutcome>;
}

export interface PostOutcome {
  /** Null when no answer arrived. */
  readonly status: number | null;
  readonly failure: string | null;
  readonly ms: number;
  readonly answer: Uint8Array;
  /** The answer is longer than what is kept, or its end did not arrive. */
  readonly isCut: boolean;
  readonly contentType: string | null;
  readonly retryAfterMs: number | undefined;
  /** The details of the exchange, made on demand. */
  readonly exchange?: () => AttemptExchange;
  /** The values of a header of the answer, by its name in lower case. */
  readonly valuesOf?: (name: string) => readonly string[];
}

/** The receiver's answer to an inbound message, in Twilio's shape. */
export interface AnsweredDelivery {
  readonly accountSid: string;
  readonly deliverySid: string;
  readonly from: string;
  readonly to: string;
  readonly answer: Uint8Array;
}

/** Why a reply was not sent. */
export interface ReplyFault {
  readonly reason: string;
  /** It may be sent later: the delivery must be repeated, but not before this. */
  readonly retryAfterSeconds?: number | undefined;
}

/** Sends the replies that the answer asks for, each once however often it is called; returns why one was not sent. */
export type ReplySender = (answered: AnsweredDelivery) => Promise<ReplyFault | undefined>;
