// Which worker delivers to which subscriptions. A subscription belongs to one of 64 slots by its sid, a slot to one
// worker at a time, so that a worker knows in memory what waits for what (claimed-deliveries.ts). Workers share the
// slots evenly: one that has too many stops claiming in some, gives back what waits there, and gives them up when
// nothing that it has claimed in them is left. One whose clock is wrong gives up all. The slots of a dead worker are
// free.
//
//   free ──take──▶ held ──too many──▶ leaving ──nothing claimed is left──▶ free
//    ▲              └────────────────────┴──the worker is dead──▶┐
//    └───────────────────────────────────────────────────────────┘

import type { Clock } from "../../base/clock.ts";
import { hash32 } from "../../base/hash.ts";

export const SLOTS = 64;

export function slotOf(subscriptionSid: string): number {
  return hash32(subscriptionSid) % SLOTS;
}

/** The slots and workers of all processes, each method a statement. */
export interface SlotRecords {
  /** Says whether this worker delivers; returns how many do. */
  share(worker: number, isDelivering: boolean): Promise<number>;
  /** Takes free slots. */
  take(worker: number, countMax: number): Promise<void>;
  leave(worker: number, slots: readonly number[]): Promise<void>;
  heldBy(worker: number): Promise<readonly number[]>;
  /** Subscriptions with deliveries that this worker has claimed. */
  claimedFrom(worker: number): Promise<readonly string[]>;
}

export interface SlotDeps {
  readonly records: SlotRecords;
  /** The id changes when the worker had to take a new lease. */
  readonly lease: { readonly id: number };
  readonly clock: Pick<Clock, "isRight">;
  /** Resolves when every claim now under way has ended, also if its answer is no longer expected. */
  readonly claimsEnded: () => Promise<unknown>;
  /** Gives back what waits in these slots. */
  readonly release: (isLeaving: (subscriptionSid: string) => boolean) => Promise<void>;
  /** Learns what was tried lately in these slots; they are claimed from afterwards. */
  readonly learn: (isNew: (subscriptionSid: string) => boolean) => Promise<void>;
  readonly forget: (isGone: (subscriptionSid: string) => boolean) => void;
}

export class WorkerSlots {
  readonly #deps: SlotDeps;
  #id = 0;
  #held = new Set<number>();
  #leaving = new Set<number>();

  constructor(deps: SlotDeps) {
    this.#deps = deps;
  }

  get id(): number {
    return this.#deps.lease.id;
  }

  get count(): number {
    return this.#held.size;
  }

  /** Whether this worker may claim in the slot. */
  holds(slot: number): boolean {
    return this.#id === this.id && this.#held.has(slot) && !this.#leaving.has(slot);
  }

  /** To be called about once a second while slots may change hands. Returns whether this worker has got some. */
  async balance(): Promise<boolean> {
    const { records, clock, claimsEnded, release } = this.#deps;
    if (this.#id !== this.id) {
      this.#id = this.id;
      await this.#hold([]);
    }
    const { isRight } = clock;
    const workers = await records.share(this.#id, isRight);
    const share = isRight ? Math.ceil(SLOTS / Math.max(workers, 1)) : 0;
    this.#leaving = new Set([...this.#held].slice(share));
    if (this.#leaving.size > 0) {
      await claimsEnded();
      await release((sid) => this.#leaving.has(slotOf(sid)));
      const busy = new Set((await records.claimedFrom(this.#id)).map(slotOf));
      await records.leave(
        this.#id,
        [...this.#leaving].filter((slot) => !busy.has(slot)),
      );
    }
    if (this.#held.size < share) await records.take(this.#id, share - this.#held.size);
    return this.#hold(await records.heldBy(this.#id));
  }

  /** Returns whether there is one that it had not. */
  async #hold(slots: readonly number[]): Promise<boolean> {
    const before = this.#held;
    const held = new Set(slots);
    const added = new Set(slots.filter((slot) => !before.has(slot)));
    this.#deps.forget((sid) => !held.has(slotOf(sid)));
    if (added.size > 0) await this.#deps.learn((sid) => added.has(slotOf(sid)));
    this.#held = held;
    return added.size > 0;
  }
}
