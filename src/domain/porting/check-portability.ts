// Whether a number can be ported in, as far as known without asking its carrier, and which members its order needs.

import { needsCampaign } from "../numbers/index.ts";
import { whyHeld } from "./order-port.ts";
import type { NumberHolder } from "./ports.ts";

/** The result of a lookup. */
export interface LineFacts {
  readonly number: string;
  readonly type: "Unknown" | "Wireless" | "Landline" | "VoIP";
  readonly carrierName: string | null;
}

export interface Portability extends Omit<LineFacts, "number"> {
  readonly portable: boolean;
  /** Why not. */
  readonly reason: string | null;
  /** Members of an order that its carrier will compare with its records. */
  readonly needs: readonly string[];
}

const ALWAYS = ["accountNumber", "subscriber", "serviceAddress", "files"];
/**
 * 47 CFR 52.36 requires no more than number, account and ZIP code, and lets a carrier require the passcode that the
 * user has set.
 */
const BY_TYPE: Readonly<Record<LineFacts["type"], readonly string[]>> = {
  Wireless: [...ALWAYS, "phones.pin"],
  Landline: [...ALWAYS, "billingTelephoneNumber"],
  VoIP: [...ALWAYS, "phones.pin", "billingTelephoneNumber"],
  Unknown: [...ALWAYS, "phones.pin", "billingTelephoneNumber"],
};

export function portabilityOf(accountSid: string, line: LineFacts, holder: NumberHolder | undefined): Portability {
  const { type, carrierName } = line;
  const reason = holder ? whyHeld(accountSid, holder) : whyNot(line);
  return { portable: reason === null, reason, type, carrierName, needs: reason === null ? BY_TYPE[type] : [] };
}

function whyNot({ number, type, carrierName }: LineFacts): string | null {
  // Toll-free numbers are in no carrier's range, and can be ported nevertheless.
  const isTollFree = /^\+1\d{10}$/.test(number) && !needsCampaign(number);
  return type === "Unknown" && carrierName === null && !isTollFree
    ? "The number lies in no range that a carrier is known to have."
    : null;
}
