// Records attempts in batches, and success or failure of the subscriptions. Its buffer is bounded by count and by the
// bytes of the answers: the dispatcher checks `isFull` before it begins another attempt.

import { type Clock, pause } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { DeliveryQueue, SubscriptionHealth } from "./ports.ts";
import type { TriedDelivery } from "./try-delivery.ts";

export interface SettlerDeps {
  readonly queue: DeliveryQueue;
  readonly health: SubscriptionHealth;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether a delivery of this subscription may wait for an earlier event of its resource to be recorded. */
  readonly isAwaited: (subscriptionSid: string) => boolean;
  /** Whether to note a success on this subscription: at most once a second for each. */
  readonly isNoteDue: (subscriptionSid: string, nowMs: number) => boolean;
  /** Called when the batch is recorded or failed; `released` are endpoints with deliveries that are due now. */
  readonly onSettled: (batch: readonly TriedDelivery[], released: readonly string[]) => void;
}

const PER_STATEMENT_MAX = 500;
const BYTES_PER_STATEMENT_MAX = 1_000_000;
const HELD_MAX = 5_000;
const HELD_BYTES_MAX = 4_000_000;
/** A short wait gathers many attempts in one statement. */
const LINGER_MS = 15;
const BATCH_WITHOUT_WAIT = 100;

export class Settler {
  readonly #deps: SettlerDeps;
  #held: TriedDelivery[] = [];
  #heldBytes = 0;
  #settling: Promise<void> | undefined;

  constructor(deps: SettlerDeps) {
    this.#deps = deps;
  }

  get isFull(): boolean {
    return this.#held.length >= HELD_MAX || this.#heldBytes >= HELD_BYTES_MAX;
  }

  get isIdle(): boolean {
    return this.#settling === undefined;
  }

  add(tried: TriedDelivery): void {
    this.#held.push(tried);
    this.#heldBytes += bytesOf(tried);
    this.#settling ??= this.#settleAll();
  }

  async #settleAll(): Promise<void> {
    for (;;) {
      await pause(this.#deps.clock, this.#lingerMs());
      const batch = this.#takeBatch();
      const released = await this.#record(batch).catch((error: Error) => {
        // They are given back and sent again: at least once.
        this.#deps.log.warn({ reason: error.message, count: batch.length }, "attempts not recorded");
        return [];
      });
      if (this.#held.length === 0) this.#settling = undefined;
      this.#deps.onSettled(batch, released);
      if (!this.#settling) return;
    }
  }

  #lingerMs(): number {
    if (this.#held.length >= BATCH_WITHOUT_WAIT) return 0;
    return this.#held.some(({ settled }) => this.#deps.isAwaited(settled.subscriptionSid)) ? 0 : LINGER_MS;
  }

  #takeBatch(): readonly TriedDelivery[] {
    let count = 0;
    let bytes = 0;
    while (count < Math.min(this.#held.length, PER_STATEMENT_MAX) && bytes < BYTES_PER_STATEMENT_MAX) {
      bytes += bytesOf(this.#held[count++] as TriedDelivery);
    }
    this.#heldBytes -= bytes;
    return this.#held.splice(0, count);
  }

  async #record(batch: readonly TriedDelivery[]): Promise<readonly string[]> {
    const { queue, health, clock, log } = this.#deps;
    const now = clock.now();
    for (const { settled, switchOff } of batch) {
      if (switchOff === undefined) continue;
      await health.switchOff(settled.subscriptionSid, switchOff);
      log.warn({ subscriptionSid: settled.subscriptionSid, reason: switchOff }, "subscription switched off");
    }
    const released = await queue.settle(
      batch.map((tried) => tried.settled),
      now,
    );
    const [worked, failed] = this.#toNote(batch, now);
    if (worked.length > 0) await health.noteSuccess(worked, now);
    if (failed.length > 0) await health.noteFailure(failed, now);
    return released;
  }

  /** Subscriptions on which to note a success, and those on which to note a failure. */
  #toNote(batch: readonly TriedDelivery[], now: Date): readonly [readonly string[], readonly string[]] {
    const worked = new Set<string>();
    const failed = new Set<string>();
    for (const { outcome, isElsewhere, settled } of batch) {
      if (isElsewhere) continue;
      if (outcome === "delivered") worked.add(settled.subscriptionSid);
      else if (outcome === "retry" || outcome === "failed") failed.add(settled.subscriptionSid);
    }
    const isDue = (sid: string) => this.#deps.isNoteDue(sid, now.getTime());
    return [[...worked].filter(isDue), [...failed]];
  }
}

function bytesOf({ settled }: TriedDelivery): number {
  let bytes = 0;
  for (const { answer } of settled.attempts) bytes += answer?.length ?? 0;
  return bytes;
}
