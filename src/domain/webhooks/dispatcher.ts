// Delivers queued events. Guarantees: at least once, under the same webhook-id; the events of a resource in order (the
// queue ensures it); a concurrency limit for each subscription (endpoint.ts), so that a receiver that hangs does not
// delay the others; one that is down is only probed (docs/decisions/0024); everything is bounded. Any number of
// processes may run a dispatcher: claims are leases. It is woken when there are new events, and also polls (`look`).

import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { ClaimKind } from "../give-back.ts";
import { type Claimed, Endpoint } from "./endpoint.ts";
import { ExchangeSample } from "./exchange-sample.ts";
import type { DeliveryQueue, EndpointLimit } from "./ports.ts";
import { Settler } from "./settler.ts";
import { DEADLINE_MS, type TriedDelivery, type TryDeps, tryDelivery } from "./try-delivery.ts";

export interface DispatcherDeps extends Omit<TryDeps, "now" | "sample"> {
  readonly queue: DeliveryQueue;
  readonly clock: Clock;
  readonly log: Log;
  readonly report: (report: DeliveryReport) => void;
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

/** An attempt may try two URLs; the rest of the lease is the time that a claimed delivery may wait. */
const LEASE_MS = 6 * DEADLINE_MS;
const RUNNING_MAX = 4_000;
/** A fraction of a second's work: objects that wait longer reach the old generation of the heap, which is costly. */
const WAITING_MAX = 1_000;
const ENDPOINTS_PER_CLAIM_MAX = 256;
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
  readonly #wanted = new Set<string>();
  /** Endpoints that may have more due deliveries: a claim left some, or is still under way. */
  readonly #leftIn = new Set<string>();
  /** Endpoints with a delivery that waits for an earlier event of its resource. `settle` returns those with one due. */
  readonly #blockedIn = new Set<string>();
  /** Endpoints that may begin another attempt, in round-robin order. */
  readonly #ready = new Set<Endpoint>();
  readonly #fresh = new Set<FreshAttempt>();
  #cancelTick: (() => void) | undefined;
  #running = 0;
  #waiting = 0;
  #isClaiming = false;
  /** The claim under way. */
  #claim: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  #idle: (() => void)[] = [];

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
    const { queue } = deps;
    this.claims = {
      name: "deliveries",
      owned: () => queue.owned(),
      isHeld: (sid) => this.#held.has(sid),
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
    for (const endpoint of endpoints) this.#wanted.add(endpoint);
    this.#claimWanted();
  }

  /** Polls for due endpoints: retries that came due, and events whose notification was lost. */
  async look(): Promise<void> {
    this.wake(await this.#deps.queue.dueEndpoints(this.#deps.clock.now()));
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
    this.#ready.clear();
    for (const endpoint of this.#endpoints.values()) endpoint.waiting.length = 0;
    this.#waiting = 0;
    await this.idle();
    this.#cancelTick?.();
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
      while (this.#mayClaim && this.#running < RUNNING_MAX && !this.#settler.isFull) {
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
    const now = this.#deps.clock.now();
    const { claimed, left, blocked } = await this.#deps.queue.claim(limits, now, LEASE_MS);
    for (const { subscriptionSid } of limits) {
      this.#leftIn.delete(subscriptionSid);
      this.#blockedIn.delete(subscriptionSid);
    }
    for (const sid of left) this.#leftIn.add(sid);
    for (const sid of blocked) this.#blockedIn.add(sid);
    const leaseEndMs = now.getTime() + LEASE_MS;
    for (const delivery of claimed) this.#hold({ delivery, leaseEndMs });
    for (const sid of left) this.#wakeLeft(sid);
    for (const { subscriptionSid } of limits) this.#forgetIfUnused(subscriptionSid);
    this.#begin();
  }

  /** Limits of the wanted endpoints. One that is full is wanted again when an attempt in it ends (`#wakeLeft`). */
  #claimLimits(): readonly EndpointLimit[] {
    const limits: EndpointLimit[] = [];
    const nowMs = this.#deps.clock.now().getTime();
    let free = WAITING_MAX - this.#waiting;
    for (const subscriptionSid of this.#wanted) {
      if (limits.length === ENDPOINTS_PER_CLAIM_MAX || free <= 0) break;
      this.#wanted.delete(subscriptionSid);
      const endpoint = this.#endpoints.get(subscriptionSid) ?? new Endpoint(subscriptionSid);
      const countMax = Math.min(endpoint.claimable(nowMs), free);
      free -= countMax;
      if (countMax > 0) limits.push({ subscriptionSid, countMax });
      this.#leftIn.add(subscriptionSid);
    }
    return limits;
  }

  #hold(claimed: Claimed): void {
    if (this.#isClosed) return;
    this.#held.add(claimed.delivery.sid);
    const { sid } = claimed.delivery.subscription;
    let endpoint = this.#endpoints.get(sid);
    if (!endpoint) {
      endpoint = new Endpoint(sid);
      this.#endpoints.set(sid, endpoint);
    }
    endpoint.waiting.push(claimed);
    this.#waiting += 1;
    if (endpoint.mayBegin) this.#ready.add(endpoint);
  }

  /** Begins attempts within the bounds, one of each ready endpoint in turn. */
  #begin(): void {
    for (const endpoint of this.#ready) {
      if (this.#running >= RUNNING_MAX || this.#settler.isFull) return;
      if (this.#fresh.size >= FRESH_MAX) {
        this.#cancelTick ??= this.#deps.clock.after(TICK_MS, () => this.#onTick());
        return;
      }
      this.#ready.delete(endpoint);
      const claimed = endpoint.waiting.shift() as Claimed;
      this.#waiting -= 1;
      // Otherwise two attempts might outlast the lease; given back, the delivery is claimed again.
      if (this.#deps.clock.now().getTime() <= claimed.leaseEndMs - 2 * DEADLINE_MS) {
        endpoint.running += 1;
        this.#running += 1;
        void this.#deliver(endpoint, claimed);
      } else this.#held.delete(claimed.delivery.sid);
      if (endpoint.mayBegin) this.#ready.add(endpoint);
      else this.#forgetIfUnused(endpoint.sid);
    }
  }

  #onTick(): void {
    this.#cancelTick = undefined;
    for (const fresh of this.#fresh) {
      if (fresh.hasSeenATick) this.#fresh.delete(fresh);
      fresh.hasSeenATick = true;
    }
    this.#begin();
  }

  #learn(endpoint: Endpoint, isDelivered: boolean): void {
    if (isDelivered) endpoint.succeed();
    else endpoint.fail(this.#deps.clock.now().getTime(), this.#leftIn.has(endpoint.sid));
  }

  async #deliver(endpoint: Endpoint, { delivery }: Claimed): Promise<void> {
    const fresh: FreshAttempt = { hasSeenATick: false };
    this.#fresh.add(fresh);
    const lagMs = this.#deps.clock.now().getTime() - delivery.createdOn.getTime();
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
    this.#running -= 1;
    if (endpoint.mayBegin) this.#ready.add(endpoint);
    else this.#forgetIfUnused(endpoint.sid);
    this.#begin();
    this.#wakeLeft(endpoint.sid);
    this.#claimWanted();
    this.#resolveIdle();
  }

  #forgetIfUnused(sid: string): void {
    if (this.#endpoints.get(sid)?.isForgettable && !this.#leftIn.has(sid)) this.#endpoints.delete(sid);
  }

  /** Deliveries that an earlier claim left in this endpoint may be claimed, if there is capacity. */
  #wakeLeft(sid: string): void {
    if (this.#isClosed || !this.#leftIn.has(sid)) return;
    if (this.#endpoints.get(sid)?.claimable(this.#deps.clock.now().getTime()) === 0) return;
    this.#wanted.add(sid);
  }

  #onSettled(batch: readonly TriedDelivery[], released: readonly string[]): void {
    for (const { settled } of batch) this.#held.delete(settled.sid);
    this.#begin();
    this.wake(released);
    for (const { settled } of batch) this.#wakeLeft(settled.subscriptionSid);
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
      this.#running === 0 && this.#waiting === 0 && this.#settler.isIdle && !this.#isClaiming && this.#wanted.size === 0
    );
  }

  #resolveIdle(): void {
    if (this.#idle.length === 0 || !this.#isIdle()) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}
