// The numbers that tell why a message was refused or did not arrive. Those of refusals are in the order in which they are looked at:
// when several apply, the first gives the request its code.

import type { ProblemCode } from "../problems.ts";

export interface SendFault {
  readonly code: RefusalCode;
  readonly field: string;
  readonly message: string;
}

/** In order. */
export const REFUSALS = [
  { code: 1, problem: "sender-invalid", title: "The sender is not a phone number." },
  { code: 2, problem: "sender-not-yours", title: "The sender is not a number of this account." },
  { code: 3, problem: "sender-without-config", title: "The sender has no MessagingConfig." },
  { code: 4, problem: "sender-not-active", title: "The sender is not active yet." },
  { code: 5, problem: "sender-changing-campaign", title: "The sender is changing its campaign." },
  { code: 3015, problem: "campaign-suspended", title: "The sender's campaign is suspended." },
  { code: 3016, problem: "campaign-not-approved", title: "The sender's campaign is not approved." },
  { code: 3017, problem: "campaign-expired", title: "The sender's campaign has expired." },
  { code: 1001, problem: "recipient-invalid", title: "The recipient is not a phone number." },
  { code: 1002, problem: "recipient-opted-out", title: "The recipient has opted out." },
  { code: 1005, problem: "country-not-allowed", title: "The recipient's country is not allowed." },
  { code: 2001, problem: "text-empty", title: "There is neither text nor media." },
  { code: 2002, problem: "text-too-long", title: "The text is too long." },
  { code: 2003, problem: "callback-url-refused", title: "The callback URL is too long or cannot be used." },
  { code: 2004, problem: "expiry-in-the-past", title: "The message would expire before it is sent." },
  { code: 2005, problem: "bad-date", title: "A date cannot be read or lies too far ahead." },
  { code: 2006, problem: "bad-media", title: "The media cannot be sent." },
  { code: 3007, problem: "bad-priority", title: "There is no such priority." },
  { code: 3005, problem: "queue-full", title: "The account's queue is full." },
  { code: 3019, problem: "account-suspended", title: "The account is suspended." },
  { code: 2_147_483_647, problem: "validation", title: "One or more validation errors occurred." },
] as const satisfies readonly { code: number; problem: ProblemCode; title: string }[];

export type RefusalCode = (typeof REFUSALS)[number]["code"];

/** What may become of a message that was accepted. */
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

/** The fault whose code the whole refusal carries. */
export function firstOf(faults: readonly SendFault[]): (typeof REFUSALS)[number] {
  const places = faults.map(({ code }) => ORDER.get(code) ?? REFUSALS.length - 1);
  return REFUSALS[Math.min(...places)] as (typeof REFUSALS)[number];
}
