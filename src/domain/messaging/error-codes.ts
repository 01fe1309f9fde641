// The error codes of messages that were refused or did not arrive. When several faults of a request apply, the first in
// the order of `REFUSALS` gives the request its code.

import type { ProblemCode } from "../problems.ts";

export interface SendFault {
  readonly code: RefusalCode;
  readonly field: string;
  readonly message: string;
}

export const REFUSALS = [
  { code: 1, problem: "sender-invalid" },
  { code: 2, problem: "sender-not-yours" },
  { code: 3, problem: "sender-without-config" },
  { code: 4, problem: "sender-not-active" },
  { code: 5, problem: "sender-changing-campaign" },
  { code: 6, problem: "sender-lacks-feature" },
  { code: 3015, problem: "campaign-suspended" },
  { code: 3016, problem: "campaign-not-approved" },
  { code: 3017, problem: "campaign-expired" },
  { code: 1001, problem: "recipient-invalid" },
  { code: 1002, problem: "recipient-opted-out" },
  { code: 1005, problem: "country-not-allowed" },
  { code: 2001, problem: "text-empty" },
  { code: 2002, problem: "text-too-long" },
  { code: 2003, problem: "callback-url-refused" },
  { code: 2004, problem: "expiry-in-the-past" },
  { code: 2005, problem: "bad-date" },
  { code: 2006, problem: "bad-media" },
  { code: 3007, problem: "bad-priority" },
  { code: 3005, problem: "queue-full" },
  { code: 3019, problem: "account-suspended" },
  { code: 2_147_483_647, problem: "validation" },
] as const satisfies readonly { code: number; problem: ProblemCode }[];

export type RefusalCode = (typeof REFUSALS)[number]["code"];

/** Why an accepted message did not arrive. */
export const FAILURES = {
  unreachable: { code: 1003, description: "The recipient cannot be reached." },
  noTextService: { code: 1004, description: "The recipient does not take text messages." },
  spam: { code: 3002, description: "The message was blocked as spam." },
  rejected: { code: 3003, description: "The carrier rejected the message." },
  notDelivered: { code: 3004, description: "The carrier could not deliver the message." },
  submitFailed: { code: 3006, description: "The message could not be handed to the carrier." },
  network: { code: 3011, description: "The carrier's network failed." },
  badMedia: { code: 2006, description: "The media could not be fetched or sent." },
  unknownOutcome: { code: 3100, description: "The carrier's answer was lost: the message may have arrived." },
  unknown: { code: 2_147_483_647, description: "The carrier gave no reason." },
} as const;

export type Failure = (typeof FAILURES)[keyof typeof FAILURES];

const ORDER = new Map<number, number>(REFUSALS.map(({ code }, place) => [code, place]));

/** The refusal whose code the whole request gets. */
export function firstRefusal(faults: readonly SendFault[]): (typeof REFUSALS)[number] {
  const places = faults.map(({ code }) => ORDER.get(code) ?? REFUSALS.length - 1);
  return REFUSALS[Math.min(...places)] as (typeof REFUSALS)[number];
}
