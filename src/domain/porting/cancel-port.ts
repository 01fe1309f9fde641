// What of an order can still be called back: numbers of which nothing has moved.

import { ok, type Result, refused } from "../../base/result.ts";
import { type Problem, problem } from "../problems.ts";
import { isOpen, type PortOrder } from "./port-order.ts";

export function cancellableNumbers(order: PortOrder): Result<readonly string[], Problem> {
  const numbers = order.numbers.filter((number) => isOpen(number) && number.status !== "Activating");
  if (numbers.length > 0) return ok(numbers.map(({ number }) => number));
  const why = isOpen(order) ? "every number of it has moved at least in part" : `it is ${order.status}`;
  return refused(problem("conflict", `The order cannot be cancelled: ${why}.`));
}
