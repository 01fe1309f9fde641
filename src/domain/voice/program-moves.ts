// Moves of a program that several instructions share.

import type { CallCommand, CallState, CallStep, TimerName } from "./call-state.ts";
import type { DocumentFacts } from "./program.ts";
import type { ScriptDocument } from "./script.ts";

/** Asks for the next document, which takes the place of what is left. */
export function ask(state: CallState, document: ScriptDocument, facts: DocumentFacts): CallStep {
  const asking = { ...state, phase: "Asking" as const, left: [], turn: state.turn + 1 };
  return timed(asking, [{ do: "fetch", document, facts, turn: asking.turn }]);
}

/** A call lasts from its first join, or from the first thing that its program does before that. */
export function timed(state: CallState, before: readonly CallCommand[], after: readonly CallCommand[] = []): CallStep {
  if (state.isTimed) return [state, [...before, ...after]];
  const duration: CallCommand = { do: "start", timer: "duration", ms: state.maxSeconds * 1000 };
  return [{ ...state, isTimed: true }, [...before, duration, ...after]];
}

export function startOf({ turn }: CallState, timer: TimerName, ms: number): CallCommand & { readonly do: "start" } {
  return { do: "start", timer, turn, ms };
}
