// What a handset or its network does with a message, chosen by the recipient's number. North American numbers with the
// line 555-0100 … 555-0199 are never assigned, so the magic numbers lie there, in every area code. A test may set the
// behaviour of any number.

import type { MessageState } from "../../wire/smpp/receipt.ts";
import { STATUS } from "../../wire/smpp/statuses.ts";

/** The content of the delivery receipt. The code is a MAP error's number (3GPP TS 29.002, 17.6) where there is one. */
export interface FinalState {
  readonly state: MessageState;
  readonly errorCode: number;
}

export type Answer =
  | { readonly kind: "accept" }
  | { readonly kind: "acceptSlowly" }
  /** The receipt arrives before the answer. */
  | { readonly kind: "acceptAfterReceipt" }
  | { readonly kind: "refuse"; readonly status: number }
  /** Refuses `times` times, accepts once, and starts again. */
  | { readonly kind: "refuseAtFirst"; readonly status: number; readonly times: number }
  /** Cuts the connection instead of answering, with or without accepting the message. */
  | { readonly kind: "cut"; readonly isTaken: boolean }
  | { readonly kind: "keepSilent" };

export interface Conduct {
  readonly answer: Answer;
  /** Undefined when no receipt is ever sent. */
  readonly finalState: FinalState | undefined;
  readonly receipts: number;
}

const ACCEPT: Answer = { kind: "accept" };
export const DELIVERED: FinalState = { state: "delivered", errorCode: 0 };
export const FAILED: FinalState = { state: "undeliverable", errorCode: 32 };
const delivered = (answer: Answer): Conduct => ({ answer, finalState: DELIVERED, receipts: 1 });
const accepted = (finalState: FinalState): Conduct => ({ answer: ACCEPT, finalState, receipts: 1 });

/** In the order of their lines: the first is 0100. docs/sandbox.md shows the same table. */
const CONDUCT = {
  delivered: delivered(ACCEPT),
  failed: accepted(FAILED),
  unreachable: accepted({ state: "undeliverable", errorCode: 27 }),
  noTextService: accepted({ state: "undeliverable", errorCode: 11 }),
  spam: accepted({ state: "rejected", errorCode: 70 }),
  expired: accepted({ state: "expired", errorCode: 0 }),
  silent: { answer: ACCEPT, finalState: undefined, receipts: 0 },
  throttled: delivered({ kind: "refuseAtFirst", status: STATUS.ESME_RTHROTTLED, times: 3 }),
  slow: delivered({ kind: "acceptSlowly" }),
  rejected: delivered({ kind: "refuse", status: STATUS.ESME_RINVDSTADR }),
  cut: delivered({ kind: "cut", isTaken: false }),
  unanswered: delivered({ kind: "keepSilent" }),
  receiptFirst: delivered({ kind: "acceptAfterReceipt" }),
  receiptTwice: { answer: ACCEPT, finalState: DELIVERED, receipts: 2 },
  takenAndCut: delivered({ kind: "cut", isTaken: true }),
  broken: delivered({ kind: "refuse", status: STATUS.ESME_RSYSERR }),
} as const satisfies Record<string, Conduct>;

export type Behaviour = keyof typeof CONDUCT;

export const BEHAVIOURS = Object.keys(CONDUCT) as readonly Behaviour[];

export function conductOf(behaviour: Behaviour): Conduct {
  return CONDUCT[behaviour];
}

const MAGIC_LINE = /^(?:\+1|1?)\d{3}55501(\d\d)$/;

/** The behaviour that a magic number stands for; any other number gets its messages. */
export function behaviourOf(number: string): Behaviour {
  const line = MAGIC_LINE.exec(number)?.[1];
  return (line && BEHAVIOURS[Number(line)]) || "delivered";
}
