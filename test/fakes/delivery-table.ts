// Subscriptions, the queue of pending deliveries and the slots of workers, in memory, by the rules of the statements in
// adapters/store/webhooks. Each method is one statement, and atomic.

import type { StoredEvent } from "../../src/domain/events.ts";
import type { OwnedRecord } from "../../src/domain/give-back.ts";
import {
  type ClaimedDelivery,
  type DeliveryStatus,
  type EndpointLimit,
  type QueuedDelivery,
  type SettledDelivery,
  SLOTS,
  type SubscriptionTarget,
  slotOf,
  type TriedBefore,
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
  /** In the queue. */
  position: number;
  dueMs: number;
  claimedBy: number | null;
  /** How often it was claimed. */
  version: number;
  attempt: number;
  firstTriedMs: number | undefined;
}

type QueuedRow = DeliveryRow & { queued: Queued };

interface Worker {
  isAlive: boolean;
  isDelivering: boolean;
}

export class DeliveryTable {
  readonly subscriptions: readonly SubscriptionRow[];
  readonly rows = new Map<string, DeliveryRow>();
  #queue: QueuedRow[] = [];
  #positions = 0;
  readonly #workers = new Map<number, Worker>();
  #workerIds = 0;
  /** The worker of each. */
  readonly #slots: (number | null)[] = Array.from({ length: SLOTS }, () => null);

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
        const position = ++this.#positions;
        const queued = { position, dueMs, claimedBy: null, version: 0, attempt: 0, firstTriedMs: undefined };
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

  /** When the next delivery is due after `afterMs` that no worker has claimed, and that one may claim. */
  nextDueMs(afterMs: number, mayClaim: (subscriptionSid: string) => boolean): number {
    let nextMs = Number.POSITIVE_INFINITY;
    for (const { queued, subscription } of this.#queue)
      if (queued.claimedBy === null && queued.dueMs > afterMs && queued.dueMs < nextMs && mayClaim(subscription.sid))
        nextMs = queued.dueMs;
    return nextMs;
  }

  /** Claims in the worker's slots, in the order of the queue. */
  claim(worker: number, endpoints: readonly EndpointLimit[], now: Date): readonly QueuedDelivery[] {
    return endpoints.flatMap(({ subscriptionSid, countMax }) => {
      if (this.#slots[slotOf(subscriptionSid)] !== worker) return [];
      const picked = this.#queue
        .filter((row) => row.subscription.sid === subscriptionSid && isDue(row, +now))
        .sort((one, other) => one.queued.position - other.queued.position)
        .slice(0, countMax);
      for (const { queued } of picked) {
        queued.version += 1;
        queued.attempt += 1;
        queued.claimedBy = worker;
      }
      return picked.map(({ sid, event: { resourceSid, sequence }, queued: { firstTriedMs } }) => {
        return { sid, subscriptionSid, resourceSid, sequence, firstTriedMs };
      });
    });
  }

  read({ sid }: QueuedDelivery): ClaimedDelivery {
    const { subscription, event, queued } = this.rows.get(sid) as DeliveryRow;
    return {
      ...{ sid, createdOn: event.createdOn, entry: 1, attempt: queued?.attempt ?? 1, url: null, payloadShape: null },
      ...{ isWanted: subscription.enabled, event, subscription: { ...subscription } },
    };
  }

  settle(settled: readonly SettledDelivery[], now: Date): void {
    for (const each of settled) {
      const row = this.rows.get(each.sid) as DeliveryRow;
      const { queued } = row;
      row.settled.push({ atMs: +now, attempt: queued?.attempt ?? 0, settled: each });
      if (!queued) continue;
      if (each.status === "Pending") {
        queued.firstTriedMs ??= each.attempts[0]?.at.getTime();
        Object.assign(queued, { dueMs: each.nextAttemptOn?.getTime(), claimedBy: null });
        // As if others of its batch were done: it gets a row of its own, after what was stored meanwhile.
        if (queued.attempt === 1) queued.position = ++this.#positions;
        continue;
      }
      row.status = each.status;
      row.finishedMs = +now;
      row.queued = undefined;
      this.#queue = this.#queue.filter((other) => other !== row);
    }
  }

  triedSince(time: Date): readonly TriedBefore[] {
    return this.#queue.flatMap(({ subscription, event: { resourceSid, sequence }, queued: { firstTriedMs } }) => {
      if (firstTriedMs === undefined || firstTriedMs <= +time) return [];
      return [{ subscriptionSid: subscription.sid, resourceSid, sequence, triedOn: new Date(firstTriedMs) }];
    });
  }

  hasClaims(worker: number): boolean {
    return this.#queue.some(({ queued }) => queued.claimedBy === worker);
  }

  owned(worker: number): readonly OwnedRecord[] {
    return this.#claimedBy(worker).map(({ sid, queued }) => ({ id: sid, version: String(queued.version) }));
  }

  giveBackStrays(worker: number, strays: readonly OwnedRecord[]): void {
    const versions = new Map(strays.map(({ id, version }) => [id, version]));
    for (const { sid, queued } of this.#claimedBy(worker))
      if (versions.get(sid) === String(queued.version))
        Object.assign(queued, { claimedBy: null, attempt: queued.attempt - 1 });
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

  // Workers and their slots.

  addWorker(): number {
    this.#workers.set(++this.#workerIds, { isAlive: true, isDelivering: true });
    return this.#workerIds;
  }

  /** Its session has ended. */
  endWorker(id: number): void {
    (this.#workers.get(id) as Worker).isAlive = false;
  }

  /** Frees the claims and slots of dead workers; returns the deliveries that each had claimed. */
  takeOver(): ReadonlyMap<number, readonly string[]> {
    const dead = [...this.#workers].flatMap(([id, { isAlive }]) => (isAlive ? [] : [id]));
    const freed = new Map<number, readonly string[]>();
    for (const id of dead) {
      const claims = this.#claimedBy(id);
      freed.set(
        id,
        claims.map(({ sid }) => sid),
      );
      for (const { queued } of claims) queued.claimedBy = null;
      this.leave(id, this.heldBy(id));
      this.#workers.delete(id);
    }
    return freed;
  }

  share(worker: number, isDelivering: boolean): number {
    Object.assign(this.#workers.get(worker) ?? {}, { isDelivering });
    return [...this.#workers.values()].filter((each) => each.isDelivering).length;
  }

  take(worker: number, countMax: number): void {
    const free = this.#slots.flatMap((holder, slot) => (holder === null ? [slot] : []));
    for (const slot of free.slice(0, countMax)) this.#slots[slot] = worker;
  }

  leave(worker: number, slots: readonly number[]): void {
    for (const slot of slots) if (this.#slots[slot] === worker) this.#slots[slot] = null;
  }

  heldBy(worker: number): readonly number[] {
    return this.#slots.flatMap((holder, slot) => (holder === worker ? [slot] : []));
  }

  claimedFrom(worker: number): readonly string[] {
    return this.#claimedBy(worker).map(({ subscription }) => subscription.sid);
  }

  /** All live workers have their shares. */
  get areSlotsShared(): boolean {
    const share = Math.ceil(SLOTS / this.#workers.size);
    return (
      [...this.#workers].every(([id, { isAlive }]) => isAlive && this.heldBy(id).length <= share) &&
      !this.#slots.includes(null)
    );
  }
}

function isDue({ queued }: QueuedRow, nowMs: number): boolean {
  return queued.dueMs <= nowMs && queued.claimedBy === null;
}
