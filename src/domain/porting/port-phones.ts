// Decides what a port changes in the account's numbers; `domain/numbers` applies it. Pure.

import type { PortedPhone } from "../numbers/index.ts";
import { isOpen, type PortOrderNumber, reasonOfNumber } from "./port-order.ts";
import { reasonText } from "./port-reasons.ts";

export function phoneOf(number: PortOrderNumber): PortedPhone {
  const { voiceMovedOn, messagingMovedOn } = number;
  const reason = reasonOfNumber(number);
  return {
    number: number.number,
    features: [
      ...(messagingMovedOn === null ? [] : (["SMS", "MMS"] as const)),
      ...(voiceMovedOn === null ? [] : (["VOICE"] as const)),
    ],
    // A number whose voice has moved but whose messaging was refused cannot serve: it has failed like the others.
    hasFailed: !isOpen(number) && messagingMovedOn === null,
    reason: reason && reasonText(reason),
  };
}

/** Whether the account's number must be updated. */
export function hasChanged(before: PortOrderNumber, after: PortOrderNumber): boolean {
  const [old, now] = [phoneOf(before), phoneOf(after)];
  return old.hasFailed !== now.hasFailed || old.reason !== now.reason || old.features.length !== now.features.length;
}
