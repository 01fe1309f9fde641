// The instruction `Record`: a tone, then the first party is recorded until it is silent, presses a key, has spoken for
// long enough, or hangs up; then the action is asked or, after a hang-up, informed.
//
// Each is a recording of its own, with one segment. It ends with its instruction, so its file is made while the call
// goes on.

import { type CallCommand, type CallState, type CallStep, end, joinSteps, startOf, timed } from "./call-state.ts";
import type { RecordParty } from "./program.ts";
import { ask } from "./program-moves.ts";
import { endedProgramRecording, newRecording, type ProgramRecording, withNewSegment } from "./recording.ts";

/** What has ended a recording. */
type RecordEnd = { readonly by: "Silence" | "MaxLength" } | { readonly by: "Key"; readonly digit: string };

/** What a handler gets in place of a key when the call has ended. */
const HANGUP = "hangup";
/** The record of a call has them all. */
const RECORDINGS_MAX = 100;
/** The tone is much shorter. */
const BEEP_MS_MAX = 10_000;

export function beginRecord(state: CallState, record: RecordParty, at: Date): CallStep {
  if (state.call.programRecordings.length === RECORDINGS_MAX) {
    const details = { reason: `The program has recorded ${RECORDINGS_MAX} times, which is the most it may.` };
    return end(state, at, { reason: "ScriptInvalid", by: "Service", details });
  }
  const beeping: CallState = { ...state, phase: "Beeping" };
  if (!record.beeps) return startRecording(beeping, at);
  return timed(beeping, [{ do: "beep" }, startOf(state, "speech", BEEP_MS_MAX)]);
}

/** The tone is over. */
export function startRecording(state: CallState, at: Date): CallStep {
  const record = recordOf(state);
  if (!record) return [state, []];
  const { recordingSid, callback = null, finishKeys, silenceSeconds, maxSeconds } = record;
  const made: ProgramRecording = {
    ...withNewSegment(newRecording(recordingSid), at),
    source: "Record",
    callback,
  };
  const call = { ...state.call, programRecordings: [...state.call.programRecordings, made] };
  const recording: CallState = { ...state, call, phase: "Recording", turn: state.turn + 1 };
  const listening: readonly CallCommand[] = [
    ...(finishKeys === "" ? [] : [{ do: "listenForKeys", on: true } as const]),
    ...(silenceSeconds === 0 ? [] : [{ do: "listenForSilence", ms: silenceSeconds * 1000 } as const]),
  ];
  return timed(recording, [
    { do: "recordFirst", recordingSid },
    ...listening,
    startOf(recording, "recording", maxSeconds * 1000),
  ]);
}

export function finishRecord(state: CallState, over: RecordEnd): CallStep {
  const record = recordOf(state);
  if (!record || (over.by === "Key" && !record.finishKeys.includes(over.digit))) return [state, []];
  const digits = over.by === "Key" ? over.digit : "";
  const { recordingSid, action } = record;
  const noted: CallCommand = { do: "note", step: "recorded", details: { recordingSid, endedBy: over.by } };
  const [left, stopped] = leaveRecord(state);
  return joinSteps([...stopped, noted], ask(left, action, { kind: "recorded", recordingSid, digits }));
}

/** Ends the recording that is under way, if any. */
export function leaveRecord(state: CallState): CallStep {
  if (state.phase !== "Recording") return [state, []];
  const programRecordings = state.call.programRecordings.map(endedProgramRecording);
  return [{ ...state, call: { ...state.call, programRecordings } }, [{ do: "pauseRecording" }, ...deafness(state)]];
}

function deafness(state: CallState): readonly CallCommand[] {
  const { finishKeys = "", silenceSeconds = 0 } = recordOf(state) ?? {};
  return [
    ...(finishKeys === "" ? [] : [{ do: "listenForKeys", on: false } as const]),
    ...(silenceSeconds === 0 ? [] : [{ do: "listenForSilence", ms: undefined } as const]),
  ];
}

/** A call that has ended while it was being recorded informs the action, once the recording is closed. */
export function tellRecorded(before: CallState, [after, commands]: CallStep): CallStep {
  const record = before.phase === "Recording" && after.phase === "Ended" ? recordOf(before) : undefined;
  if (!record) return [after, commands];
  const { recordingSid, action: document } = record;
  const facts = { kind: "recorded", recordingSid, digits: HANGUP } as const;
  const noted: CallCommand = { do: "note", step: "recorded", details: { recordingSid, endedBy: "HangUp" } };
  return [after, [noted, ...commands, { do: "inform", document, facts }]];
}

function recordOf({ running }: CallState): RecordParty | undefined {
  return running?.kind === "record" ? running : undefined;
}
