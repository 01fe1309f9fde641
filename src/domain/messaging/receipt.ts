// Reads a carrier's receipt: whether the message was delivered, and if not, why.

import { FAILURES, type Failure } from "./error-codes.ts";

export interface CarrierReceipt {
  readonly carrier: string;
  /** The carrier's id of the message, or of one part of it. */
  readonly carrierId: string;
  readonly state: "enroute" | "delivered" | "failed" | "expired" | "rejected" | "unknown";
  /** The carrier's own code, as it wrote it. */
  readonly errorCode: string | null;
  readonly receivedOn: Date;
  /** What else it contains about the message; absent where the protocol carries no more. */
  readonly about?: {
    /** The message's sender and recipient, as the carrier writes them. */
    readonly from: string;
    readonly to: string;
    /** Our own reference of the message (`referenceOf`); null when the carrier does not return it. */
    readonly reference: number | null;
  };
}

/** A message's reference of 16 bits: the last, random digits of its sid, so that it need not be stored. */
export function referenceOf(sid: string): number {
  return Number.parseInt(sid.slice(-4), 16) & 0xffff;
}

export type Verdict =
  /** Not final. */
  | { readonly kind: "underWay" }
  | { readonly kind: "delivered" }
  | { readonly kind: "failed"; readonly failure: Failure; readonly reason: string };

// GSM 03.40 and common practice of carriers: the usual meaning of the number after `err:`, without leading zeros. An
// MMS centre sends a word instead.
const UNREACHABLE = new Set(["1", "2", "6", "9", "27", "Unreachable"]);
const NO_TEXT_SERVICE = new Set(["11", "13", "21", "770"]);
const SPAM = new Set(["70", "300", "407", "409", "490", "497", "650", "750", "775", "777"]);
const NO_CODE = "0";

export function verdictOf({ state, errorCode }: Pick<CarrierReceipt, "state" | "errorCode">): Verdict {
  const said = errorCode === null ? "" : ` (the carrier's code ${errorCode})`;
  const code = errorCode?.replace(/^0+(?=\d)/, "") ?? NO_CODE;
  switch (state) {
    case "enroute":
      return { kind: "underWay" };
    case "delivered":
      return { kind: "delivered" };
    case "failed":
      return { kind: "failed", failure: failureOf(code), reason: `The carrier could not deliver it${said}` };
    case "expired":
      return { kind: "failed", failure: FAILURES.unreachable, reason: `The carrier gave up in time${said}` };
    case "rejected":
      return {
        kind: "failed",
        failure: code === NO_CODE || SPAM.has(code) ? FAILURES.spam : FAILURES.rejected,
        reason: `The carrier refused to deliver it${said}`,
      };
    case "unknown":
      return {
        kind: "failed",
        failure: FAILURES.unknown,
        reason: `The carrier does not know what became of it${said}`,
      };
    default:
      return state satisfies never;
  }
}

function failureOf(code: string): Failure {
  if (UNREACHABLE.has(code)) return FAILURES.unreachable;
  if (NO_TEXT_SERVICE.has(code)) return FAILURES.noTextService;
  if (SPAM.has(code)) return FAILURES.spam;
  return FAILURES.notDelivered;
}

/** Our id for one recipient of a group message: the carrier has one id for all, and sends a receipt for each. */
export function groupMemberId(carrierId: string, index: number): string {
  return `${carrierId} ${index + 1}`;
}
