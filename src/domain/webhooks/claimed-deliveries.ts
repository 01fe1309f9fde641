// What a worker has claimed from the queue and not settled. Some of it has to wait for an earlier event of its resource
// (resource-order.ts) and stays here, claimed, until it is its turn. A pure machine: ordered-queue.ts makes each step
// after the statement that stores it.
//
//   queued ──take, its turn──────────────────▶ handed out ──settle──▶ gone
//    ▲ └──take──▶ waiting ──take, its turn──▶──┘  │
//    └──release──────┘                            │
//    └────────────settle, to be tried again───────┤
//    └────────────return, or not recorded─────────┘

import type { EndpointLimit, QueuedDelivery, SettledDelivery } from "./ports.ts";
import { type OrderedDelivery, ResourceOrder } from "./resource-order.ts";

// From an endpoint with more deliveries that wait no further ones are claimed, nor from any that has some once there
// are too many in all.
const WAITING_MAX = 20_000;
const WAITING_PER_ENDPOINT_MAX = 1_000;

export class ClaimedDeliveries<Queued extends QueuedDelivery> {
  readonly #order = new ResourceOrder();
  /** By endpoint, in order. */
  readonly #waiting = new Map<string, Queued[]>();
  readonly #waitingSids = new Set<string>();
  /** The endpoints of all, by delivery. */
  readonly #endpoints = new Map<string, string>();

  has(sid: string): boolean {
    return this.#endpoints.has(sid);
  }

  hasWaiting(subscriptionSid: string): boolean {
    return this.#waiting.has(subscriptionSid);
  }

  isWaiting(sid: string): boolean {
    return this.#waitingSids.has(sid);
  }

  /** Endpoints in which one that waited may go. */
  endpointsToGoOn(nowMs: number): readonly string[] {
    return [...this.#waiting.keys()].filter((sid) => this.#mayGo(sid, nowMs) > 0);
  }

  /** How many may be claimed from an endpoint besides those that waited here; undefined if too many wait. */
  claimable({ subscriptionSid, countMax }: EndpointLimit, nowMs: number): number | undefined {
    const waiting = this.#waiting.get(subscriptionSid)?.length ?? 0;
    const isFull = waiting >= WAITING_PER_ENDPOINT_MAX || (waiting > 0 && this.#waitingSids.size >= WAITING_MAX);
    return isFull ? undefined : Math.max(0, countMax - this.#mayGo(subscriptionSid, nowMs));
  }

  /** Takes what was claimed; hands out what may go now, and of each endpoint at most `countMax` that waited. */
  take(claimed: readonly Queued[], endpoints: readonly EndpointLimit[], nowMs: number): readonly Queued[] {
    const handedOut = endpoints.flatMap((endpoint) => this.#takeWaiting(endpoint, nowMs));
    for (const queued of claimed) {
      this.#endpoints.set(queued.sid, queued.subscriptionSid);
      this.#order.claim(queued, queued.firstTriedMs);
      if (this.#order.heldUntil(queued, nowMs) === undefined) handedOut.push(queued);
      else this.#wait(queued);
    }
    return handedOut;
  }

  /** These outcomes are recorded. Returns the endpoints in which one that waited may go. */
  settle(settled: readonly SettledDelivery[], nowMs: number): readonly string[] {
    for (const one of settled) {
      if (one.status === "Pending") this.#noteTried(one, nowMs);
      else this.#order.end(one);
      this.#endpoints.delete(one.sid);
    }
    const endpoints = new Set(settled.map(({ subscriptionSid }) => subscriptionSid));
    return [...endpoints].filter((sid) => this.#mayGo(sid, nowMs) > 0);
  }

  /** They may be recorded or not: later events wait for a minute, or until these are claimed again and settled. */
  notRecorded(settled: readonly SettledDelivery[], nowMs: number): void {
    for (const one of settled) {
      this.#noteTried(one, nowMs);
      this.#endpoints.delete(one.sid);
    }
  }

  /** Lets go of what waits in these endpoints; returns the deliveries, which are to be given back to the queue. */
  release(isLeaving: (subscriptionSid: string) => boolean): ReadonlySet<string> {
    const released = new Set<string>();
    for (const [sid, waiting] of this.#waiting) {
      if (!isLeaving(sid)) continue;
      this.#waiting.delete(sid);
      for (const queued of waiting) {
        this.#waitingSids.delete(queued.sid);
        released.add(queued.sid);
      }
    }
    return released;
  }

  /** They are in the queue again. Later events that are known here still wait for them. */
  return(sids: readonly string[]): void {
    for (const sid of sids) this.#endpoints.delete(sid);
  }

  /** Another worker tried it, and it is to be tried again. */
  learn(tried: OrderedDelivery, triedMs: number, nowMs: number): void {
    this.#order.retry(tried, triedMs, nowMs);
  }

  /** Another worker delivers to these endpoints. */
  forget(isGone: (subscriptionSid: string) => boolean): void {
    this.release(isGone);
    this.#order.forget(isGone);
    for (const [sid, endpoint] of this.#endpoints) if (isGone(endpoint)) this.#endpoints.delete(sid);
  }

  #wait(queued: Queued): void {
    const waiting = this.#waiting.get(queued.subscriptionSid);
    if (waiting) waiting.push(queued);
    else this.#waiting.set(queued.subscriptionSid, [queued]);
    this.#waitingSids.add(queued.sid);
  }

  /** How many of those that wait need not wait any longer. */
  #mayGo(subscriptionSid: string, nowMs: number): number {
    const waiting = this.#waiting.get(subscriptionSid) ?? [];
    return waiting.filter((queued) => this.#order.heldUntil(queued, nowMs) === undefined).length;
  }

  #takeWaiting({ subscriptionSid, countMax }: EndpointLimit, nowMs: number): Queued[] {
    const waiting = this.#waiting.get(subscriptionSid);
    if (!waiting) return [];
    const taken: Queued[] = [];
    const kept: Queued[] = [];
    for (const queued of waiting) {
      const mayGo = taken.length < countMax && this.#order.heldUntil(queued, nowMs) === undefined;
      (mayGo ? taken : kept).push(queued);
    }
    if (kept.length > 0) this.#waiting.set(subscriptionSid, kept);
    else this.#waiting.delete(subscriptionSid);
    for (const { sid } of taken) this.#waitingSids.delete(sid);
    return taken;
  }

  #noteTried(settled: SettledDelivery, nowMs: number): void {
    this.#order.retry(settled, settled.attempts[0]?.at.getTime() ?? nowMs, nowMs);
  }
}
