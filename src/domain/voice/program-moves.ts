// Asking for the next document of a program, which several instructions do.

import { legOf } from "./call.ts";
import { type CallState, type CallStep, timed } from "./call-state.ts";
import type { DocumentFacts } from "./program.ts";
import type { ScriptDocument } from "./script.ts";

/** Asks for the next document, which takes the place of what is left. */
export function ask(state: CallState, document: ScriptDocument, facts: DocumentFacts): CallStep {
  const asking = { ...state, phase: "Asking" as const, left: [], turn: state.turn + 1 };
  const legSid = state.whisper && legOf(state.call, "Second")?.sid;
  return timed(asking, [{ do: "fetch", document, facts, turn: asking.turn, ...(legSid !== undefined && { legSid }) }]);
}
