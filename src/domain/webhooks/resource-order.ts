// Within an endpoint the events of one resource are delivered in order. A delivery waits for the one before it: while
// that one has not been tried, and then until it is done, but no longer than a minute after its first attempt. This is
// the memory of the process that delivers to the endpoint: it knows what it has claimed, and for a minute what it has
// tried. The queue hands out the deliveries of a resource in order, so what is not known here comes later.

import { Fifo } from "../../base/fifo.ts";

/** A delivery, by its event. */
export interface OrderedDelivery {
  readonly subscriptionSid: string;
  readonly resourceSid: string;
  readonly sequence: number;
}

interface Pending {
  readonly sequence: number;
  isClaimed: boolean;
  firstTriedMs: number | undefined;
}

interface Tried {
  readonly delivery: OrderedDelivery;
  readonly pending: Pending;
  readonly endMs: number;
}

export const ORDER_WAIT_MS = 60_000;
/** Beyond it the oldest, whose minute is nearly over, are no longer waited for. */
const TRIED_MAX = 200_000;

export class ResourceOrder {
  /** By subscription and resource; by sequence in each, of which there is nearly always one. */
  readonly #pending = new Map<string, Map<string, Pending[]>>();
  /** In the order in which they were tried. */
  readonly #tried = new Fifo<Tried>();

  /** It was claimed from the queue. */
  claim(delivery: OrderedDelivery, firstTriedMs: number | undefined): void {
    const pending = this.#find(delivery) ?? this.#add(delivery);
    pending.isClaimed = true;
    pending.firstTriedMs = firstTriedMs;
  }

  /** Until when it has to wait, infinity while the one before it has not been tried; undefined if it need not. */
  heldUntil({ subscriptionSid, resourceSid, sequence }: OrderedDelivery, nowMs: number): number | undefined {
    const list = this.#pending.get(subscriptionSid)?.get(resourceSid);
    const before = list?.[positionOf(sequence, list) - 1];
    if (!before) return undefined;
    const untilMs = (before.firstTriedMs ?? Number.POSITIVE_INFINITY) + ORDER_WAIT_MS;
    return untilMs > nowMs ? untilMs : undefined;
  }

  /** It will be tried again. */
  retry(delivery: OrderedDelivery, triedMs: number | undefined, nowMs: number): void {
    const pending = this.#find(delivery) ?? this.#add(delivery);
    pending.isClaimed = false;
    pending.firstTriedMs ??= triedMs;
    if (pending.firstTriedMs === undefined) return;
    const endMs = pending.firstTriedMs + ORDER_WAIT_MS;
    if (endMs <= nowMs) this.#remove(delivery, pending);
    else this.#tried.push({ delivery, pending, endMs });
    this.#forgetTried(nowMs);
  }

  /** It is not in the queue any more. */
  end(delivery: OrderedDelivery): void {
    const pending = this.#find(delivery);
    if (pending) this.#remove(delivery, pending);
  }

  /** Another process delivers to these endpoints from now on. */
  forget(isGone: (subscriptionSid: string) => boolean): void {
    for (const sid of this.#pending.keys()) if (isGone(sid)) this.#pending.delete(sid);
  }

  #forgetTried(nowMs: number): void {
    for (let oldest = this.#tried.first; oldest; oldest = this.#tried.first) {
      if (oldest.endMs > nowMs && this.#tried.length <= TRIED_MAX) return;
      this.#tried.shift();
      if (!oldest.pending.isClaimed) this.#remove(oldest.delivery, oldest.pending);
    }
  }

  #find({ subscriptionSid, resourceSid, sequence }: OrderedDelivery): Pending | undefined {
    const list = this.#pending.get(subscriptionSid)?.get(resourceSid);
    const found = list?.[positionOf(sequence, list)];
    return found?.sequence === sequence ? found : undefined;
  }

  #add({ subscriptionSid, resourceSid, sequence }: OrderedDelivery): Pending {
    let resources = this.#pending.get(subscriptionSid);
    if (!resources) {
      resources = new Map();
      this.#pending.set(subscriptionSid, resources);
    }
    const pending: Pending = { sequence, isClaimed: false, firstTriedMs: undefined };
    const list = resources.get(resourceSid);
    if (list) list.splice(positionOf(sequence, list), 0, pending);
    else resources.set(resourceSid, [pending]);
    return pending;
  }

  #remove({ subscriptionSid, resourceSid, sequence }: OrderedDelivery, pending: Pending): void {
    const resources = this.#pending.get(subscriptionSid);
    const list = resources?.get(resourceSid);
    const at = list ? positionOf(sequence, list) : 0;
    if (list?.[at] !== pending) return;
    if (list.length > 1) list.splice(at, 1);
    else resources?.delete(resourceSid);
    if (resources?.size === 0) this.#pending.delete(subscriptionSid);
  }
}

/** The place of a sequence in a list in order. By halves: a resource may have thousands that wait. */
function positionOf(sequence: number, list: readonly Pending[]): number {
  let [from, to] = [0, list.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((list[middle] as Pending).sequence < sequence) from = middle + 1;
    else to = middle;
  }
  return from;
}
