// What the store's readers must return, kept as plain lists in memory: messages with their steps, events,
// subscriptions, and deliveries with their attempts. It follows the contract and knows no tables, batches or indexes.
//
// What the store may choose freely is learned from it once, and every reader must agree from then on: the sids of
// deliveries, the positions of events, the times of retries, and when a delivery that is no longer wanted is canceled.

import { ANSWERED_TYPE, type NewEvent, type StoredEvent } from "../../src/domain/events.ts";
import {
  type CarrierReceipt,
  FAILURES,
  isUntaken,
  type NewMessage,
  nextTryOn,
  type OutboundMessage,
  type SettledMessage,
  type TrailStep,
  verdictOf,
} from "../../src/domain/messaging/index.ts";
import type { Attempt, Delivery, DeliveryFilters, ReplayOrder, Subscription } from "../../src/domain/webhooks/index.ts";

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

export interface MessageEntry {
  readonly row: Mutable<NewMessage>;
  place: "waits" | "underWay" | "over";
  dueOn: Date | null;
  deferrals: number;
  link: string | null;
  carrierIds: readonly string[];
  partsDelivered: number;
  eventCount: number;
  /** The steps that are not derived from its fields. */
  readonly steps: TrailStep[];
}

export interface EventEntry extends StoredEvent {
  /** Events of one operation are stored together: only those of one resource have an order. */
  readonly operation: number;
  position?: string;
}

export interface DeliveryEntry extends Mutable<Omit<Delivery, "sid" | "attemptCount" | "attempts">> {
  readonly accountSid: string;
  readonly event: EventEntry;
  readonly attempts: Attempt[];
  sid?: string;
  /** The URL that replaces the subscription's. */
  url: string | null;
  /** The subscription that it goes to: a replay may move it to the account's own. */
  endpoint: string;
  /** It is sent to a subscription that is off, too. */
  isForced: boolean;
  /** Attempts of this round. */
  tries: number;
  /** When its last attempt failed, until the time of the next one is learned. */
  retriedSince?: Date | undefined;
  /** The times at which it may have been canceled since it was last read. */
  readonly mayEndOn: Date[];
  wasReplayedUntried: boolean;
}

export interface SubscriptionEntry extends Mutable<Subscription> {
  readonly isCallback: boolean;
  isRemoved: boolean;
}

const UNHAPPY: readonly string[] = ["Failed", "Expired", "Canceled"];
const stepOf = (status: string): TrailStep["step"] =>
  status === "Expired" ? "expired" : status === "Canceled" ? "canceled" : "failed";
const WEEK_MS = 7 * 24 * 3_600_000;
const MONDAY_MS = Date.UTC(2024, 0, 1);

export class Model {
  readonly messages = new Map<string, MessageEntry>();
  readonly subscriptions: SubscriptionEntry[] = [];
  events: EventEntry[] = [];
  deliveries: DeliveryEntry[] = [];
  /** Messages by the carrier's ids whose receipt is awaited. */
  readonly #awaited = new Map<string, MessageEntry>();
  #early: CarrierReceipt[] = [];
  #operation = 0;

  /** What follows is stored after everything before. */
  nextOperation(): void {
    this.#operation++;
  }

  accept(message: NewMessage): void {
    this.messages.set(message.sid, {
      row: { ...message },
      place: "waits",
      dueOn: message.dueOn,
      deferrals: 0,
      link: null,
      carrierIds: [],
      partsDelivered: 0,
      eventCount: 0,
      steps: [],
    });
  }

  entryOf(sid: string): MessageEntry {
    return this.messages.get(sid) as MessageEntry;
  }

  settle(settled: SettledMessage, now: Date): void {
    const { message, link, outcome, at } = settled;
    const entry = this.entryOf(message.sid);
    const againOn = outcome.kind === "deferred" ? nextTryOn(message, at) : undefined;
    if (outcome.kind !== "accepted") {
      const tried = outcome.kind === "deferred" ? { try: message.deferrals + 1, againOn: againOn ?? null } : {};
      entry.steps.push({ at, step: "submit", details: { link: link.name, ...outcome, ...tried } });
    }
    if (isUntaken(outcome) || againOn) {
      entry.place = "waits";
      entry.dueOn = againOn ?? now;
      if (outcome.kind === "deferred" && againOn) {
        entry.deferrals++;
        entry.row.statusReason = `${outcome.reason}; it is tried again at ${againOn.toISOString()}`;
      }
      return;
    }
    entry.place = "over";
    entry.link = link.name;
    entry.carrierIds = outcome.carrierIds;
    for (const id of outcome.carrierIds) this.#awaited.set(`${link.carrier} ${id}`, entry);
    if (outcome.kind === "accepted") this.#move(entry, { status: "Sent", statusReason: null, sentOn: at }, now);
    else if (outcome.kind === "unknown") this.#fail(entry, FAILURES.unknownOutcome, outcome.reason, now);
    else {
      const times = outcome.kind === "deferred" ? `, ${message.deferrals + 1} times` : "";
      this.#fail(entry, outcome.failure, `${outcome.reason}${times}`, now);
    }
  }

  /** Another process sends now: what was under way is of unknown outcome. */
  takeOver(link: string, now: Date): void {
    for (const entry of this.messages.values()) {
      if (entry.place !== "underWay") continue;
      entry.place = "over";
      entry.link = link;
      this.#fail(entry, FAILURES.unknownOutcome, "The server stopped while it was sending", now);
    }
  }

  receive(receipt: CarrierReceipt, now: Date): void {
    const verdict = verdictOf(receipt);
    if (verdict.kind === "underWay") return;
    const key = `${receipt.carrier} ${receipt.carrierId}`;
    const entry = this.#awaited.get(key);
    if (!entry) {
      this.#early.push(receipt);
      return;
    }
    this.#awaited.delete(key);
    const { carrierId, state, errorCode, receivedOn } = receipt;
    if (verdict.kind === "failed")
      entry.steps.push({ at: receivedOn, step: "receipt", details: { carrierId, state, errorCode } });
    const { row } = entry;
    const isUnknown = row.status === "Failed" && row.errorCode === FAILURES.unknownOutcome.code;
    if (row.status !== "Sent" && !isUnknown) return;
    if (verdict.kind === "failed") this.#fail(entry, verdict.failure, verdict.reason, now);
    else if (++entry.partsDelivered >= Math.max(entry.carrierIds.length, 1)) {
      const deliveredOn = row.sentOn && row.sentOn > now ? row.sentOn : now;
      this.#move(
        entry,
        { status: "Delivered", statusReason: null, errorCode: 0, errorDescription: null, deliveredOn },
        now,
      );
    }
  }

  applyEarly(now: Date): void {
    for (const receipt of this.#early.splice(0)) this.receive(receipt, now);
  }

  mayCancel(sid: string): boolean {
    return this.messages.get(sid)?.place === "waits";
  }

  cancel(sid: string, now: Date): void {
    const entry = this.entryOf(sid);
    entry.place = "over";
    this.#move(entry, { status: "Canceled", statusReason: "Its sender canceled it" }, now);
  }

  expire(now: Date): number {
    const late = [...this.messages.values()].filter(({ place, row }) => place === "waits" && row.expiresOn <= now);
    for (const entry of late) {
      entry.place = "over";
      this.#move(entry, { status: "Expired", statusReason: "It expired before it could be sent" }, now);
    }
    return late.length;
  }

  remove(sid: string): void {
    const entry = this.entryOf(sid);
    this.messages.delete(sid);
    for (const [key, awaited] of this.#awaited) if (awaited === entry) this.#awaited.delete(key);
  }

  messagesOf(accountSid: string): readonly OutboundMessage[] {
    return [...this.messages.values()]
      .map(({ row }) => row)
      .filter((row) => row.accountSid === accountSid)
      .sort((one, other) => compareText(one.sid, other.sid));
  }

  /** Steps of the same time and kind have no order. */
  trailOf(sid: string): readonly TrailStep[] {
    const entry = this.messages.get(sid);
    if (!entry) return [];
    const { row, link, carrierIds, steps } = entry;
    const trail: TrailStep[] = [{ at: row.createdOn, step: "accepted", details: acceptedDetails(row) }, ...steps];
    if (entry.place === "waits" && entry.dueOn === null)
      trail.push({ at: row.createdOn, step: "held", details: { until: `${row.from} is active` } });
    if (row.sendAt) trail.push({ at: row.createdOn, step: "scheduled", details: { until: row.sendAt } });
    if (row.sentOn) trail.push({ at: row.sentOn, step: "sent", details: { link, carrierIds } });
    if (row.deliveredOn) trail.push({ at: row.deliveredOn, step: "delivered", details: { link } });
    return [...trail, ...this.#endsOf(row)];
  }

  /** From the events while they are kept; the last of them from the message itself when they are gone. */
  #endsOf(row: NewMessage): readonly TrailStep[] {
    const ends = this.events.filter(
      ({ resourceSid, fields }) => resourceSid === row.sid && UNHAPPY.includes(String(fields.Status)),
    );
    const { status, statusReason: reason, errorCode, errorDescription } = row;
    if (ends.length === 0) {
      if (!UNHAPPY.includes(status)) return [];
      const details = { errorCode, errorDescription, reason };
      return [{ at: row.sentOn ?? row.createdOn, step: stepOf(status), details }];
    }
    return ends.map(({ fields, createdOn }, at) => {
      const isLast = at === ends.length - 1 && fields.Status === status;
      return {
        at: createdOn,
        step: stepOf(String(fields.Status)),
        details: {
          errorCode: fields.ErrorCode,
          errorDescription: fields.ErrorDescription,
          ...(isLast ? { reason } : {}),
        },
      };
    });
  }

  emit(event: NewEvent, now: Date): EventEntry {
    const stored = this.store(event, now);
    for (const subscription of this.#receiversOf(event)) {
      this.deliveries.push({
        ...{ accountSid: event.accountSid, event: stored, attempts: [], subscriptionSid: subscription.sid },
        ...{ type: event.type, resourceSid: event.resourceSid, sequence: stored.sequence, status: "Pending" },
        ...{ nextAttemptOn: now, createdOn: now, finishedOn: null, payloadShape: event.callbackShape ?? null },
        ...{ url: event.callbackUrl ?? null, endpoint: subscription.sid, isForced: event.onlyTo !== undefined },
        ...{ tries: 0, mayEndOn: [], wasReplayedUntried: false },
      });
    }
    return stored;
  }

  /** Without any delivery. */
  store({ accountSid, type, resourceSid, fields, sequence }: NewEvent, now: Date): EventEntry {
    const earlier = this.events.filter(
      (event) => event.accountSid === accountSid && event.resourceSid === resourceSid,
    ).length;
    const entry: EventEntry = {
      ...{ accountSid, type, resourceSid, sequence: sequence ?? earlier + 1, createdOn: now },
      fields: fields as unknown as Readonly<Record<string, unknown>>,
      operation: this.#operation,
    };
    this.events.push(entry);
    return entry;
  }

  #receiversOf(event: NewEvent): readonly SubscriptionEntry[] {
    const { type, onlyTo, callbackUrl } = event;
    const listening = this.subscriptions.filter(
      ({ accountSid, isRemoved, types }) =>
        accountSid === event.accountSid &&
        !isRemoved &&
        (types.includes(type) || (types.includes("*") && type !== ANSWERED_TYPE)),
    );
    if (onlyTo !== undefined) return listening.filter(({ sid }) => sid === onlyTo);
    if (callbackUrl !== undefined) return listening.filter(({ isCallback }) => isCallback);
    const fitting = listening.filter(
      ({ enabled, isCallback, phone, messagingConfigSid }) =>
        enabled &&
        !isCallback &&
        (phone === null || phone === event.phone) &&
        (messagingConfigSid === null || messagingConfigSid === event.messagingConfigSid),
    );
    const byPhone = fitting.filter(({ phone }) => phone !== null);
    const byConfig = fitting.filter(({ messagingConfigSid }) => messagingConfigSid !== null);
    return [byPhone, byConfig, fitting].find((some) => some.length > 0) ?? [];
  }

  subscriptionOf(sid: string): SubscriptionEntry | undefined {
    return this.subscriptions.find((one) => one.sid === sid && !one.isRemoved);
  }

  isWanted({ endpoint, isForced }: DeliveryEntry): boolean {
    const subscription = this.subscriptionOf(endpoint);
    return subscription !== undefined && (subscription.enabled || isForced);
  }

  /** Those of the account that match, in the order of their sids. */
  deliveriesOf(accountSid: string, filters: DeliveryFilters = {}): readonly DeliveryEntry[] {
    const { type, status, subscriptionSid, resourceSid, from, to } = filters;
    return this.deliveries
      .filter(
        (delivery) =>
          delivery.accountSid === accountSid &&
          (type === undefined || delivery.type === type) &&
          (status === undefined || delivery.status === status) &&
          (subscriptionSid === undefined || delivery.subscriptionSid === subscriptionSid) &&
          (resourceSid === undefined || delivery.resourceSid === resourceSid) &&
          (from === undefined || delivery.createdOn >= from) &&
          (to === undefined || delivery.createdOn < to),
      )
      .sort((one, other) => compareText(one.sid ?? "", other.sid ?? ""));
  }

  /** Returns how many; nothing may be under way. */
  replay(accountSid: string, { sids, filters, url, payloadShape, now, limit }: ReplayOrder): number {
    const meant = this.deliveriesOf(accountSid, filters)
      .filter(({ sid }) => sids === undefined || sids.includes(sid as string))
      .filter(({ subscriptionSid }) => url !== null || this.subscriptionOf(subscriptionSid))
      .slice(0, limit);
    for (const delivery of meant) {
      const { subscriptionSid } = delivery;
      const isSubscribed = this.subscriptionOf(subscriptionSid) !== undefined;
      delivery.wasReplayedUntried ||= delivery.attempts.length === 0;
      delivery.status = "Pending";
      delivery.nextAttemptOn = now;
      delivery.finishedOn = null;
      delivery.payloadShape = payloadShape ?? delivery.payloadShape;
      delivery.endpoint = isSubscribed ? subscriptionSid : callbackSidOf(accountSid);
      delivery.url = url ?? (subscriptionSid === callbackSidOf(accountSid) ? this.#callbackUrlOf(delivery) : null);
      delivery.isForced = true;
      delivery.tries = 0;
      delivery.mayEndOn.length = 0;
    }
    return meant.length;
  }

  #callbackUrlOf({ resourceSid }: DeliveryEntry): string | null {
    return this.messages.get(resourceSid)?.row.callbackUrl ?? null;
  }

  /** Records of the weeks that ended before this are gone. */
  forget(before: Date): void {
    const isKept = ({ createdOn }: { readonly createdOn: Date }) => weekEndOf(createdOn) > before.getTime();
    this.events = this.events.filter(isKept);
    this.deliveries = this.deliveries.filter(isKept);
  }

  #fail(entry: MessageEntry, { code, description }: FailureFacts, reason: string, now: Date): void {
    this.#move(entry, { status: "Failed", statusReason: reason, errorCode: code, errorDescription: description }, now);
  }

  #move(entry: MessageEntry, change: Partial<NewMessage>, now: Date): void {
    const { row } = entry;
    const previous = row.status;
    Object.assign(row, change);
    if (row.status === previous) return;
    const { callbackUrl, callbackShape, callbackStatuses, messagingConfigSid } = row;
    this.emit(
      {
        accountSid: row.accountSid,
        type: "OutboundMessageStatusChanged",
        resourceSid: row.sid,
        sequence: ++entry.eventCount,
        fields: {
          ...{ Sid: row.sid, From: row.from, To: row.to, Status: row.status, PreviousStatus: previous },
          ...{ ErrorCode: row.errorCode, ErrorDescription: row.errorDescription },
          ...{ SegmentCount: row.segmentCount, Carrier: row.carrier },
        },
        phone: row.from,
        ...(messagingConfigSid === null ? {} : { messagingConfigSid }),
        ...(callbackStatuses === "Final" && row.status === "Sent" ? { onlyTo: "" } : {}),
        ...(callbackUrl === null ? {} : { callbackUrl }),
        ...(callbackShape === null ? {} : { callbackShape }),
      },
      now,
    );
  }
}

interface FailureFacts {
  readonly code: number;
  readonly description: string;
}

/** The subscription that stands for callback URLs. */
export function callbackSidOf(accountSid: string): string {
  return `WS${accountSid.slice(2)}`;
}

export function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function weekEndOf(at: Date): number {
  return MONDAY_MS + (Math.floor((at.getTime() - MONDAY_MS) / WEEK_MS) + 1) * WEEK_MS;
}

function acceptedDetails(row: NewMessage): TrailStep["details"] {
  const { messagingConfigSid, tcrCampaignId, carrier: recipientCarrier, segmentCount, encoding } = row;
  return { messagingConfigSid, tcrCampaignId, recipientCarrier, segmentCount, encoding };
}

/** A delivery ends with its last attempt. */
export function endOf(attempts: readonly Attempt[]): Date | null {
  const last = attempts.at(-1);
  return last ? new Date(last.at.getTime() + last.ms) : null;
}
