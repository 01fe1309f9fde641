// What a handset, or the network before it, does with an MMS, chosen by the number it goes to. The magic numbers are those of the sandbox's
// SMSC, line by line, so that an account's tests need one table for texts and for MMS.

import type { MmStatus, RequestStatus } from "../../wire/mm4/messages.ts";

/** What a delivery report will say. */
export interface Fate {
  readonly status: MmStatus;
  readonly text: string;
}

export type Answer =
  | { readonly kind: "accept" }
  | { readonly kind: "acceptSlowly" }
  /** The report overtakes SMTP's answer. */
  | { readonly kind: "acceptAfterReport" }
  /** Taken by SMTP, refused by MM4. */
  | { readonly kind: "respond"; readonly status: RequestStatus }
  | { readonly kind: "refuseRecipient" }
  /** Refused so many times, taken once, and so on. */
  | { readonly kind: "refuseAtFirst"; readonly times: number }
  /** The connection is cut instead of an answer; the message may have been taken all the same. */
  | { readonly kind: "cut"; readonly isTaken: boolean }
  | { readonly kind: "keepSilent" };

export interface Conduct {
  readonly answer: Answer;
  /** Nothing when no report ever comes. */
  readonly fate: Fate | undefined;
  readonly reports: number;
}

const ACCEPT: Answer = { kind: "accept" };
const RETRIEVED: Fate = { status: "Retrieved", text: "" };
const retrieved = (answer: Answer): Conduct => ({ answer, fate: RETRIEVED, reports: 1 });
const reported = (status: MmStatus, text: string): Conduct => ({ answer: ACCEPT, fate: { status, text }, reports: 1 });

/** In the order of their lines: the first is 0100. */
const CONDUCT = {
  delivered: retrieved(ACCEPT),
  failed: reported("Unrecognised", "delivery failure"),
  unreachable: reported("Unreachable", "handset unreachable"),
  noTextService: reported("Unrecognised", "handset takes no MMS"),
  spam: reported("Rejected", "blocked as spam"),
  expired: reported("Expired", ""),
  silent: { answer: ACCEPT, fate: undefined, reports: 0 },
  throttled: retrieved({ kind: "refuseAtFirst", times: 3 }),
  slow: retrieved({ kind: "acceptSlowly" }),
  rejected: retrieved({ kind: "refuseRecipient" }),
  cut: retrieved({ kind: "cut", isTaken: false }),
  unanswered: retrieved({ kind: "keepSilent" }),
  receiptFirst: retrieved({ kind: "acceptAfterReport" }),
  receiptTwice: { answer: ACCEPT, fate: RETRIEVED, reports: 2 },
  takenAndCut: retrieved({ kind: "cut", isTaken: true }),
  broken: { answer: { kind: "respond", status: "Error-network-problem" }, fate: undefined, reports: 0 },
} as const satisfies Record<string, Conduct>;

export type Behaviour = keyof typeof CONDUCT;

export const BEHAVIOURS = Object.keys(CONDUCT) as readonly Behaviour[];

export function conductOf(behaviour: Behaviour): Conduct {
  return CONDUCT[behaviour];
}

const MAGIC_LINE = /^\+?1?\d{3}55501(\d\d)$/;

/** The behaviour that a number has by itself. */
export function behaviourOf(number: string): Behaviour {
  const line = MAGIC_LINE.exec(number)?.[1];
  return (line && BEHAVIOURS[Number(line)]) || "delivered";
}
