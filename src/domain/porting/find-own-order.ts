// Finds a port order of an account. An order of another account is refused like one that does not exist.

import { ok, type Result, refused } from "../../base/result.ts";
import { type Problem, problem } from "../problems.ts";
import type { PortOrderStore, StoredPortOrder } from "./ports.ts";

export async function findOwnOrder(
  portOrders: Pick<PortOrderStore, "find">,
  accountSid: string,
  sid: string,
): Promise<Result<StoredPortOrder, Problem>> {
  const order = await portOrders.find(sid);
  return order?.accountSid === accountSid ? ok(order) : refused(problem("not-found"));
}
