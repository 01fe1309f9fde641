// What a handset or its network does with an MMS, chosen by the recipient's number. The magic numbers are those of the
// sandbox's SMSC, so that an account's tests need one table for SMS and MMS.

import type { MmStatus, RequestStatus } from "../../wire/mm4/messages.ts";

/** The content of the delivery report. */
export interface ReportedStatus {
  readonly status: MmStatus;
  readonly text: string;
}

export type Answer =
  | { readonly kind: "accept" }
  | { readonly kind: "acceptSlowly" }
  /** The report arrives before SMTP's answer. */
  | { readonly kind: "acceptAfterReport" }
  /** Accepted by SMTP, refused by MM4. */
  | { readonly kind: "respond"; readonly status: RequestStatus }
  | { readonly kind: "refuseRecipient" }
  /** Refuses `times` times, accepts once, and starts again. */
  | { readonly kind: "refuseAtFirst"; readonly times: number }
  /** Cuts the connection instead of answering, with or without accepting the message. */
  | { readonly kind: "cut"; readonly isTaken: boolean }
  | { readonly kind: "keepSilent" };

export interface Conduct {
  readonly answer: Answer;
  /** Undefined when no report is ever sent. */
  readonly reportedStatus: ReportedStatus | undefined;
  readonly reports: number;
}

const ACCEPT: Answer = { kind: "accept" };
const RETRIEVED: ReportedStatus = { status: "Retrieved", text: "" };
const retrieved = (answer: Answer): Conduct => ({ answer, reportedStatus: RETRIEVED, reports: 1 });
const reported = (status: MmStatus, text: string): Conduct => ({
  answer: ACCEPT,
  reportedStatus: { status, text },
  reports: 1,
});

/** In the order of their lines: the first is 0100. */
const CONDUCT = {
  delivered: retrieved(ACCEPT),
  failed: reported("Unrecognised", "delivery failure"),
  unreachable: reported("Unreachable", "handset unreachable"),
  noTextService: reported("Unrecognised", "handset takes no MMS"),
  spam: reported("Rejected", "blocked as spam"),
  expired: reported("Expired", ""),
  silent: { answer: ACCEPT, reportedStatus: undefined, reports: 0 },
  throttled: retrieved({ kind: "refuseAtFirst", times: 3 }),
  slow: retrieved({ kind: "acceptSlowly" }),
  rejected: retrieved({ kind: "refuseRecipient" }),
  cut: retrieved({ kind: "cut", isTaken: false }),
  unanswered: retrieved({ kind: "keepSilent" }),
  receiptFirst: retrieved({ kind: "acceptAfterReport" }),
  receiptTwice: { answer: ACCEPT, reportedStatus: RETRIEVED, reports: 2 },
  takenAndCut: retrieved({ kind: "cut", isTaken: true }),
  broken: { answer: { kind: "respond", status: "Error-network-problem" }, reportedStatus: undefined, reports: 0 },
} as const satisfies Record<string, Conduct>;

export type Behaviour = keyof typeof CONDUCT;

export const BEHAVIOURS = Object.keys(CONDUCT) as readonly Behaviour[];

export function conductOf(behaviour: Behaviour): Conduct {
  return CONDUCT[behaviour];
}

const MAGIC_LINE = /^\+?1?\d{3}55501(\d\d)$/;

/** The behaviour that a magic number stands for; any other number gets its messages. */
export function behaviourOf(number: string): Behaviour {
  const line = MAGIC_LINE.exec(number)?.[1];
  return (line && BEHAVIOURS[Number(line)]) || "delivered";
}
