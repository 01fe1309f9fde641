// What a handset, or the network before it, does with a message, chosen by the number it goes to. North American numbers with the line
// 555-0100 … 555-0199 belong to nobody, so the magic ones lie there, under every area code; any number may be given a behaviour by hand.

import type { MessageState } from "../../wire/smpp/receipt.ts";
import { STATUS } from "../../wire/smpp/statuses.ts";

/** What a delivery receipt will say. The code is a MAP error's number (3GPP TS 29.002, 17.6) where there is one. */
export interface Fate {
  readonly state: MessageState;
  readonly errorCode: number;
}

export type Answer =
  | { readonly kind: "accept" }
  | { readonly kind: "acceptSlowly" }
  /** The receipt overtakes the answer. */
  | { readonly kind: "acceptAfterReceipt" }
  | { readonly kind: "refuse"; readonly status: number }
  /** Refused so many times, taken once, and so on. */
  | { readonly kind: "refuseAtFirst"; readonly status: number; readonly times: number }
  /** The connection is cut instead of an answer; the message may have been taken all the same. */
  | { readonly kind: "cut"; readonly isTaken: boolean }
  | { readonly kind: "keepSilent" };

export interface Conduct {
  readonly answer: Answer;
  /** Nothing when no receipt ever comes. */
  readonly fate: Fate | undefined;
  readonly receipts: number;
}

const ACCEPT: Answer = { kind: "accept" };
export const DELIVERED: Fate = { state: "delivered", errorCode: 0 };
export const FAILED: Fate = { state: "undeliverable", errorCode: 32 };
const delivered = (answer: Answer): Conduct => ({ answer, fate: DELIVERED, receipts: 1 });
const accepted = (fate: Fate): Conduct => ({ answer: ACCEPT, fate, receipts: 1 });

/** In the order of their lines: the first is 0100. docs/sandbox.md shows the same table. */
const CONDUCT = {
  delivered: delivered(ACCEPT),
  failed: accepted(FAILED),
  unreachable: accepted({ state: "undeliverable", errorCode: 27 }),
  noTextService: accepted({ state: "undeliverable", errorCode: 11 }),
  spam: accepted({ state: "rejected", errorCode: 70 }),
  expired: accepted({ state: "expired", errorCode: 0 }),
  silent: { answer: ACCEPT, fate: undefined, receipts: 0 },
  throttled: delivered({ kind: "refuseAtFirst", status: STATUS.ESME_RTHROTTLED, times: 3 }),
  slow: delivered({ kind: "acceptSlowly" }),
  rejected: delivered({ kind: "refuse", status: STATUS.ESME_RINVDSTADR }),
  cut: delivered({ kind: "cut", isTaken: false }),
  unanswered: delivered({ kind: "keepSilent" }),
  receiptFirst: delivered({ kind: "acceptAfterReceipt" }),
  receiptTwice: { answer: ACCEPT, fate: DELIVERED, receipts: 2 },
  takenAndCut: delivered({ kind: "cut", isTaken: true }),
  broken: delivered({ kind: "refuse", status: STATUS.ESME_RSYSERR }),
} as const satisfies Record<string, Conduct>;

export type Behaviour = keyof typeof CONDUCT;

export const BEHAVIOURS = Object.keys(CONDUCT) as readonly Behaviour[];

export function conductOf(behaviour: Behaviour): Conduct {
  return CONDUCT[behaviour];
}

const MAGIC_LINE = /^(?:\+1|1?)\d{3}55501(\d\d)$/;

/** The behaviour that a number has by itself. */
export function behaviourOf(number: string): Behaviour {
  const line = MAGIC_LINE.exec(number)?.[1];
  return (line && BEHAVIOURS[Number(line)]) || "delivered";
}
