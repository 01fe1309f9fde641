// Which worker delivers to which subscriptions. A subscription belongs to one of 64 slots by its sid, a slot to one
// worker at a time, so that a worker knows in memory what waits for what. Workers share the slots evenly: one that has
// too many stops claiming in some, and gives them up when nothing that it has claimed in them is left. One whose clock
// is wrong gives up all. The slots of a dead worker are free (worker-lease.ts).

import type { Clock } from "../../../base/clock.ts";
import type { Condition } from "../engine/conditions.ts";
import type { Queryable } from "../engine/database.ts";

const SLOTS = 64;

/** The same in every process, and for ever. */
export function slotOf(subscriptionSid: string): number {
  let sum = 0;
  for (let at = 0; at < subscriptionSid.length; at++) sum = (31 * sum + subscriptionSid.charCodeAt(at)) | 0;
  return (sum >>> 0) % SLOTS;
}

/** Waits until the worker's claims have ended, also those whose answer it no longer expects: they lock its slots. */
export async function awaitClaims(db: Queryable, workerId: number): Promise<void> {
  await db.query("select from webhook_slots where worker = $1 order by slot for update", [workerId]);
}

/** A worker as its queue sees it. */
export interface SlotHolder {
  readonly id: number;
  /** Whether it may claim in this slot. */
  holds(slot: number): boolean;
}

export interface SlotDeps {
  readonly db: Queryable;
  /** The id changes when the worker had to take a new lease. */
  readonly lease: { readonly id: number };
  readonly clock: Pick<Clock, "isRight">;
  /** Resolves when every claim now under way has returned or been given up. */
  readonly claimsAnswered: () => Promise<unknown>;
  /** Learns what was tried lately in these slots; they are claimed from afterwards. */
  readonly learn: (isNew: (subscriptionSid: string) => boolean) => Promise<void>;
  readonly forget: (isGone: (subscriptionSid: string) => boolean) => void;
}

const TAKE = `
update webhook_slots set worker = $1 where slot = any (array(
  select slot from webhook_slots where worker is null order by slot limit $2 for update skip locked))`;

const DELIVERS = "update webhook_workers set delivers = $2 where id = $1 and delivers <> $2";

const LEAVE = "update webhook_slots set worker = null where worker = $1 and slot = any ($2::smallint[])";

const FACTS = `
select (select count(*)::int from webhook_workers where delivers) as workers, array(select slot from webhook_slots where worker = $1 order by slot) as slots`;

const CLAIMED_FROM = "select distinct subscription_sid as sid from delivery_queue where claimed_by = $1";

interface Facts {
  readonly workers: number;
  readonly slots: readonly number[];
}

export class WorkerSlots implements SlotHolder {
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

  holds(slot: number): boolean {
    return this.#id === this.id && this.#held.has(slot) && !this.#leaving.has(slot);
  }

  /** Holds when this worker may have to take or give up slots, or does not know which it has. */
  readonly mayChange: Condition = (bind) =>
    `exists (select from webhook_slots where worker is null) or exists (select from webhook_workers where id <> ${bind(this.id)}::int)
     or (select count(*) from webhook_slots where worker = ${bind(this.id)}::int) <> ${bind(this.#held.size)}::int`;

  /** To be called about once a second while slots may change hands. Returns whether this worker has got some. */
  async balance(): Promise<boolean> {
    const { db, clock, claimsAnswered } = this.#deps;
    if (this.#id !== this.id) {
      this.#id = this.id;
      await this.#hold([]);
    }
    const { isRight } = clock;
    await db.query(DELIVERS, [this.#id, isRight]);
    const { workers } = await this.#facts();
    const share = isRight ? Math.ceil(SLOTS / Math.max(workers, 1)) : 0;
    this.#leaving = new Set([...this.#held].slice(share));
    if (this.#leaving.size > 0) {
      await claimsAnswered();
      await awaitClaims(db, this.#id);
      const claimed = await db.query<{ sid: string }>(CLAIMED_FROM, [this.#id]);
      const busy = new Set(claimed.map(({ sid }) => slotOf(sid)));
      await db.query(LEAVE, [this.#id, [...this.#leaving].filter((slot) => !busy.has(slot))]);
    }
    if (this.#held.size < share) await db.query(TAKE, [this.#id, share - this.#held.size]);
    return this.#hold((await this.#facts()).slots);
  }

  async #facts(): Promise<Facts> {
    const [facts] = await this.#deps.db.query<Facts>(FACTS, [this.#id]);
    return facts as Facts;
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
