// Delivers queued events. Guarantees: at least once, under the same webhook-id; the events of a resource in order (the
// queue ensures it); accounts take turns, and within an account its subscriptions; an account has its share of the
// places (attempt-places.ts) and a subscription its concurrency limit (endpoint.ts), so that a receiver that hangs does
// not delay the others; one that is down is only probed (docs/decisions/0024); everything is bounded. Any number of
// processes may run a dispatcher: each delivers to other subscriptions. It is woken when there are new events, and also
// polls (`look`).
//
// An endpoint, which may have several attempts under way:
//
//   idle ──due──▶ wanted ──claim──▶ ready ──its account's turn──▶ attempt under way ──recorded──▶ idle
//                   ▲                │ ▲                                         │
//                   │   account full ▼ │ an attempt ended                        │
//                   │             held back ──others wait──▶ claims given back   │
//                   └───────────────more is left in the queue────────────────────┘

import type { Clock } from "../../base/clock.ts";
import { FairQueue } from "../../base/fair-queue.ts";
import { forgetOldest } from "../../base/forget-oldest.ts";
import type { Log } from "../../base/log.ts";
import type { ClaimKind } from "../give-back.ts";
import { AttemptPlaces } from "./attempt-places.ts";
import { Endpoint } from "./endpoint.ts";
import { ExchangeSample } from "./exchange-sample.ts";
import type { ClaimedDelivery, DeliveryQueue, EndpointLimit, SubscriptionHealth } from "./ports.ts";
import { Settler } from "./settler.ts";
import { type TriedDelivery, type TryDeps, tryDelivery } from "./try-delivery.ts";

export interface DispatcherDeps extends Omit<TryDeps, "now" | "sample"> {
  readonly queue: DeliveryQueue;
  readonly health: SubscriptionHealth;
  readonly clock: Clock;
  readonly log: Log;
  readonly report: (report: DeliveryReport) => void;
  /** The weight of an account's turns. */
  readonly weightOf: (accountSid: string) => number;
  /** How many attempts may be under way. */
  readonly attemptsMax: number;
}

/** Whether the receiver's previous attempt failed. */
export type EndpointClass = "healthy" | "failing";

export interface DeliveryReport {
  readonly tried: TriedDelivery;
  readonly endpoint: EndpointClass;
  /** From the event to the start of the first attempt; undefined for later attempts. */
  readonly firstAttemptLagMs: number | undefined;
}

/** An attempt that has just begun. */
interface FreshAttempt {
  hasSeenATick: boolean;
}

/** A fraction of a second's work: objects that wait longer reach the old generation of the heap, which is costly. */
const CLAIMED_AHEAD_MAX = 1_000;
const ENDPOINTS_PER_CLAIM_MAX = 256;
/** Beyond what is claimed ahead, one delivery of each account of which nothing else waits: so it gets its turn. */
const WAITING_MAX = CLAIMED_AHEAD_MAX + ENDPOINTS_PER_CLAIM_MAX;
/** Of subscriptions that were claimed from lately. */
const ACCOUNTS_REMEMBERED_MAX = 10_000;
/**
 * More attempts than keep this process busy only make each of them slower and the heap larger. An attempt that is not
 * answered within a tick or two waits for its receiver, not for this process, and is no longer counted: so a slow
 * receiver does not hold up the others.
 */
const FRESH_MAX = 256;
const TICK_MS = 10;
const NOTE_EVERY_MS = 1_000;

export class Dispatcher {
  readonly claims: ClaimKind;
  readonly #deps: DispatcherDeps;
  readonly #tryDeps: TryDeps;
  readonly #settler: Settler;
  /** Claimed deliveries until they are settled. */
  readonly #held = new Set<string>();
  readonly #endpoints = new Map<string, Endpoint>();
  /** Endpoints to claim from, and the same in the order of their accounts' turns. */
  readonly #wanted = new Set<string>();
  readonly #wantedInTurn: FairQueue<string>;
  /** Accounts that claim nothing for now: what they have claimed waits for its turn. */
  readonly #pausedAccounts = new Set<string>();
  /** By the sid of a subscription. */
  readonly #accounts = new Map<string, string>();
  /** Endpoints that may have more due deliveries: a claim left some, or is still under way. */
  readonly #leftIn = new Set<string>();
  /** Endpoints with a delivery that waits for an earlier event of its resource. `settle` returns those with one due. */
  readonly #blockedIn = new Set<string>();
  /** Endpoints that may begin another attempt. */
  readonly #ready: FairQueue<Endpoint>;
  readonly #places: AttemptPlaces;
  /** Endpoints whose account has as many places as it may. */
  readonly #heldBack = new Set<Endpoint>();
  readonly #fresh = new Set<FreshAttempt>();
  #cancelTick: (() => void) | undefined;
  #waiting = 0;
  #isClaiming = false;
  /** The last look did not reach the end of the due endpoints. */
  #mayLookOn = false;
  /** The claim under way. */
  #claim: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  #idle: (() => void)[] = [];

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
    const { queue, weightOf, attemptsMax } = deps;
    this.#places = new AttemptPlaces(attemptsMax);
    this.#wantedInTurn = new FairQueue({ weightOf });
    this.#ready = new FairQueue({ weightOf });
    this.claims = {
      name: "deliveries",
      owned: () => queue.owned(),
      isHeld: (sid) => this.#held.has(sid) || queue.isWaiting(sid),
      claimsAnswered: () => this.#claim,
      giveBackStrays: (strays) => queue.giveBackStrays(strays),
    };
    this.#tryDeps = { ...deps, now: () => deps.clock.now(), sample: new ExchangeSample() };
    this.#settler = new Settler({
      ...deps,
      isAwaited: (sid) => this.#blockedIn.has(sid),
      isNoteDue: (sid, nowMs) => this.#isNoteDue(sid, nowMs),
      onSettled: (batch, released) => this.#onSettled(batch, released),
    });
  }

  /** Claims from these endpoints, which may have something due. */
  wake(endpoints: Iterable<string>): void {
    if (this.#isClosed) return;
    for (const endpoint of endpoints) this.#want(endpoint);
    this.#claimWanted();
  }

  /** Polls for due endpoints: retries that came due, and events whose notification was lost. */
  async look(): Promise<void> {
    const { sids, hasMore } = await this.#deps.queue.dueEndpoints(this.#deps.clock.now());
    this.#mayLookOn = hasMore;
    this.wake(sids);
  }

  /** Settles when nothing is running, waiting or unsettled. */
  idle(): Promise<void> {
    if (this.#isIdle()) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Starts nothing more and waits for attempts under way; the end of the worker's lease frees the other claims. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wanted.clear();
    this.#wantedInTurn.drain();
    this.#ready.drain();
    this.#heldBack.clear();
    for (const endpoint of this.#endpoints.values()) endpoint.waiting.length = 0;
    this.#waiting = 0;
    await this.idle();
    this.#cancelTick?.();
  }

  #nowMs(): number {
    return this.#deps.clock.now().getTime();
  }

  #claimWanted(): void {
    if (this.#wanted.size > 0 && !this.#isClaiming) void this.#claimAll();
  }

  /** Endpoints that are wanted while it may not claim are claimed from after the next poll. */
  get #mayClaim(): boolean {
    return !this.#isClosed && this.#deps.clock.isRight;
  }

  async #claimAll(): Promise<void> {
    this.#isClaiming = true;
    try {
      while (this.#mayClaim && !this.#settler.isFull) {
        const hasRoom = !this.#places.isFull && this.#wanted.size < ENDPOINTS_PER_CLAIM_MAX;
        if (this.#mayLookOn && hasRoom) await this.look();
        const limits = this.#claimLimits();
        if (limits.length === 0) break;
        const claim = this.#claimFrom(limits);
        this.#claim = claim.catch(() => undefined);
        await claim;
      }
    } catch (error) {
      // The next poll finds the deliveries again.
      this.#deps.log.warn({ reason: (error as Error).message }, "deliveries not claimed");
    } finally {
      this.#isClaiming = false;
      this.#resolveIdle();
    }
  }

  async #claimFrom(limits: readonly EndpointLimit[]): Promise<void> {
    const { claimed, left, blocked } = await this.#deps.queue.claim(limits, this.#deps.clock.now());
    for (const { subscriptionSid } of limits) {
      this.#leftIn.delete(subscriptionSid);
      this.#blockedIn.delete(subscriptionSid);
    }
    for (const sid of left) this.#leftIn.add(sid);
    for (const sid of blocked) this.#blockedIn.add(sid);
    for (const delivery of claimed) this.#hold(delivery);
    for (const sid of left) this.#wakeLeft(sid, this.#nowMs());
    for (const { subscriptionSid } of limits) this.#forgetIfUnused(subscriptionSid);
    this.#begin(this.#nowMs());
  }

  #want(sid: string): void {
    if (this.#wanted.has(sid)) return;
    this.#wanted.add(sid);
    this.#wantedInTurn.push(this.#accountOf(sid), sid);
  }

  #accountOf(sid: string): string {
    return this.#accounts.get(sid) ?? sid;
  }

  /**
   * Limits of the wanted endpoints. One that is full is wanted again when an attempt in it ends (`#wakeLeft`). A claim
   * takes at most half of what may be claimed ahead, so that there is something left for others.
   */
  #claimLimits(): readonly EndpointLimit[] {
    const limits: EndpointLimit[] = [];
    const nowMs = this.#nowMs();
    const later: string[] = [];
    const claiming = new Set<string>();
    if (this.#waiting >= CLAIMED_AHEAD_MAX) this.#dropHeldBack();
    if (!this.#isScarce(this.#waiting)) for (const account of this.#pausedAccounts) this.#resumeClaims(account);
    let waiting = this.#waiting;
    while (limits.length + later.length < ENDPOINTS_PER_CLAIM_MAX && waiting < WAITING_MAX) {
      const sid = this.#wantedInTurn.shift();
      if (sid === undefined) break;
      const account = this.#accountOf(sid);
      const isScarce = this.#isScarce(waiting);
      if (isScarce && this.#ready.lengthOf(account) > 0) {
        this.#pauseClaims(account, sid);
        continue;
      }
      const endpoint = this.#endpoints.get(sid) ?? new Endpoint(sid);
      const hasShare = this.#places.hasShare(account, nowMs);
      if ((isScarce && claiming.has(account)) || (!hasShare && endpoint.running > 0)) {
        later.push(sid);
        continue;
      }
      this.#wanted.delete(sid);
      const aheadMax = isScarce || !hasShare ? 1 : Math.ceil((CLAIMED_AHEAD_MAX - waiting) / 2);
      const countMax = Math.min(endpoint.claimable(nowMs), aheadMax);
      waiting += countMax;
      if (countMax > 0) {
        limits.push({ subscriptionSid: sid, countMax });
        claiming.add(account);
      }
      this.#leftIn.add(sid);
    }
    for (const sid of later) this.#wantedInTurn.push(this.#accountOf(sid), sid);
    return limits;
  }

  /** All places are taken, or as much as may be is claimed ahead: an account claims one delivery, for its turn. */
  #isScarce(waiting: number): boolean {
    return this.#places.isFull || waiting >= CLAIMED_AHEAD_MAX;
  }

  #pauseClaims(account: string, wanted: string): void {
    this.#wantedInTurn.unshift(account, wanted);
    this.#wantedInTurn.pause(account);
    this.#pausedAccounts.add(account);
  }

  #resumeClaims(account: string): void {
    if (this.#pausedAccounts.delete(account)) this.#wantedInTurn.resume(account);
  }

  /** Accounts that may begin nothing more hold all that may wait: their claims are given back (give-back.ts). */
  #dropHeldBack(): void {
    for (const endpoint of this.#heldBack) {
      const dropped = endpoint.waiting.splice(1);
      for (const { sid } of dropped) this.#held.delete(sid);
      this.#waiting -= dropped.length;
      if (dropped.length > 0) this.#leftIn.add(endpoint.sid);
    }
  }

  #hold(delivery: ClaimedDelivery): void {
    if (this.#isClosed) return;
    this.#held.add(delivery.sid);
    const { subscription, event } = delivery;
    const { sid } = subscription;
    let endpoint = this.#endpoints.get(sid);
    if (!endpoint) {
      endpoint = new Endpoint(sid);
      this.#endpoints.set(sid, endpoint);
    }
    if (event.accountSid !== "") this.#learnAccount(endpoint, event.accountSid);
    endpoint.waiting.push(delivery);
    this.#waiting += 1;
    this.#makeReady(endpoint);
  }

  #learnAccount(endpoint: Endpoint, account: string): void {
    endpoint.account = account;
    if (this.#accounts.has(endpoint.sid)) return;
    this.#accounts.set(endpoint.sid, account);
    forgetOldest(this.#accounts, ACCOUNTS_REMEMBERED_MAX);
  }

  #makeReady(endpoint: Endpoint): void {
    if (endpoint.isReady || !endpoint.mayBegin || this.#heldBack.has(endpoint)) return;
    endpoint.isReady = true;
    this.#ready.push(endpoint.account, endpoint);
  }

  /** Begins attempts within the bounds, one of each account in turn, and in an account one of each endpoint. */
  #begin(nowMs: number): void {
    while (!this.#places.isFull && !this.#settler.isFull && this.#ready.length > 0) {
      if (this.#fresh.size >= FRESH_MAX) {
        this.#cancelTick ??= this.#deps.clock.after(TICK_MS, () => this.#onTick());
        return;
      }
      const endpoint = this.#ready.shift() as Endpoint;
      endpoint.isReady = false;
      if (this.#ready.lengthOf(endpoint.account) === 0) this.#resumeClaims(endpoint.account);
      // One attempt of each: an account's receivers that hang do not keep its others from being called.
      if (endpoint.running > 0 && !this.#places.mayBegin(endpoint.account, nowMs)) {
        this.#heldBack.add(endpoint);
        continue;
      }
      this.#waiting -= 1;
      void this.#deliver(endpoint, endpoint.waiting.shift() as ClaimedDelivery, nowMs);
      this.#makeReady(endpoint);
      if (!endpoint.isReady) this.#forgetIfUnused(endpoint.sid);
    }
  }

  /** An attempt has ended: accounts that had too many may go on. */
  #resumeHeldBack(nowMs: number): void {
    for (const endpoint of this.#heldBack) {
      if (endpoint.running > 0 && !this.#places.mayBegin(endpoint.account, nowMs)) continue;
      this.#heldBack.delete(endpoint);
      this.#makeReady(endpoint);
    }
  }

  #onTick(): void {
    this.#cancelTick = undefined;
    for (const fresh of this.#fresh) {
      if (fresh.hasSeenATick) this.#fresh.delete(fresh);
      fresh.hasSeenATick = true;
    }
    this.#begin(this.#nowMs());
    this.#claimWanted();
  }

  #learn(endpoint: Endpoint, isDelivered: boolean): void {
    if (isDelivered) endpoint.succeed();
    else endpoint.fail(this.#nowMs(), this.#leftIn.has(endpoint.sid));
  }

  async #deliver(endpoint: Endpoint, delivery: ClaimedDelivery, nowMs: number): Promise<void> {
    const place = this.#places.begin(endpoint.account, nowMs);
    endpoint.running += 1;
    const fresh: FreshAttempt = { hasSeenATick: false };
    this.#fresh.add(fresh);
    const lagMs = nowMs - delivery.createdOn.getTime();
    const health = endpoint.failuresInARow > 0 ? "failing" : "healthy";
    // Another process may have noted a failure: the next success must be noted immediately.
    if (delivery.subscription.failingSince !== null) endpoint.notedAtMs = 0;
    try {
      const tried = await tryDelivery(this.#tryDeps, delivery);
      // A canceled delivery says nothing about the receiver: a subscription that is enabled again starts afresh.
      if (tried.outcome === "canceled") endpoint.reset();
      else if (tried.isElsewhere) endpoint.learnElsewhere(tried.outcome === "delivered");
      else this.#learn(endpoint, tried.outcome === "delivered");
      this.#deps.report({ tried, endpoint: health, firstAttemptLagMs: delivery.attempt === 1 ? lagMs : undefined });
      this.#settler.add(tried);
    } catch (error) {
      this.#deps.log.error({ sid: delivery.sid, err: error }, "delivery could not be tried");
      this.#held.delete(delivery.sid);
    }
    this.#fresh.delete(fresh);
    endpoint.running -= 1;
    this.#places.end(place);
    const endedMs = this.#nowMs();
    this.#resumeHeldBack(endedMs);
    this.#makeReady(endpoint);
    if (!endpoint.isReady) this.#forgetIfUnused(endpoint.sid);
    this.#begin(endedMs);
    this.#wakeLeft(endpoint.sid, endedMs);
    this.#claimWanted();
    this.#resolveIdle();
  }

  #forgetIfUnused(sid: string): void {
    if (this.#endpoints.get(sid)?.isForgettable && !this.#leftIn.has(sid)) this.#endpoints.delete(sid);
  }

  /** Deliveries that an earlier claim left in this endpoint may be claimed, if there is capacity. */
  #wakeLeft(sid: string, nowMs: number): void {
    if (this.#isClosed || !this.#leftIn.has(sid)) return;
    if (this.#endpoints.get(sid)?.claimable(nowMs) === 0) return;
    this.#want(sid);
  }

  #onSettled(batch: readonly TriedDelivery[], released: readonly string[]): void {
    for (const { settled } of batch) this.#held.delete(settled.sid);
    const nowMs = this.#nowMs();
    this.#begin(nowMs);
    this.wake(released);
    for (const sid of new Set(batch.map(({ settled }) => settled.subscriptionSid))) this.#wakeLeft(sid, nowMs);
    this.#claimWanted();
    this.#resolveIdle();
  }

  #isNoteDue(sid: string, nowMs: number): boolean {
    const endpoint = this.#endpoints.get(sid);
    if (!endpoint) return true;
    const isDue = nowMs - endpoint.notedAtMs >= NOTE_EVERY_MS;
    if (isDue) endpoint.notedAtMs = nowMs;
    return isDue;
  }

  #isIdle(): boolean {
    return (
      this.#places.taken === 0 &&
      this.#waiting === 0 &&
      this.#settler.isIdle &&
      !this.#isClaiming &&
      this.#wanted.size === 0
    );
  }

  #resolveIdle(): void {
    if (this.#idle.length === 0 || !this.#isIdle()) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}
