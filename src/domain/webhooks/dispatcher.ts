// Delivers what is queued. Guarantees: at least once, under the same webhook-id; the events of a resource in order (the
// queue sees to it); one endpoint per subscription with room of its own (endpoint.ts), so that a receiver that hangs
// delays nobody else; everything bounded. Any number of processes may run one: claims are leases. It is woken by
// whoever hears of new events, and looks for itself besides.

import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { type Claimed, Endpoint } from "./endpoint.ts";
import type { DeliveryQueue, EndpointRoom } from "./ports.ts";
import { Settler } from "./settler.ts";
import { DEADLINE_MS, type Tried, type TryDeps, tryDelivery } from "./try-delivery.ts";

export interface DispatcherDeps extends Omit<TryDeps, "now"> {
  readonly queue: DeliveryQueue;
  readonly clock: Clock;
  readonly log: Log;
  readonly report: (report: DeliveryReport) => void;
}

/** How the receiver fared before this attempt: whether its last one failed. */
export type EndpointClass = "healthy" | "failing";

export interface DeliveryReport {
  readonly tried: Tried;
  readonly endpoint: EndpointClass;
  /** From the event to the start of the first attempt; only of first attempts. */
  readonly firstAttemptLagMs: number | undefined;
}

/** An attempt that has just begun. */
interface Fresh {
  hasSeenATick: boolean;
}

/** Two URLs, and as much again before the lease of what waits behind them ends. */
const LEASE_MS = 6 * DEADLINE_MS;
const RUNNING_MAX = 4_000;
/** A fraction of a second's work: what waits longer grows old in the heap, where it is dear to collect. */
const WAITING_MAX = 1_000;
const ENDPOINTS_PER_CLAIM_MAX = 256;
/**
 * More at once than keep this process busy only make each of them slower and the heap larger. An attempt that is not
 * answered within a tick or two waits for its receiver, not for us, and counts no more: so no receiver holds up the
 * others.
 */
const FRESH_MAX = 256;
const TICK_MS = 10;
const NOTE_EVERY_MS = 1_000;

export class Dispatcher {
  readonly #deps: DispatcherDeps;
  readonly #tryDeps: TryDeps;
  readonly #settler: Settler;
  readonly #endpoints = new Map<string, Endpoint>();
  readonly #wanted = new Set<string>();
  /** Endpoints in which something may be left: a claim left it for want of room, or is still under way. */
  readonly #leftIn = new Set<string>();
  /** Endpoints in which something waits its turn. The queue tells when it comes. */
  readonly #blockedIn = new Set<string>();
  /** Endpoints that may begin another attempt, whose turn it is first. */
  readonly #ready = new Set<Endpoint>();
  readonly #fresh = new Set<Fresh>();
  #cancelTick: (() => void) | undefined;
  #running = 0;
  #waiting = 0;
  #isClaiming = false;
  #isClosed = false;
  #idle: (() => void)[] = [];

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
    this.#tryDeps = { ...deps, now: () => deps.clock.now() };
    this.#settler = new Settler({
      ...deps,
      isAwaited: (sid) => this.#blockedIn.has(sid),
      isNoteDue: (sid, nowMs) => this.#isNoteDue(sid, nowMs),
      onSettled: (batch, released) => this.#onSettled(batch, released),
    });
  }

  /** These endpoints have, or may have, something due. */
  wake(endpoints: Iterable<string>): void {
    if (this.#isClosed) return;
    for (const endpoint of endpoints) this.#wanted.add(endpoint);
    this.#claimWanted();
  }

  /** Looks for due endpoints: for what nobody told of, and what only time made due. */
  async look(): Promise<void> {
    this.wake(await this.#deps.queue.dueEndpoints(this.#deps.clock.now()));
  }

  /** Settles when nothing is running, waiting or unsettled. */
  idle(): Promise<void> {
    if (this.#isIdle()) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  /**
   * Starts nothing more and waits for what is under way; what waits in memory is given back with the worker's lease.
   */
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
    if (this.#wanted.size > 0 && !this.#isClaiming) void this.#claim();
  }

  async #claim(): Promise<void> {
    this.#isClaiming = true;
    try {
      while (!this.#isClosed && this.#running < RUNNING_MAX && !this.#settler.isFull) {
        const rooms = this.#rooms();
        if (rooms.length === 0) break;
        const now = this.#deps.clock.now();
        const { claimed, full, blocked } = await this.#deps.queue.claim(rooms, now, LEASE_MS);
        for (const { subscriptionSid } of rooms) {
          this.#leftIn.delete(subscriptionSid);
          this.#blockedIn.delete(subscriptionSid);
        }
        for (const sid of full) this.#leftIn.add(sid);
        for (const sid of blocked) this.#blockedIn.add(sid);
        const leaseEndMs = now.getTime() + LEASE_MS;
        for (const delivery of claimed) this.#hold({ delivery, leaseEndMs });
        for (const { subscriptionSid } of rooms) this.#forgetIfUnused(subscriptionSid);
        this.#begin();
      }
    } catch (error) {
      // The next look finds what is due again.
      this.#deps.log.warn({ reason: (error as Error).message }, "deliveries not claimed");
    } finally {
      this.#isClaiming = false;
      this.#tellIdle();
    }
  }

  /** Wanted endpoints with room enough; those without are wanted again when something in them ends. */
  #rooms(): readonly EndpointRoom[] {
    const rooms: EndpointRoom[] = [];
    let free = WAITING_MAX - this.#waiting;
    for (const subscriptionSid of this.#wanted) {
      if (rooms.length === ENDPOINTS_PER_CLAIM_MAX || free <= 0) break;
      this.#wanted.delete(subscriptionSid);
      const endpoint = this.#endpoints.get(subscriptionSid) ?? new Endpoint(subscriptionSid);
      const room = Math.min(endpoint.claimable, free);
      free -= room;
      if (room > 0) rooms.push({ subscriptionSid, room });
      this.#leftIn.add(subscriptionSid);
    }
    return rooms;
  }

  #hold(claimed: Claimed): void {
    if (this.#isClosed) return;
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

  /** Begins what may begin, one endpoint after the other. */
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
      // Too late to be sure of finishing within the lease: it comes free again by itself.
      if (this.#deps.clock.now().getTime() <= claimed.leaseEndMs - 2 * DEADLINE_MS) {
        endpoint.running += 1;
        this.#running += 1;
        void this.#deliver(endpoint, claimed);
      }
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

  async #deliver(endpoint: Endpoint, { delivery }: Claimed): Promise<void> {
    const fresh: Fresh = { hasSeenATick: false };
    this.#fresh.add(fresh);
    const lagMs = this.#deps.clock.now().getTime() - delivery.createdOn.getTime();
    const health = endpoint.failuresInARow > 0 ? "failing" : "healthy";
    // Somebody else may have noted a failure that a success of ours is to end.
    if (delivery.subscription.failingSince !== null) endpoint.notedAtMs = 0;
    try {
      const tried = await tryDelivery(this.#tryDeps, delivery);
      if (tried.outcome === "delivered") endpoint.succeed();
      // What is canceled tells nothing of its receiver, which is to be tried afresh should it be wanted again.
      else if (tried.outcome === "canceled") endpoint.beginAnew();
      else endpoint.fail();
      this.#deps.report({ tried, endpoint: health, firstAttemptLagMs: delivery.attempt === 1 ? lagMs : undefined });
      this.#settler.add(tried);
    } catch (error) {
      this.#deps.log.error({ sid: delivery.sid, err: error }, "delivery could not be tried");
    }
    this.#fresh.delete(fresh);
    endpoint.running -= 1;
    this.#running -= 1;
    if (endpoint.mayBegin) this.#ready.add(endpoint);
    else this.#forgetIfUnused(endpoint.sid);
    this.#begin();
    this.#wakeLeft(endpoint.sid);
    this.#claimWanted();
    this.#tellIdle();
  }

  #forgetIfUnused(sid: string): void {
    if (this.#endpoints.get(sid)?.isForgettable && !this.#leftIn.has(sid)) this.#endpoints.delete(sid);
  }

  /** Something ended in this endpoint: what was left behind there may find room now. */
  #wakeLeft(sid: string): void {
    if (this.#isClosed || !this.#leftIn.has(sid) || this.#endpoints.get(sid)?.claimable === 0) return;
    this.#wanted.add(sid);
  }

  #onSettled(batch: readonly Tried[], released: readonly string[]): void {
    this.#begin();
    this.wake(released);
    for (const { settled } of batch) this.#wakeLeft(settled.subscriptionSid);
    this.#claimWanted();
    this.#tellIdle();
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

  #tellIdle(): void {
    if (this.#idle.length === 0 || !this.#isIdle()) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}
