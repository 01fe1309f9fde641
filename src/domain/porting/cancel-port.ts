// Requests the cancellation of an order, in the caller's transaction. The clearing house gets the request afterwards
// (follow-ports.ts), and the order moves when it has answered. Only numbers of which nothing has moved can be
// cancelled.

import { ok, type Result, refused } from "../../base/result.ts";
import { type Problem, problem } from "../problems.ts";
import type { UpdateDeps } from "./apply-update.ts";
import { findOwnOrder } from "./find-own-order.ts";
import { isOpen, type PortOrder } from "./port-order.ts";
import type { StoredPortOrder } from "./ports.ts";

/** A repeated request changes nothing. */
export async function cancelPort(
  deps: UpdateDeps,
  accountSid: string,
  sid: string,
  now: Date,
): Promise<Result<StoredPortOrder, Problem>> {
  await deps.phones.lockAccount(accountSid);
  const order = await findOwnOrder(deps.portOrders, accountSid, sid);
  if (!order.ok || order.value.requests.some(({ kind }) => kind === "cancel")) return order;
  const numbers = cancellableNumbers(order.value);
  if (!numbers.ok) return numbers;
  await deps.portOrders.noteRefusedRequest(sid, null);
  await deps.portOrders.addRequest(sid, "cancel", now);
  return findOwnOrder(deps.portOrders, accountSid, sid);
}

export function cancellableNumbers(order: PortOrder): Result<readonly string[], Problem> {
  const numbers = order.numbers.filter((number) => isOpen(number) && number.status !== "Activating");
  if (numbers.length > 0) return ok(numbers.map(({ number }) => number));
  const why = isOpen(order) ? "every number of it has moved at least in part" : `it is ${order.status}`;
  return refused(problem("conflict", `The order cannot be cancelled: ${why}.`));
}
