// Delivers what is queued. Guarantees: at least once, under the same webhook-id; the events of a resource in order (the queue sees to
// it); one lane per subscription with room of its own, so that a receiver that hangs delays nobody else; everything bounded.
// Any number of processes may run one: claims are leases. It is woken by whoever hears of new events, and looks for itself besides.

import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { ClaimedDelivery, DeliveryQueue, LaneRoom } from "./ports.ts";
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

interface Lane {
  running: number;
  readonly waiting: Claimed[];
  failuresInARow: number;
  notedAtMs: number;
}

interface Claimed {
  readonly delivery: ClaimedDelivery;
  readonly leaseEndMs: number;
}

/** Two URLs, and as much again before the lease of what waits behind them ends. */
const LEASE_MS = 6 * DEADLINE_MS;
const RUNNING_PER_LANE_MAX = 32;
/** A lane whose receiver keeps failing is tried gently until it answers. */
const RUNNING_PER_FAILING_LANE_MAX = 2;
const FAILURES_UNTIL_GENTLE = 3;
const RUNNING_MAX = 4_000;
/** So many times what may run is claimed, so that nobody idles while the next claim is under way. */
const CLAIMED_AHEAD = 4;
const LANES_PER_CLAIM_MAX = 256;
const SETTLED_PER_STATEMENT_MAX = 500;
const BUSY_FROM = 16;
const LINGER_MS = 10;
const UNSETTLED_MAX = 5_000;
const NOTE_EVERY_MS = 1_000;

export class Dispatcher {
  readonly #deps: DispatcherDeps;
  readonly #tryDeps: TryDeps;
  readonly #lanes = new Map<string, Lane>();
  readonly #wanted = new Set<string>();
  /** Lanes in which the last claim left something behind: for want of room, or because it must wait for its turn. */
  readonly #leftIn = new Set<string>();
  #unsettled: Tried[] = [];
  #running = 0;
  #isClaiming = false;
  #settling: Promise<void> | undefined;
  #isClosed = false;
  #idle: (() => void)[] = [];

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
    this.#tryDeps = { ...deps, now: () => deps.clock.now() };
  }

  /** These lanes have, or may have, something due. */
  wake(lanes: Iterable<string>): void {
    if (this.#isClosed) return;
    for (const lane of lanes) this.#wanted.add(lane);
    void this.#claim();
  }

  /** Looks for due lanes: for what nobody told of, and what only time made due. */
  async look(): Promise<void> {
    this.wake(await this.#deps.queue.dueLanes(this.#deps.clock.now()));
  }

  /** Settles when nothing is running, waiting or unsettled. */
  idle(): Promise<void> {
    if (this.#isIdle()) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Starts nothing more and waits for what is under way; what waits in memory comes due again by its lease. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wanted.clear();
    for (const lane of this.#lanes.values()) lane.waiting.length = 0;
    await this.idle();
  }

  async #claim(): Promise<void> {
    if (this.#isClaiming) return;
    this.#isClaiming = true;
    try {
      while (!this.#isClosed && this.#running < RUNNING_MAX && this.#unsettled.length < UNSETTLED_MAX) {
        const rooms = this.#rooms();
        if (rooms.length === 0) break;
        const now = this.#deps.clock.now();
        const { claimed, more } = await this.#deps.queue.claim(rooms, now, LEASE_MS);
        const leaseEndMs = now.getTime() + LEASE_MS;
        for (const delivery of claimed) this.#lane(delivery.subscription.sid).waiting.push({ delivery, leaseEndMs });
        for (const { subscriptionSid } of rooms) {
          this.#leftIn.delete(subscriptionSid);
          this.#run(subscriptionSid);
        }
        for (const sid of more) this.#leftIn.add(sid);
      }
    } catch (error) {
      // The next look finds what is due again.
      this.#deps.log.warn({ reason: (error as Error).message }, "deliveries not claimed");
    } finally {
      this.#isClaiming = false;
      this.#tellIdle();
    }
  }

  /** Wanted lanes with room enough; those without are wanted again when something in them ends. */
  #rooms(): readonly LaneRoom[] {
    const rooms: LaneRoom[] = [];
    for (const subscriptionSid of this.#wanted) {
      if (rooms.length === LANES_PER_CLAIM_MAX) break;
      this.#wanted.delete(subscriptionSid);
      const lane = this.#lanes.get(subscriptionSid);
      const claimedMax = CLAIMED_AHEAD * (lane ? runningMax(lane) : RUNNING_PER_LANE_MAX);
      const room = claimedMax - (lane ? lane.running + lane.waiting.length : 0);
      // Few and large claims: a lane that still has half of it waits until it has less.
      if (2 * room >= claimedMax) rooms.push({ subscriptionSid, room });
      else this.#leftIn.add(subscriptionSid);
    }
    return rooms;
  }

  #lane(sid: string): Lane {
    let lane = this.#lanes.get(sid);
    if (!lane) {
      lane = { running: 0, waiting: [], failuresInARow: 0, notedAtMs: 0 };
      this.#lanes.set(sid, lane);
    }
    return lane;
  }

  #run(sid: string): void {
    const lane = this.#lanes.get(sid);
    if (!lane) return;
    while (!this.#isClosed && lane.waiting.length > 0 && lane.running < runningMax(lane)) {
      const { delivery, leaseEndMs } = lane.waiting.shift() as Claimed;
      // Too late to be sure of finishing within the lease: it comes due again by itself.
      if (this.#deps.clock.now().getTime() > leaseEndMs - 2 * DEADLINE_MS) continue;
      lane.running++;
      this.#running++;
      void this.#deliver(lane, delivery);
    }
    const isForgettable = lane.running === 0 && lane.waiting.length === 0 && lane.failuresInARow === 0;
    if (isForgettable) this.#lanes.delete(sid);
  }

  async #deliver(lane: Lane, delivery: ClaimedDelivery): Promise<void> {
    const { sid } = delivery.subscription;
    const lagMs = this.#deps.clock.now().getTime() - delivery.createdOn.getTime();
    const endpoint = lane.failuresInARow > 0 ? "failing" : "healthy";
    try {
      const tried = await tryDelivery(this.#tryDeps, delivery);
      // What is canceled tells nothing of its receiver, which is to be tried afresh should it be wanted again.
      const hasFailed = tried.outcome !== "delivered" && tried.outcome !== "canceled";
      lane.failuresInARow = hasFailed ? lane.failuresInARow + 1 : 0;
      this.#unsettled.push(tried);
      this.#deps.report({ tried, endpoint, firstAttemptLagMs: delivery.attempt === 1 ? lagMs : undefined });
      this.#settle();
    } catch (error) {
      this.#deps.log.error({ sid: delivery.sid, err: error }, "delivery could not be tried");
    }
    lane.running--;
    this.#running--;
    this.#run(sid);
    this.#wakeLeft([sid]);
    this.#tellIdle();
  }

  #wakeLeft(lanes: readonly string[]): void {
    if (!this.#isClosed) this.wake(lanes.filter((sid) => this.#leftIn.has(sid)));
  }

  #settle(): void {
    this.#settling ??= this.#settleAll().finally(() => {
      this.#settling = undefined;
      this.#tellIdle();
    });
  }

  async #settleAll(): Promise<void> {
    while (this.#unsettled.length > 0) {
      // Under load a moment's wait records many attempts in one statement; nobody waits for it but the next event of a resource.
      const lingerMs = this.#running < BUSY_FROM ? 0 : LINGER_MS;
      await new Promise((resolve) => setTimeout(resolve, lingerMs));
      const batch = this.#unsettled.splice(0, SETTLED_PER_STATEMENT_MAX);
      try {
        await this.#record(batch);
      } catch (error) {
        // Their leases end and they are delivered again: at least once.
        this.#deps.log.warn({ reason: (error as Error).message, count: batch.length }, "attempts not recorded");
      }
      this.#wakeLeft(batch.map(({ settled }) => settled.subscriptionSid));
    }
  }

  async #record(batch: readonly Tried[]): Promise<void> {
    const { queue, clock } = this.#deps;
    const now = clock.now();
    for (const { settled, switchOff } of batch) {
      if (switchOff === undefined) continue;
      await queue.switchOff(settled.subscriptionSid, switchOff);
      this.#deps.log.warn({ subscriptionSid: settled.subscriptionSid, reason: switchOff }, "subscription switched off");
    }
    const released = await queue.settle(
      batch.map((tried) => tried.settled),
      now,
    );
    this.wake(released);
    const own = batch.filter((tried) => !tried.isElsewhere);
    const worked = this.#toNote(own, (tried) => tried.outcome === "delivered", now);
    if (worked.length > 0) await queue.noteSuccess(worked, now);
    const failed = this.#toNote(own, (tried) => tried.outcome === "retry" || tried.outcome === "failed", now);
    if (failed.length > 0) await queue.noteFailure(failed, now);
  }

  /** Subscriptions to write a note on: each at most once a second. */
  #toNote(batch: readonly Tried[], isMeant: (tried: Tried) => boolean, now: Date): readonly string[] {
    const sids = new Set(batch.filter(isMeant).map(({ settled }) => settled.subscriptionSid));
    return [...sids].filter((sid) => {
      const lane = this.#lanes.get(sid);
      if (!lane) return true;
      const isDue = lane.failuresInARow > 0 || now.getTime() - lane.notedAtMs >= NOTE_EVERY_MS;
      if (isDue) lane.notedAtMs = now.getTime();
      return isDue;
    });
  }

  #isIdle(): boolean {
    return (
      this.#running === 0 &&
      !this.#settling &&
      !this.#isClaiming &&
      this.#unsettled.length === 0 &&
      this.#wanted.size === 0
    );
  }

  #tellIdle(): void {
    if (!this.#isIdle()) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}

function runningMax(lane: Lane): number {
  return lane.failuresInARow >= FAILURES_UNTIL_GENTLE ? RUNNING_PER_FAILING_LANE_MAX : RUNNING_PER_LANE_MAX;
}
