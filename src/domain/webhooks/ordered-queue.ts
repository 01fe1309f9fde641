// The queue of deliveries as a worker sees it. A subscription is an endpoint: claims take from endpoints with free
// capacity, so that a receiver that hangs delays no other. One worker at a time claims from an endpoint
// (worker-slots.ts), so it can keep the events of a resource in order in its memory (claimed-deliveries.ts). The claims
// of a worker that died are freed, and their events delivered again with the same webhook-id.

import { Unavailable } from "../../base/unavailable.ts";
import type { OwnedRecord } from "../give-back.ts";
import { ClaimedDeliveries } from "./claimed-deliveries.ts";
import type {
  Claim,
  DeliveryQueue,
  DeliveryRecords,
  DueEndpoints,
  EndpointLimit,
  QueuedDelivery,
  SettledDelivery,
} from "./ports.ts";
import { ORDER_WAIT_MS } from "./resource-order.ts";

export interface OrderedQueueDeps<Queued extends QueuedDelivery> {
  readonly records: DeliveryRecords<Queued>;
  /** Whether this worker delivers to the endpoint. */
  readonly mayClaim: (subscriptionSid: string) => boolean;
}

/** On an overloaded machine each try takes seconds. */
const RECORD_TRIES_MAX = 5;

export class OrderedQueue<Queued extends QueuedDelivery> implements DeliveryQueue {
  readonly #deps: OrderedQueueDeps<Queued>;
  readonly #claimed = new ClaimedDeliveries<Queued>();
  /** A claim may have been carried out without an answer. */
  #isUnsure = false;

  constructor(deps: OrderedQueueDeps<Queued>) {
    this.#deps = deps;
  }

  async dueEndpoints(now: Date): Promise<DueEndpoints> {
    const { records, mayClaim } = this.#deps;
    const { sids, hasMore } = await records.dueEndpoints(now);
    const own = [...sids.filter(mayClaim), ...this.#claimed.endpointsToGoOn(now.getTime())];
    return { sids: [...new Set(own)], hasMore };
  }

  async claim(wanted: readonly EndpointLimit[], now: Date): Promise<Claim> {
    const { records, mayClaim } = this.#deps;
    const nowMs = now.getTime();
    const endpoints = wanted.filter(({ subscriptionSid: sid }) => mayClaim(sid) || this.#claimed.hasWaiting(sid));
    if (endpoints.length === 0) return { claimed: [], left: [], blocked: [] };
    if (this.#isUnsure) await this.#makeSure();
    const limits = endpoints.flatMap((endpoint) => this.#limitOf(endpoint, nowMs));
    this.#isUnsure = true;
    const [taken, toDelivery] = await Promise.all([
      records.claim(limits.filter(({ countMax }) => countMax > 0)),
      records.read(endpoints, now),
    ]);
    this.#isUnsure = false;
    const handedOut = this.#claimed.take(taken, endpoints, nowMs);
    const counts = new Map<string, number>();
    for (const { subscriptionSid: sid } of taken) counts.set(sid, (counts.get(sid) ?? 0) + 1);
    const left = limits.filter(({ subscriptionSid, countMax }) => (counts.get(subscriptionSid) ?? 0) >= countMax);
    return {
      claimed: handedOut.map(toDelivery),
      left: left.map(({ subscriptionSid }) => subscriptionSid),
      blocked: endpoints.flatMap(({ subscriptionSid: sid }) => (this.#claimed.hasWaiting(sid) ? [sid] : [])),
    };
  }

  /** Records attempts and outcomes of deliveries; returns the endpoints with deliveries that waited for these. */
  async settle(settled: readonly SettledDelivery[], now: Date): Promise<readonly string[]> {
    // What is not recorded is delivered again, so a statement that was certainly not carried out is retried.
    for (let tries = 1; ; tries++) {
      try {
        await this.#deps.records.settle(settled, now);
        return this.#claimed.settle(settled, now.getTime());
      } catch (fault) {
        const isUndone = fault instanceof Unavailable && fault.isUndone;
        if (isUndone && tries < RECORD_TRIES_MAX) continue;
        this.#claimed.notRecorded(settled, now.getTime());
        throw fault;
      }
    }
  }

  /** Learns what was tried lately in endpoints that this worker delivers to from now on. */
  async learn(isNew: (subscriptionSid: string) => boolean, now: Date): Promise<void> {
    for (const tried of await this.#deps.records.triedSince(new Date(now.getTime() - ORDER_WAIT_MS)))
      if (isNew(tried.subscriptionSid)) this.#claimed.learn(tried, tried.triedOn.getTime(), now.getTime());
  }

  /** Gives back what waits in endpoints that another worker is to deliver to. */
  async release(isLeaving: (subscriptionSid: string) => boolean): Promise<void> {
    const released = this.#claimed.release(isLeaving);
    if (released.size === 0) return;
    const owned = await this.#deps.records.owned();
    await this.giveBackStrays(owned.filter(({ id }) => released.has(id)));
  }

  /** Another worker delivers to these endpoints. */
  forget(isGone: (subscriptionSid: string) => boolean): void {
    this.#claimed.forget(isGone);
  }

  isWaiting(deliverySid: string): boolean {
    return this.#claimed.isWaiting(deliverySid);
  }

  owned(): Promise<readonly OwnedRecord[]> {
    return this.#deps.records.owned();
  }

  async giveBackStrays(strays: readonly OwnedRecord[]): Promise<void> {
    await this.#deps.records.giveBackStrays(strays);
    this.#claimed.return(strays.map(({ id }) => id));
  }

  /**
   * The answer to a claim was lost. What it claimed must come before later events of the same resources, so it is given
   * back before anything else is claimed.
   */
  async #makeSure(): Promise<void> {
    const { records } = this.#deps;
    await records.claimsEnded();
    const owned = await records.owned();
    await this.giveBackStrays(owned.filter(({ id }) => !this.#claimed.has(id)));
  }

  #limitOf(endpoint: EndpointLimit, nowMs: number): readonly EndpointLimit[] {
    if (!this.#deps.mayClaim(endpoint.subscriptionSid)) return [];
    const countMax = this.#claimed.claimable(endpoint, nowMs);
    return countMax === undefined ? [] : [{ ...endpoint, countMax }];
  }
}
