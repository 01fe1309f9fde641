// The instruction `Dial` with a `Conference`: the first party is in a conference until it leaves, is removed, or the
// conference ends; then the action is asked, or the next instruction follows.

import {
  type CallCommand,
  type CallInput,
  type CallState,
  type CallStep,
  joinSteps,
  startOf,
  timed,
} from "./call-state.ts";
import type { LeaveReason } from "./conference.ts";
import type { Confer } from "./program.ts";
import { ask } from "./program-moves.ts";

export function beginConference(state: CallState, { conference, endsOnStar, maxSeconds }: Confer): CallStep {
  const listening: readonly CallCommand[] = endsOnStar ? [{ do: "listenForKeys", on: true }] : [];
  const talk = maxSeconds === undefined ? [] : [startOf(state, "talk", maxSeconds * 1000)];
  const entering: CallCommand = { do: "enterConference", order: conference, turn: state.turn };
  return timed({ ...state, phase: "Conferring", conferenceSid: null }, [...listening, entering], talk);
}

/** The party is in the conference: the call is connected. */
export function takeEntered(
  state: CallState,
  { turn, conferenceSid }: CallInput & { kind: "conferenceEntered" },
  at: Date,
): CallStep {
  if (state.phase !== "Conferring" || turn !== state.turn) return [state, []];
  const answeredOn = state.call.answeredOn ?? at;
  const call = { ...state.call, status: "Answered" as const, answeredOn };
  return [{ ...state, call, conferenceSid }, [{ do: "note", step: "conference", details: { entered: conferenceSid } }]];
}

/** What the party leaves, where it is in a conference. */
export function leavingConference({ phase, running }: CallState, reason: LeaveReason): readonly CallCommand[] {
  if (phase !== "Conferring") return [];
  const isListening = running?.kind === "confer" && running.endsOnStar;
  return [{ do: "leaveConference", reason }, ...(isListening ? [{ do: "listenForKeys", on: false } as const] : [])];
}

/** Where the call goes on when the party is in the conference no longer; undefined: with the next instruction. */
export function afterConference(
  state: CallState,
  { conferenceSid, fault }: { readonly conferenceSid: string | null; readonly fault: string | null },
  next: (state: CallState) => CallStep,
): CallStep {
  const { running } = state;
  if (running?.kind !== "confer") return [state, []];
  const facts = { kind: "conferred", conferenceSid, fault } as const;
  const details = { left: conferenceSid, ...(fault !== null && { reason: fault }) };
  const noted: CallCommand = { do: "note", step: "conference", details };
  return joinSteps(
    [...leavingConference(state, "Left"), noted],
    running.action ? ask(state, running.action, facts) : next(state),
  );
}
