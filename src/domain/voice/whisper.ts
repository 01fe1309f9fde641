// What the party of a dial hears before it is connected: a program that is run for its leg alone. The first party hears
// ringing meanwhile. When the program is over the parties are connected; when it hangs up, the dial is over.

import type { LegName } from "./call.ts";
import type { CallState } from "./call-state.ts";
import type { Instruction } from "./program.ts";

/** The party for which the program is run. */
export function hearerOf({ whisper }: CallState): LegName {
  return whisper ? "Second" : "First";
}

/** For commands: nothing where it is the first party. */
export function toHearer({ whisper }: CallState): { readonly leg?: "Second" } {
  return whisper ? { leg: "Second" } : {};
}

/** The state of the dial, without the program that its party hears. */
export function leaveWhisper(state: CallState): CallState {
  const { whisper } = state;
  if (!whisper) return state;
  const { dial: running, left } = whisper;
  return { ...state, phase: "DiallingSecond", running, left, gathering: undefined, pressing: "", whisper: undefined };
}

const WHISPERED: ReadonlySet<Instruction["kind"]> = new Set([
  "say",
  "play",
  "pause",
  "press",
  "gather",
  "redirect",
  "hangUp",
]);

/** Why a party that is not connected cannot have this, if it cannot. */
export function whisperFault({ kind }: Instruction): string | undefined {
  return WHISPERED.has(kind)
    ? undefined
    : `Before a party is connected it can hear texts and sounds, and press keys; ${kind} comes too early.`;
}
