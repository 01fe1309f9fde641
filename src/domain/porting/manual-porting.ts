// What the operator does when ports are handled by hand: the same updates a clearing house would send, after a look whether it fits.

import { ok, type Result, refused } from "../../base/result.ts";
import { type FieldErrors, invalid, type Problem, problem } from "../problems.ts";
import { isOpen, type PortOrder, type PortOrderNumber } from "./port-order.ts";
import type { PortReason } from "./port-reasons.ts";
import type { PortChange, PortUpdate } from "./port-update.ts";

export type OperatorAction =
  | { readonly kind: "foc"; readonly on: Date }
  /** Voice and messaging move apart where only one of them is named. */
  | { readonly kind: "complete"; readonly halves: readonly ("voice" | "messaging")[] }
  | { readonly kind: "reject"; readonly reason: PortReason }
  | { readonly kind: "exception"; readonly reason: PortReason };

/** To be folded one after the other. Doing twice what is done already makes updates that changes nothing. */
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

/** All that can take it; what is closed already stays as it is. */
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
  const faults = strangerFaults(order, numbers);
  if (Object.keys(faults).length > 0) return refused(invalid(faults));
  const unfit = order.numbers.find((number) => numbers.includes(number.number) && !fits(number, action));
  if (unfit) return refused(problem("conflict", `${unfit.number} is ${unfit.status}: it takes no ${action.kind}.`));
  return ok(numbers);
}

function strangerFaults(order: PortOrder, numbers: readonly string[]): FieldErrors {
  if (numbers.length === 0) return { numbers: ["At least one number is needed."] };
  const own = new Set(order.numbers.map(({ number }) => number));
  const strangers = numbers.flatMap((number, at) =>
    own.has(number) ? [] : [[`numbers[${at}]`, ["This is not a number of the order."]]],
  );
  return Object.fromEntries(strangers);
}

function fits(number: PortOrderNumber, action: OperatorAction): boolean {
  switch (action.kind) {
    case "complete":
      return isOpen(number) || number.status === "PartiallyCompleted" || number.status === "Completed";
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
