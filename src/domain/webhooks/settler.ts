// Records attempts, many in one statement, and how the subscriptions fare. What it holds is bounded by count and by the
// bytes of the answers in it: whoever delivers asks `isFull` before beginning another.

import { type Clock, pause } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { DeliveryQueue } from "./ports.ts";
import type { Tried } from "./try-delivery.ts";

export interface SettlerDeps {
  readonly queue: DeliveryQueue;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether something may wait for this subscription's attempts to be recorded: the next event of a resource. */
  readonly isAwaited: (subscriptionSid: string) => boolean;
  /** Whether a success of this subscription is to be noted: each at most once a second. */
  readonly isNoteDue: (subscriptionSid: string, nowMs: number) => boolean;
  /** They are recorded, or could not be; `released` names endpoints in which something waited behind them. */
  readonly onSettled: (batch: readonly Tried[], released: readonly string[]) => void;
}

const PER_STATEMENT_MAX = 500;
const BYTES_PER_STATEMENT_MAX = 1_000_000;
const HELD_MAX = 5_000;
const HELD_BYTES_MAX = 4_000_000;
/** A moment's wait gathers many attempts in one statement. */
const LINGER_MS = 15;
const WORTH_THE_WAIT = 100;

export class Settler {
  readonly #deps: SettlerDeps;
  #held: Tried[] = [];
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

  add(tried: Tried): void {
    this.#held.push(tried);
    this.#heldBytes += bytesOf(tried);
    this.#settling ??= this.#settleAll();
  }

  async #settleAll(): Promise<void> {
    for (;;) {
      await pause(this.#deps.clock, this.#lingerMs());
      const batch = this.#takeBatch();
      const released = await this.#record(batch).catch((error: Error) => {
        // Their leases end and they are delivered again: at least once.
        this.#deps.log.warn({ reason: error.message, count: batch.length }, "attempts not recorded");
        return [];
      });
      if (this.#held.length === 0) this.#settling = undefined;
      this.#deps.onSettled(batch, released);
      if (!this.#settling) return;
    }
  }

  #lingerMs(): number {
    if (this.#held.length >= WORTH_THE_WAIT) return 0;
    return this.#held.some(({ settled }) => this.#deps.isAwaited(settled.subscriptionSid)) ? 0 : LINGER_MS;
  }

  #takeBatch(): readonly Tried[] {
    let count = 0;
    let bytes = 0;
    while (count < Math.min(this.#held.length, PER_STATEMENT_MAX) && bytes < BYTES_PER_STATEMENT_MAX) {
      bytes += bytesOf(this.#held[count++] as Tried);
    }
    this.#heldBytes -= bytes;
    return this.#held.splice(0, count);
  }

  async #record(batch: readonly Tried[]): Promise<readonly string[]> {
    const { queue, clock, log } = this.#deps;
    const now = clock.now();
    for (const { settled, switchOff } of batch) {
      if (switchOff === undefined) continue;
      await queue.switchOff(settled.subscriptionSid, switchOff);
      log.warn({ subscriptionSid: settled.subscriptionSid, reason: switchOff }, "subscription switched off");
    }
    const released = await queue.settle(
      batch.map((tried) => tried.settled),
      now,
    );
    const [worked, failed] = this.#toNote(batch, now);
    if (worked.length > 0) await queue.noteSuccess(worked, now);
    if (failed.length > 0) await queue.noteFailure(failed, now);
    return released;
  }

  /** Subscriptions to write a note on, that they fare well or that they do not. */
  #toNote(batch: readonly Tried[], now: Date): readonly [readonly string[], readonly string[]] {
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

function bytesOf({ settled }: Tried): number {
  let bytes = 0;
  for (const { answer } of settled.attempts) bytes += answer?.length ?? 0;
  return bytes;
}
