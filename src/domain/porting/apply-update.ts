// Applies updates to an order: its facts, its account's numbers and the events of both change together, in the caller's
// transaction. Applying the same updates again changes nothing.
//
// A number that no longer waits under this order (its port failed, or it was removed since) is not changed, even when
// the update reports that it has moved after all. The operator must decide what to do with it, so it is returned for
// the log.

import type { NewEvent } from "../events.ts";
import { followPort, type SettleDeps } from "../numbers/index.ts";
import { type PortOrder, type PortOrderStatus, reasonOfOrder } from "./port-order.ts";
import { hasChanged, phoneOf } from "./port-phones.ts";
import { type PortReason, reasonText } from "./port-reasons.ts";
import { foldPortUpdate, type PortUpdate } from "./port-update.ts";
import type { PortOrderStore } from "./ports.ts";

export interface UpdateDeps extends SettleDeps {
  readonly portOrders: PortOrderStore;
}

export interface Applied {
  readonly order: PortOrder;
  /** Numbers in the updates that the order does not have. */
  readonly unknownNumbers: readonly string[];
  /** Numbers that have moved here but no longer wait under this order. */
  readonly unexpected: readonly string[];
}

/** The caller holds the lock of the order's account, and has read the order under it. */
export async function applyUpdates(
  deps: UpdateDeps,
  order: PortOrder,
  updates: readonly PortUpdate[],
  now: Date,
): Promise<Applied> {
  let after = order;
  let status = order.status;
  const moves: OrderStatusChange[] = [];
  const unknownNumbers: string[] = [];
  for (const [at, update] of updates.entries()) {
    const folded = foldPortUpdate(after, update);
    after = folded.order;
    unknownNumbers.push(...folded.unknownNumbers);
    // Voice and messaging moved together: no status in between is reported.
    if (after.status === status || (isMove(update) && isMove(updates[at + 1]))) continue;
    moves.push({ from: status, to: after.status, reason: reasonOfOrder(after) });
    status = after.status;
  }
  if (isSame(order, after)) return { order, unknownNumbers, unexpected: [] };
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
  return { order: after, unknownNumbers, unexpected: missed.filter((number) => moved.has(number)) };
}

function isMove(update: PortUpdate | undefined): boolean {
  return update?.change.kind === "voiceMoved" || update?.change.kind === "messagingMoved";
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
      Reason: reason && reasonText(reason),
      Numbers: numbers.map(({ number }) => number),
    },
  };
}
