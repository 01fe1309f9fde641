// What the bridge of a call decides: the leg that brings it to the node that has its conference. A pure machine,
// (phase, input) → [phase, commands]; `live-bridge.ts` carries the commands out.
//
//   Inviting → In → Over
//
// Guarantees, for any inputs in any order: the call enters once at most; it is released once, unless it left by itself
// or the conference is gone; whatever ends the bridge, its leg is hung up and its media closed, once.

import type { LeaveReason } from "./conference.ts";

export type BridgePhase = "Inviting" | "In" | "Over";

export type BridgeInput =
  /** No node has the conference any more. */
  | { readonly kind: "gone" }
  /** It does not get as far as an INVITE, for this reason. */
  | { readonly kind: "failed"; readonly fault: string }
  /** The other node has let it in; `fault`: no audio was agreed on. */
  | { readonly kind: "answered"; readonly fault: string | null }
  | { readonly kind: "refused"; readonly sipCode: number }
  /** The other node has not answered in time. */
  | { readonly kind: "late" }
  /** By the other node. */
  | { readonly kind: "ended" }
  /** The record of the conference says that it is over, or nothing is heard from the other node any more. */
  | { readonly kind: "lost" }
  /** The call leaves. */
  | { readonly kind: "leave"; readonly reason: LeaveReason };

export type BridgeCommand =
  | { readonly do: "join" }
  /** With a reason the call has left, and the other node learns why. */
  | { readonly do: "close"; readonly reason?: LeaveReason }
  /** The call is in the conference no longer; with a fault it has not entered. */
  | { readonly do: "release"; readonly fault: string | null }
  /** The conference may be opened here. */
  | { readonly do: "openHere" };

export type BridgeStep = readonly [BridgePhase, readonly BridgeCommand[]];

const NO_ANSWER = "The node that has the conference did not answer.";
const GONE_WHILE_ENTERING = "The conference has ended, or its node was lost, while the call was being brought there.";

/** What an owner answers to a ticket that it does not know, or of a conference that it does not have any more. */
export const NO_SUCH_CONFERENCE = 404;
export const CONFERENCE_FULL = 486;

export function stepBridge(phase: BridgePhase, input: BridgeInput): BridgeStep {
  if (phase === "Over") return [phase, []];
  return phase === "Inviting" ? inviting(input) : inside(input);
}

function inviting(input: BridgeInput): BridgeStep {
  switch (input.kind) {
    case "gone":
      return over({ do: "openHere" });
    case "failed":
      return over({ do: "release", fault: input.fault });
    case "answered":
      return input.fault === null ? ["In", [{ do: "join" }]] : over({ do: "release", fault: input.fault });
    case "refused":
      if (input.sipCode === NO_SUCH_CONFERENCE) return over({ do: "openHere" });
      return over({ do: "release", fault: faultOf(input.sipCode) });
    case "late":
      return over({ do: "release", fault: NO_ANSWER });
    case "ended":
    case "lost":
      return over({ do: "release", fault: GONE_WHILE_ENTERING });
    case "leave":
      return left(input.reason);
    default:
      return input satisfies never;
  }
}

function inside(input: BridgeInput): BridgeStep {
  const { kind } = input;
  if (kind === "leave") return left(input.reason);
  if (kind === "ended" || kind === "lost") return over({ do: "release", fault: null });
  return ["In", []];
}

function left(reason: LeaveReason): BridgeStep {
  return ["Over", [{ do: "close", reason }]];
}

function over(...then: readonly BridgeCommand[]): BridgeStep {
  return ["Over", [{ do: "close" }, ...then]];
}

function faultOf(sipCode: number): string {
  if (sipCode === CONFERENCE_FULL) return "The conference has as many participants as it may.";
  if (sipCode === 408) return NO_ANSWER;
  return `The node that has the conference did not take the call: it answered ${sipCode}.`;
}
