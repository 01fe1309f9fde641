// An order hears updates: its facts, its account's numbers and the events of both change together, in the caller's transaction. The same
// updates told again changes nothing.
//
// A number that no longer waits under this order (its port had failed and it was given up, or it was removed since) is left alone, even
// when the updates is that it has moved after all: somebody must decide what becomes of it, so it is answered for the log.

import type { NewEvent } from "../events.ts";
import { followPort, type SettleDeps } from "../numbers/index.ts";
import { type PortOrder, type PortOrderStatus, reasonOfOrder } from "./port-order.ts";
import { hasChanged, phoneOf } from "./port-phones.ts";
import { type PortReason, sayReason } from "./port-reasons.ts";
import { foldPortUpdate, type PortUpdate } from "./port-update.ts";
import type { PortOrderStore } from "./ports.ts";

export interface UpdateDeps extends SettleDeps {
  readonly portOrders: PortOrderStore;
}

export interface Applied {
  readonly order: PortOrder;
  /** Numbers the updates names and the order has not. */
  readonly strangers: readonly string[];
  /** Numbers that have moved here and wait no longer for it. */
  readonly unexpected: readonly string[];
}

/** The caller has taken the turn of the order's account, and has read the order since. */
export async function applyUpdates(
  deps: UpdateDeps,
  order: PortOrder,
  updates: readonly PortUpdate[],
  now: Date,
): Promise<Applied> {
  let after = order;
  let status = order.status;
  const moves: OrderStatusChange[] = [];
  const strangers: string[] = [];
  for (const [at, item] of updates.entries()) {
    const folded = foldPortUpdate(after, item);
    after = folded.order;
    strangers.push(...folded.strangers);
    // Both halves at once: between the two there was nothing.
    if (after.status === status || (isMove(item) && isMove(updates[at + 1]))) continue;
    moves.push({ from: status, to: after.status, reason: reasonOfOrder(after) });
    status = after.status;
  }
  if (isSame(order, after)) return { order, strangers, unexpected: [] };
  await deps.portOrders.save(order, after, now);
  const touched = after.numbers.filter((number, at) => hasChanged(order.numbers[at] ?? number, number));
  const { accountSid, sid: portOrderSid } = order;
  const phones = touched.map(phoneOf);
  const missed = await followPort(deps, { accountSid, portOrderSid, phones }, now);
  await deps.outbox.emit(
    moves.map((move) => statusChanged(after, move)),
    now,
  );
  const moved = new Set(phones.filter(({ features }) => features.length > 0).map(({ number }) => number));
  return { order: after, strangers, unexpected: missed.filter((number) => moved.has(number)) };
}

function isMove(updates: PortUpdate | undefined): boolean {
  return updates?.change.kind === "voiceMoved" || updates?.change.kind === "messagingMoved";
}

function isSame(before: PortOrder, after: PortOrder): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}

export interface OrderStatusChange {
  readonly from: PortOrderStatus | null;
  readonly to: PortOrderStatus;
  readonly reason: PortReason | null;
}

export function statusChanged(
  { sid, accountSid, messagingConfigSid, numbers }: PortOrder,
  { from, to, reason }: OrderStatusChange,
): NewEvent<"PortOrderStatusChanged"> {
  return {
    accountSid,
    type: "PortOrderStatusChanged",
    resourceSid: sid,
    messagingConfigSid,
    fields: {
      PortOrderSid: sid,
      Status: to,
      PreviousStatus: from,
      Reason: reason && sayReason(reason),
      Numbers: numbers.map(({ number }) => number),
    },
  };
}
