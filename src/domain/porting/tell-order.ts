// An order hears news: its facts, its account's numbers and the events of both change together, in the caller's transaction. The same
// news told again changes nothing.
//
// A number that no longer waits under this order (its port had failed and it was given up, or it was removed since) is left alone, even
// when the news is that it has moved after all: somebody must decide what becomes of it, so it is answered for the log.

import type { NewEvent } from "../events.ts";
import { followPort, type SettleDeps } from "../numbers/index.ts";
import { foldPortNews, type PortChange, type PortNews } from "./port-news.ts";
import type { PortOrder, PortOrderStatus } from "./port-order.ts";
import { isNews, phoneOf } from "./port-phones.ts";
import { type PortReason, sayReason } from "./port-reasons.ts";
import type { PortOrderStore } from "./ports.ts";

export interface TellDeps extends SettleDeps {
  readonly portOrders: PortOrderStore;
}

export interface Told {
  readonly order: PortOrder;
  /** Numbers the news names and the order has not. */
  readonly strangers: readonly string[];
  /** Numbers that have moved here and wait no longer for it. */
  readonly unexpected: readonly string[];
}

/** The caller has taken the turn of the order's account, and has read the order since. */
export async function tellOrder(deps: TellDeps, order: PortOrder, news: readonly PortNews[], now: Date): Promise<Told> {
  let after = order;
  const changes: PortChange[] = [];
  const strangers: string[] = [];
  for (const item of news) {
    const folded = foldPortNews(after, item);
    after = folded.order;
    changes.push(...folded.changes);
    strangers.push(...folded.strangers);
  }
  if (isSame(order, after)) return { order, strangers, unexpected: [] };
  await deps.portOrders.save(order, after, now);
  const touched = after.numbers.filter((number, at) => isNews(order.numbers[at] ?? number, number));
  const { accountSid, sid: portOrderSid } = order;
  const phones = touched.map(phoneOf);
  const missed = await followPort(deps, { accountSid, portOrderSid, phones }, now);
  await deps.outbox.emit(
    changes.flatMap((change) => (change.kind === "orderStatus" ? [statusChanged(after, change)] : [])),
    now,
  );
  const moved = new Set(phones.filter(({ features }) => features.length > 0).map(({ number }) => number));
  return { order: after, strangers, unexpected: missed.filter((number) => moved.has(number)) };
}

function isSame(before: PortOrder, after: PortOrder): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}

export interface OrderStatusNews {
  readonly from: PortOrderStatus | null;
  readonly to: PortOrderStatus;
  readonly reason: PortReason | null;
}

export function statusChanged(
  { sid, accountSid, messagingConfigSid, numbers }: PortOrder,
  { from, to, reason }: OrderStatusNews,
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
