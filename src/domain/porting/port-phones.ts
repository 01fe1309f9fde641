// What a port makes of the account's numbers. Decides only: `numbers` carries it out.

import type { PortedPhone } from "../numbers/index.ts";
import { type PortOrderNumber, reasonOfNumber } from "./port-order.ts";
import { sayReason } from "./port-reasons.ts";

export function phoneOf(number: PortOrderNumber): PortedPhone {
  const { status, voiceMovedOn, messagingMovedOn } = number;
  const reason = reasonOfNumber(number);
  return {
    number: number.number,
    features: [
      ...(messagingMovedOn === null ? [] : (["SMS", "MMS"] as const)),
      ...(voiceMovedOn === null ? [] : (["VOICE"] as const)),
    ],
    hasFailed: status === "Failed" || status === "Cancelled",
    reason: reason && sayReason(reason),
  };
}

/** Whether the account's number has to hear of it. */
export function hasChanged(before: PortOrderNumber, after: PortOrderNumber): boolean {
  const [told, tells] = [phoneOf(before), phoneOf(after)];
  return (
    told.hasFailed !== tells.hasFailed || told.reason !== tells.reason || told.features.length !== tells.features.length
  );
}
