// Applies what the operator does when ports are handled by hand: the same updates that a clearing house would send,
// after a check that they fit the order.

import { ok, type Result, refused } from "../../base/result.ts";
import { type FieldErrors, invalid, type Problem, problem } from "../problems.ts";
import { type Applied, applyUpdates, type UpdateDeps } from "./apply-update.ts";
import { isOpen, type PortOrder, type PortOrderNumber } from "./port-order.ts";
import type { PortReason } from "./port-reasons.ts";
import type { PortChange, PortUpdate } from "./port-update.ts";

export type OperatorAction =
  | { readonly kind: "foc"; readonly on: Date }
  /** Voice and messaging may move separately. */
  | { readonly kind: "complete"; readonly halves: readonly ("voice" | "messaging")[] }
  | { readonly kind: "reject"; readonly reason: PortReason }
  | { readonly kind: "exception"; readonly reason: PortReason };

export interface ManualMove {
  readonly sid: string;
  readonly action: OperatorAction;
  readonly numbers: readonly string[] | "all";
}

export async function movePort(
  deps: UpdateDeps,
  { sid, action, numbers }: ManualMove,
  now: Date,
): Promise<Result<Applied, Problem>> {
  const owner = await deps.portOrders.find(sid);
  if (!owner) return refused(problem("not-found"));
  await deps.phones.lockAccount(owner.accountSid);
  const order = (await deps.portOrders.find(sid)) ?? owner;
  const updates = manualUpdates(order, action, numbers, now);
  return updates.ok ? ok(await applyUpdates(deps, order, updates.value, now)) : updates;
}

/** The updates of an action, to be folded in this order. Repeating an action makes updates that change nothing. */
export function manualUpdates(
  order: PortOrder,
  action: OperatorAction,
  numbers: readonly string[] | "all",
  now: Date,
): Result<readonly PortUpdate[], Problem> {
  const named = numbers === "all" ? fitting(order, action) : namedNumbers(order, action, numbers);
  if (!named.ok) return named;
  const updates = changesOf(action).map((change, at) => ({
    orderSid: order.sid,
    sequence: order.sequence + 1 + at,
    at: now,
    numbers: named.value,
    change,
  }));
  return ok(updates);
}

/** All numbers of the order that the action fits. */
function fitting(order: PortOrder, action: OperatorAction): Result<readonly string[], Problem> {
  const fit = order.numbers.filter((number) => fits(number, action)).map(({ number }) => number);
  return fit.length > 0
    ? ok(fit)
    : refused(problem("conflict", `The order is ${order.status}: no number takes ${action.kind}.`));
}

function namedNumbers(
  order: PortOrder,
  action: OperatorAction,
  numbers: readonly string[],
): Result<readonly string[], Problem> {
  const faults = unknownFaults(order, numbers);
  if (Object.keys(faults).length > 0) return refused(invalid(faults));
  const unfit = order.numbers.find((number) => numbers.includes(number.number) && !fits(number, action));
  if (unfit) return refused(problem("conflict", `${unfit.number} is ${unfit.status}: it takes no ${action.kind}.`));
  return ok(numbers);
}

function unknownFaults(order: PortOrder, numbers: readonly string[]): FieldErrors {
  if (numbers.length === 0) return { numbers: ["At least one number is needed."] };
  const own = new Set(order.numbers.map(({ number }) => number));
  const unknown = numbers.flatMap((number, at) =>
    own.has(number) ? [] : [[`numbers[${at}]`, ["This is not a number of the order."]]],
  );
  return Object.fromEntries(unknown);
}

function fits(number: PortOrderNumber, action: OperatorAction): boolean {
  switch (action.kind) {
    case "complete":
      // A closed port without messaging has removed its number from the account.
      return isOpen(number) || number.messagingMovedOn !== null;
    case "reject":
      return isOpen(number) || number.status === "Failed";
    case "foc":
    case "exception":
      return isOpen(number);
  }
}

function changesOf(action: OperatorAction): readonly PortChange[] {
  switch (action.kind) {
    case "complete":
      return action.halves.map((half) => ({ kind: half === "voice" ? "voiceMoved" : "messagingMoved" }));
    case "reject":
      return [{ kind: "rejected", reason: action.reason }];
    default:
      return [action];
  }
}
