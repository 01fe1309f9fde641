// Updates of a port order, from the clearing house or from the operator, and how they change the order.
//
// Guarantees: updates may arrive twice, late and in any order; the order ends the same. Every fact is merged with the
// known one: the later change of an open port wins (by `sequence`, not by arrival), a half that moved stays moved, the
// first refusal gives the reason.

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
  /** Accepted by the clearing house, at first or again after an answer. */
  | { readonly kind: "submitted" }
  | { readonly kind: "exception"; readonly reason: PortReason }
  /** Firm order commitment: the losing carrier agrees to a date, or changes it. */
  | { readonly kind: "foc"; readonly on: Date }
  | { readonly kind: "voiceMoved" }
  | { readonly kind: "messagingMoved" }
  | { readonly kind: "rejected"; readonly reason: PortReason }
  | { readonly kind: "cancelled" };

export interface PortUpdate {
  readonly orderSid: string;
  /** Numbers the updates of one order from 1, in the order in which they happened. */
  readonly sequence: number;
  readonly at: Date;
  /** E.164, or all numbers of the order. */
  readonly numbers: readonly string[] | "all";
  readonly change: PortChange;
}

export interface FoldedUpdate {
  readonly order: PortOrder;
  /** Numbers in the update that the order does not have. */
  readonly unknownNumbers: readonly string[];
}

export function foldPortUpdate(order: PortOrder, update: PortUpdate): FoldedUpdate {
  if (update.orderSid !== order.sid) throw new Error(`an update of ${update.orderSid} was given to ${order.sid}`);
  const named = update.numbers === "all" ? undefined : new Set(update.numbers);
  const numbers = order.numbers.map((number) => (named?.has(number.number) === false ? number : merge(number, update)));
  const folded = {
    ...order,
    numbers,
    status: orderStatusOf(numbers),
    sequence: Math.max(order.sequence, update.sequence),
  };
  const known = new Set(order.numbers.map(({ number }) => number));
  return { order: folded, unknownNumbers: [...(named ?? [])].filter((number) => !known.has(number)) };
}

function merge(number: PortOrderNumber, { sequence, at, change }: PortUpdate): PortOrderNumber {
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

function earlier(known: Date | null, added: Date): Date {
  return known === null || added < known ? added : known;
}

/**
 * Clearing house and operator may use the same sequence; then their contents decide, so that the order of arrival does
 * not matter.
 */
function laterPhase(known: PortPhase, added: PortPhase): PortPhase {
  return compare(rankOfPhase(added), rankOfPhase(known)) > 0 ? added : known;
}

function rankOfPhase(phase: PortPhase): readonly (number | string)[] {
  const kind = ["submitted", "exception", "foc"].indexOf(phase.kind);
  const on = phase.kind === "foc" ? phase.on.getTime() : 0;
  return [phase.sequence, kind, on, ...(phase.kind === "exception" ? rankOfReason(phase.reason) : ["", ""])];
}

/** A rejection outweighs a cancellation; of two alike the one with the lower sequence wins. */
function strongerRefusal(known: PortRefusal | null, added: PortRefusal): PortRefusal {
  return known === null || compare(rankOfRefusal(added), rankOfRefusal(known)) < 0 ? added : known;
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
