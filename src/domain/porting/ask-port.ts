// What an account asks of its order, and what the operator does by hand. A wish is kept in the caller's transaction and carried to the
// clearing house afterwards: the order moves when that has answered.

import { ok, type Result, refused } from "../../base/result.ts";
import { type FieldErrors, invalid, mergeErrors, type Problem, problem } from "../problems.ts";
import { answerException } from "./answer-exception.ts";
import { type Applied, applyUpdates, type UpdateDeps } from "./apply-update.ts";
import { cancellableNumbers } from "./cancel-port.ts";
import { type CheckDeps, checkPortAnswer } from "./check-order.ts";
import { manualUpdates, type OperatorAction } from "./manual-porting.ts";
import type { OrderDeps } from "./order-port.ts";
import type { NewDocument, StoredPortOrder } from "./ports.ts";

/** As many as a clearing house takes with one order, and fewer than it would mind. */
const ORDER_DOCUMENTS_MAX = 20;

/** Asking twice is asking once. */
export async function cancelPort(
  deps: UpdateDeps,
  accountSid: string,
  sid: string,
  now: Date,
): Promise<Result<StoredPortOrder, Problem>> {
  await deps.phones.lockAccount(accountSid);
  const order = await ownOrder(deps, accountSid, sid);
  if (!order.ok || order.value.requests.some(({ kind }) => kind === "cancel")) return order;
  const numbers = cancellableNumbers(order.value);
  if (!numbers.ok) return numbers;
  await deps.portOrders.noteRefusedRequest(sid, null);
  await deps.portOrders.addRequest(sid, "cancel", now);
  return ownOrder(deps, accountSid, sid);
}

export interface PortAnswerOrder {
  readonly accountSid: string;
  readonly sid: string;
  readonly data: Parameters<typeof checkPortAnswer>[2];
  readonly documents: Result<readonly NewDocument[], FieldErrors>;
}

export async function answerPort(
  deps: OrderDeps & Pick<CheckDeps, "readNumber">,
  { accountSid, sid, data, documents }: PortAnswerOrder,
  now: Date,
): Promise<Result<StoredPortOrder, Problem>> {
  await deps.phones.lockAccount(accountSid);
  const found = await ownOrder(deps, accountSid, sid);
  if (!found.ok) return found;
  const order = found.value;
  const answer = checkPortAnswer({ readNumber: deps.readNumber, now }, order, data);
  if (!answer.ok || !documents.ok) {
    return refused(invalid(mergeErrors(answer.ok ? {} : answer.refusal, documents.ok ? {} : documents.refusal)));
  }
  const { details, pins } = answer.value;
  if (Object.keys(details).length + pins.size + documents.value.length === 0) {
    return refused(invalid({ $: ["Say what is to be changed, or send files."] }));
  }
  // Whoever gets the order next would not know which of two answers is meant.
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
  return ownOrder(deps, accountSid, sid);
}

export interface HandOrder {
  readonly sid: string;
  readonly action: OperatorAction;
  readonly numbers: readonly string[] | "all";
}

/** The operator's change, as if a clearing house had said it. */
export async function movePort(
  deps: UpdateDeps,
  { sid, action, numbers }: HandOrder,
  now: Date,
): Promise<Result<Applied, Problem>> {
  const owner = await deps.portOrders.find(sid);
  if (!owner) return refused(problem("not-found"));
  await deps.phones.lockAccount(owner.accountSid);
  const order = (await deps.portOrders.find(sid)) ?? owner;
  const updates = manualUpdates(order, action, numbers, now);
  return updates.ok ? ok(await applyUpdates(deps, order, updates.value, now)) : updates;
}

/** Another account's order is none. */
async function ownOrder(
  { portOrders }: Pick<UpdateDeps, "portOrders">,
  accountSid: string,
  sid: string,
): Promise<Result<StoredPortOrder, Problem>> {
  const order = await portOrders.find(sid);
  return order?.accountSid === accountSid ? ok(order) : refused(problem("not-found"));
}
