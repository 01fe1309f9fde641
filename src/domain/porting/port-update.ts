// Updates of a port order, from the clearing house or from the operator's hand, and what becomes of the order by it.
//
// Guarantees: updates may come twice, late and in any order; the order ends the same. Every fact is joined with the one known: the later
// change of an open port holds (by `sequence`, not by arrival), a half that moved stays moved, the first refusal gives the reason.

import {
  orderStatusOf,
  type PortOrder,
  type PortOrderNumber,
  type PortPhase,
  type PortRefusal,
  withStatus,
} from "./port-order.ts";
import type { PortReason } from "./port-reasons.ts";

export type PortChange =
  /** Taken up, or taken up again after an answer. */
  | { readonly kind: "submitted" }
  | { readonly kind: "exception"; readonly reason: PortReason }
  /** Firm order commitment: the losing carrier agrees to a date, or to another one. */
  | { readonly kind: "foc"; readonly on: Date }
  | { readonly kind: "voiceMoved" }
  | { readonly kind: "messagingMoved" }
  | { readonly kind: "rejected"; readonly reason: PortReason }
  | { readonly kind: "cancelled" };

export interface PortUpdate {
  readonly orderSid: string;
  /** Counts what is said of one order from 1, in the order in which it came about. */
  readonly sequence: number;
  readonly at: Date;
  /** E.164, or all numbers of the order. */
  readonly numbers: readonly string[] | "all";
  readonly change: PortChange;
}

export interface FoldedNews {
  readonly order: PortOrder;
  /** Numbers that the updates names and the order has not. */
  readonly strangers: readonly string[];
}

export function foldPortUpdate(order: PortOrder, updates: PortUpdate): FoldedNews {
  if (updates.orderSid !== order.sid) throw new Error(`updates of ${updates.orderSid} was given to ${order.sid}`);
  const named = updates.numbers === "all" ? undefined : new Set(updates.numbers);
  const numbers = order.numbers.map((number) => (named?.has(number.number) === false ? number : join(number, updates)));
  const folded = {
    ...order,
    numbers,
    status: orderStatusOf(numbers),
    sequence: Math.max(order.sequence, updates.sequence),
  };
  const known = new Set(order.numbers.map(({ number }) => number));
  return { order: folded, strangers: [...(named ?? [])].filter((number) => !known.has(number)) };
}

function join(number: PortOrderNumber, { sequence, at, change }: PortUpdate): PortOrderNumber {
  switch (change.kind) {
    case "submitted":
    case "exception":
    case "foc":
      return withStatus({ ...number, phase: laterPhase(number.phase, { ...change, sequence }) });
    case "voiceMoved":
      return withStatus({ ...number, voiceMovedOn: earlier(number.voiceMovedOn, at) });
    case "messagingMoved":
      return withStatus({ ...number, messagingMovedOn: earlier(number.messagingMovedOn, at) });
    case "rejected":
      return withStatus({ ...number, refusal: strongerRefusal(number.refusal, { ...change, sequence }) });
    case "cancelled": {
      const refusal = { kind: change.kind, sequence, reason: { code: "CANCELLED", detail: null } } as const;
      return withStatus({ ...number, refusal: strongerRefusal(number.refusal, refusal) });
    }
  }
}

function earlier(known: Date | null, told: Date): Date {
  return known === null || told < known ? told : known;
}

/** Two words of one sequence, should the house and the operator both speak, are put in order by what they say. */
function laterPhase(known: PortPhase, told: PortPhase): PortPhase {
  return compare(rankOfPhase(told), rankOfPhase(known)) > 0 ? told : known;
}

function rankOfPhase(phase: PortPhase): readonly (number | string)[] {
  const kind = ["submitted", "exception", "foc"].indexOf(phase.kind);
  const on = phase.kind === "foc" ? phase.on.getTime() : 0;
  return [phase.sequence, kind, on, ...(phase.kind === "exception" ? rankOfReason(phase.reason) : ["", ""])];
}

/** A rejection outweighs a cancellation; of two the first said holds. */
function strongerRefusal(known: PortRefusal | null, told: PortRefusal): PortRefusal {
  return known === null || compare(rankOfRefusal(told), rankOfRefusal(known)) < 0 ? told : known;
}

function rankOfRefusal({ kind, sequence, reason }: PortRefusal): readonly (number | string)[] {
  return [kind === "rejected" ? 0 : 1, sequence, ...rankOfReason(reason)];
}

function rankOfReason({ code, detail }: PortReason): readonly string[] {
  return [code, detail === null ? "" : `=${detail}`];
}

function compare(left: readonly (number | string)[], right: readonly (number | string)[]): number {
  for (const [at, value] of left.entries()) {
    const other = right[at] as number | string;
    if (value !== other) return value > other ? 1 : -1;
  }
  return 0;
}
