// Answers an exception of an order, in the caller's transaction: stores what the owner changed, and queues a supplement
// for the clearing house. The status moves when the clearing house resumes the order.

import { ok, type Result, refused } from "../../base/result.ts";
import { type FieldErrors, invalid, mergeErrors, type Problem, problem } from "../problems.ts";
import { type CheckDeps, checkPortAnswer, type PortAnswer } from "./check-order.ts";
import { findOwnOrder } from "./find-own-order.ts";
import type { OrderDeps } from "./order-port.ts";
import type { PortOrder } from "./port-order.ts";
import type { NewDocument, StoredPortOrder } from "./ports.ts";

/** Within what a clearing house accepts with one order. */
const ORDER_DOCUMENTS_MAX = 20;

export interface PortAnswerOrder {
  readonly accountSid: string;
  readonly sid: string;
  readonly data: Parameters<typeof checkPortAnswer>[2];
  readonly documents: Result<readonly NewDocument[], FieldErrors>;
}

export async function answerPort(
  deps: OrderDeps & Pick<CheckDeps, "readNumber" | "country">,
  { accountSid, sid, data, documents }: PortAnswerOrder,
  now: Date,
): Promise<Result<StoredPortOrder, Problem>> {
  await deps.phones.lockAccount(accountSid);
  const found = await findOwnOrder(deps.portOrders, accountSid, sid);
  if (!found.ok) return found;
  const order = found.value;
  const answer = checkPortAnswer({ readNumber: deps.readNumber, country: deps.country, now }, order, data);
  if (!answer.ok || !documents.ok) {
    return refused(invalid(mergeErrors(answer.ok ? {} : answer.refusal, documents.ok ? {} : documents.refusal)));
  }
  const { details, pins } = answer.value;
  if (Object.keys(details).length + pins.size + documents.value.length === 0) {
    return refused(invalid({ $: ["Say what is to be changed, or send files."] }));
  }
  // The clearing house could not tell which of two answers is valid.
  if (order.requests.length > 0) {
    return refused(problem("conflict", "What was asked for before is still on its way: ask again in a moment."));
  }
  const answered = answerException(order, answer.value);
  if (!answered.ok) return answered;
  if (order.documents.length + documents.value.length > ORDER_DOCUMENTS_MAX) {
    return refused(invalid({ files: [`An order has ${ORDER_DOCUMENTS_MAX} documents at most.`] }));
  }
  await deps.portOrders.save(order, answered.value, now);
  if (pins.size > 0) await deps.portOrders.changePins(sid, pins);
  await deps.portDocuments.add(sid, documents.value, now);
  await deps.portOrders.noteRefusedRequest(sid, null);
  await deps.portOrders.addRequest(sid, "supplement", now);
  return findOwnOrder(deps.portOrders, accountSid, sid);
}

export function answerException(order: PortOrder, answer: PortAnswer): Result<PortOrder, Problem> {
  if (order.status !== "Exception") {
    return refused(problem("conflict", `The order is ${order.status}: there is no exception to answer.`));
  }
  return ok({ ...order, details: { ...order.details, ...answer.details } });
}
