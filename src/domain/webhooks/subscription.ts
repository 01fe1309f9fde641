// A subscription (where events of its types go, and in which shape), and its deliveries.

import { ANSWERED_TYPE, EVENT_TYPES, type EventType, type PayloadShape, type SubscribedType } from "../events.ts";

export { PAYLOAD_SHAPES, type PayloadShape } from "../events.ts";

/** With GET, the form parameters of a payload go into the query. A payload without any is posted. */
export type HttpMethod = "POST" | "GET";

/** How the URLs of a subscription are called; null is POST. */
interface Methods {
  readonly method?: HttpMethod | null | undefined;
  readonly backupMethod?: HttpMethod | null | undefined;
}

export interface Subscription extends Methods {
  readonly sid: string;
  readonly accountSid: string;
  readonly types: readonly SubscribedType[];
  readonly url: string;
  readonly backupUrl: string | null;
  /** Limits it to a config or to a number; at most one of the two is set. */
  readonly messagingConfigSid: string | null;
  readonly phone: string | null;
  readonly payloadShape: PayloadShape;
  readonly enabled: boolean;
  /** Why it was disabled by us or by the receiver; null when its owner disabled it, or it is enabled. */
  readonly disabledReason: string | null;
  readonly hasBearer: boolean;
  readonly createdOn: Date;
  readonly lastSuccessOn: Date | null;
}

/** Removes repeats, and the types that `*` stands for. */
export function subscribedTypes(given: readonly SubscribedType[]): readonly SubscribedType[] {
  const types = [...new Set(given)];
  return types.includes("*") ? types.filter((type) => type === "*" || type === ANSWERED_TYPE) : types;
}

/** The type of the sample that a test sends. */
export function sampledType({ types }: Pick<Subscription, "types">): EventType {
  return types.find((type) => type !== "*") ?? (EVENT_TYPES[0] as EventType);
}

/** The secrets that sign and authorise deliveries; stored encrypted, shown once. */
export interface SubscriptionSecrets {
  readonly secret: string;
  readonly bearer: string | null;
}

/** How long a replaced secret still signs, and how many may do so at the same time. */
export const ROTATION_OVERLAP_MS = 24 * 3_600_000;
export const REPLACED_SECRETS_MAX = 5;

export const DELIVERY_STATUSES = ["Pending", "Delivered", "Failed", "Canceled"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export interface Attempt {
  readonly at: Date;
  readonly url: string;
  /** The receiver's HTTP status; null when there was no answer. */
  readonly status: number | null;
  /** Why there was no answer. */
  readonly failure: string | null;
  readonly ms: number;
  /** The first 4 KiB of the answer. */
  readonly answer: string | null;
  /** Kept for failures, and for some of the others. */
  readonly exchange?: AttemptExchange | undefined;
}

export interface AttemptHeader {
  readonly name: string;
  readonly value: string;
}

/** An attempt as it went over the wire, without credentials. */
export interface AttemptExchange {
  readonly requestHeaders: readonly AttemptHeader[];
  /** Null without an answer. */
  readonly answerHeaders: readonly AttemptHeader[] | null;
  readonly timing: {
    /** Null on a reused connection, or if this phase was not reached. */
    readonly dnsMs: number | null;
    readonly connectMs: number | null;
    readonly firstByteMs: number | null;
    readonly totalMs: number;
  };
}

export interface Delivery {
  readonly sid: string;
  readonly subscriptionSid: string;
  readonly type: EventType;
  readonly resourceSid: string;
  readonly sequence: number;
  readonly status: DeliveryStatus;
  readonly attemptCount: number;
  readonly nextAttemptOn: Date | null;
  readonly createdOn: Date;
  readonly finishedOn: Date | null;
  /** Replaces the subscription's; null: the subscription's own. */
  readonly payloadShape: PayloadShape | null;
  readonly attempts: readonly Attempt[];
}
