// The owner's answer to an exception: the order with what was wrong put right, ready to be sent as a supplement. Its status moves when
// the clearing house takes it up again.

import { ok, type Result, refused } from "../../base/result.ts";
import { type Problem, problem } from "../problems.ts";
import type { PortDetails, PortOrder } from "./port-order.ts";
import type { PortPins } from "./ports.ts";

export interface PortAnswer {
  /** Only what changes. */
  readonly details: Partial<PortDetails>;
  readonly pins: PortPins;
}

export function answerException(order: PortOrder, answer: PortAnswer): Result<PortOrder, Problem> {
  if (order.status !== "Exception") {
    return refused(problem("conflict", `The order is ${order.status}: there is no exception to answer.`));
  }
  return ok({ ...order, details: { ...order.details, ...answer.details } });
}
