// Subscriptions and the queue of pending deliveries, in memory, by the rules of the statements in
// adapters/store/webhooks. Each method is one statement, and atomic.

import type { StoredEvent } from "../../src/domain/events.ts";
import type { OwnedRecord } from "../../src/domain/give-back.ts";
import type {
  Claim,
  ClaimedDelivery,
  DeliveryStatus,
  EndpointLimit,
  SettledDelivery,
  SubscriptionTarget,
} from "../../src/domain/webhooks/index.ts";

export interface SubscriptionRow extends SubscriptionTarget {
  enabled: boolean;
  disabledReason: string | null;
  disabledMs: number | null;
  failingSince: Date | null;
}

export interface DeliveryRow {
  readonly sid: string;
  readonly subscription: SubscriptionRow;
  readonly event: StoredEvent;
  status: DeliveryStatus;
  finishedMs: number | null;
  /** Every recorded attempt, in order. */
  readonly settled: { readonly atMs: number; readonly attempt: number; readonly settled: SettledDelivery }[];
  queued: Queued | undefined;
}

interface Queued {
  dueMs: number;
  claimedBy: number | null;
  attempt: number;
  firstTriedMs: number | null;
  isBlocked: boolean;
}

type QueuedRow = DeliveryRow & { queued: Queued };

const ORDER_WAIT_MS = 60_000;
const BLOCKED_RECHECK_MS = 30_000;

export class DeliveryTable {
  readonly subscriptions: readonly SubscriptionRow[];
  readonly rows = new Map<string, DeliveryRow>();
  #queue: QueuedRow[] = [];

  constructor(subscriptions: readonly SubscriptionRow[]) {
    this.subscriptions = subscriptions;
  }

  /** Adds one delivery for every enabled subscription. Returns the subscriptions' sids. */
  add(event: StoredEvent): readonly string[] {
    return this.subscriptions
      .filter(({ enabled }) => enabled)
      .map((subscription) => {
        const sid = `WH${String(this.rows.size + 1).padStart(5, "0")}`;
        const dueMs = event.createdOn.getTime();
        const queued = { dueMs, claimedBy: null, attempt: 0, firstTriedMs: null, isBlocked: false };
        const row: QueuedRow = { sid, subscription, event, status: "Pending", finishedMs: null, settled: [], queued };
        this.rows.set(sid, row);
        this.#queue.push(row);
        return subscription.sid;
      });
  }

  dueEndpoints(now: Date): readonly string[] {
    return [
      ...new Set(this.#queue.filter((row) => isDue(row, +now)).map(({ subscription }) => subscription.sid)),
    ].sort();
  }

  /** When the next delivery is due that no worker has claimed. */
  nextDueMs(): number {
    let nextMs = Number.POSITIVE_INFINITY;
    for (const { queued } of this.#queue) if (queued.claimedBy === null) nextMs = Math.min(nextMs, queued.dueMs);
    return nextMs;
  }

  claim(worker: number, endpoints: readonly EndpointLimit[], now: Date): Claim {
    const claimed: ClaimedDelivery[] = [];
    const left: string[] = [];
    const blocked = new Set<string>();
    for (const { subscriptionSid, countMax } of endpoints) {
      const picked = this.#queue
        .filter((row) => row.subscription.sid === subscriptionSid && isDue(row, +now))
        .sort((one, other) => one.queued.dueMs - other.queued.dueMs || one.event.sequence - other.event.sequence)
        .slice(0, countMax);
      if (picked.length === countMax) left.push(subscriptionSid);
      for (const { row, heldUntilMs } of picked.map((row) => ({ row, heldUntilMs: this.#heldUntilMs(row, +now) }))) {
        const { queued } = row;
        queued.isBlocked = heldUntilMs !== undefined;
        if (heldUntilMs !== undefined) {
          blocked.add(subscriptionSid);
          queued.dueMs = heldUntilMs;
        } else {
          queued.attempt += 1;
          queued.claimedBy = worker;
          claimed.push(toClaimed(row));
        }
      }
    }
    return { claimed, left, blocked: [...blocked] };
  }

  /** Returns the endpoints with a delivery that waited for one of these and is due now. */
  settle(settled: readonly SettledDelivery[], now: Date): readonly string[] {
    const released = new Set<string>();
    for (const each of settled) {
      const row = this.rows.get(each.sid) as DeliveryRow;
      row.settled.push({ atMs: +now, attempt: row.queued?.attempt ?? 0, settled: each });
      if (!row.queued) continue;
      if (each.status === "Pending") {
        row.queued.firstTriedMs ??= each.attempts[0]?.at.getTime() ?? null;
        Object.assign(row.queued, { dueMs: each.nextAttemptOn?.getTime(), claimedBy: null });
        continue;
      }
      row.status = each.status;
      row.finishedMs = +now;
      row.queued = undefined;
      this.#queue = this.#queue.filter((other) => other !== row);
      const next = this.#queue
        .filter((other) => isSameResource(row, other) && other.queued.isBlocked)
        .sort(bySequence)[0];
      if (!next || this.#heldUntilMs(next, +now) !== undefined) continue;
      Object.assign(next.queued, { dueMs: next.event.createdOn.getTime(), isBlocked: false });
      released.add(each.subscriptionSid);
    }
    return [...released];
  }

  /** After a worker's end: releases what it had claimed. */
  freeClaimsOf(worker: number): readonly string[] {
    const left = this.#claimedBy(worker);
    for (const { queued } of left) queued.claimedBy = null;
    return [...new Set(left.map(({ subscription }) => subscription.sid))];
  }

  claimsOf(worker: number): readonly string[] {
    return this.#claimedBy(worker).map(({ sid }) => sid);
  }

  owned(worker: number): readonly OwnedRecord[] {
    return this.#claimedBy(worker).map(({ sid, queued }) => ({ id: sid, version: String(queued.attempt) }));
  }

  giveBackStrays(worker: number, strays: readonly OwnedRecord[]): void {
    const versions = new Map(strays.map(({ id, version }) => [id, version]));
    for (const { sid, queued } of this.#claimedBy(worker))
      if (versions.get(sid) === String(queued.attempt)) queued.claimedBy = null;
  }

  noteSuccess(sids: readonly string[]): void {
    for (const subscription of this.#named(sids)) subscription.failingSince = null;
  }

  noteFailure(sids: readonly string[], now: Date): void {
    for (const subscription of this.#named(sids)) subscription.failingSince ??= now;
  }

  switchOff(sid: string, reason: string, now: Date): void {
    for (const subscription of this.#named([sid]))
      if (subscription.enabled)
        Object.assign(subscription, { enabled: false, disabledReason: reason, disabledMs: +now });
  }

  #claimedBy(worker: number): readonly QueuedRow[] {
    return this.#queue.filter(({ queued }) => queued.claimedBy === worker);
  }

  #named(sids: readonly string[]): readonly SubscriptionRow[] {
    return this.subscriptions.filter(({ sid }) => sids.includes(sid));
  }

  /** Undefined if it need not wait. */
  #heldUntilMs(row: QueuedRow, nowMs: number): number | undefined {
    const before = this.#queue
      .filter((other) => isSameResource(row, other) && other.event.sequence < row.event.sequence)
      .sort(bySequence)
      .at(-1);
    if (!before) return undefined;
    const endMs = (before.queued.firstTriedMs ?? Number.POSITIVE_INFINITY) + ORDER_WAIT_MS;
    return endMs > nowMs ? Math.min(endMs, nowMs + BLOCKED_RECHECK_MS) : undefined;
  }
}

function isDue({ queued }: QueuedRow, nowMs: number): boolean {
  return queued.dueMs <= nowMs && queued.claimedBy === null;
}

function isSameResource(one: DeliveryRow, other: DeliveryRow): boolean {
  return one.subscription === other.subscription && one.event.resourceSid === other.event.resourceSid;
}

function bySequence(one: DeliveryRow, other: DeliveryRow): number {
  return one.event.sequence - other.event.sequence;
}

function toClaimed({ sid, subscription, event, queued }: QueuedRow): ClaimedDelivery {
  const { createdOn } = event;
  const { attempt } = queued;
  const isWanted = subscription.enabled;
  return {
    sid,
    createdOn,
    entry: 1,
    attempt,
    url: null,
    payloadShape: null,
    isWanted,
    event,
    subscription: { ...subscription },
  };
}
