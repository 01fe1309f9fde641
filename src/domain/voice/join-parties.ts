// Connects the parties of a dial when both have answered, and records them where that is asked for.

import type { CallCommand, CallState, CallStep } from "./call-state.ts";
import { isWaiting, joinSteps, startOf, timed } from "./call-state.ts";
import type { Dial } from "./program.ts";
import { withNewSegment } from "./recording.ts";

/** The dial that is under way. */
export function dialOf({ running, whisper }: CallState): Dial | undefined {
  return whisper?.dial ?? (running?.kind === "dial" ? running : undefined);
}

/** The second party is ready; the first may have to be answered before. */
export function meet(state: CallState, at: Date): CallStep {
  return isWaiting(state) ? bridge(state) : connect(state, at);
}

/** Both parties have answered. */
export function connect(state: CallState, at: Date): CallStep {
  const [joined, commands] = join(state, at);
  return joinSteps(commands, record(joined, at));
}

function join(state: CallState, at: Date): CallStep {
  const call = { ...state.call, status: "Answered" as const, answeredOn: state.call.answeredOn ?? at };
  const joined = { ...state, call, phase: "Joined" as const };
  const { maxSeconds } = dialOf(state) ?? {};
  const talk = maxSeconds === undefined ? [] : [startOf(state, "talk", maxSeconds * 1000)];
  return timed(joined, [{ do: "join" }], talk);
}

/** The second party has answered before the caller was. */
function bridge(state: CallState): CallStep {
  const answering: readonly CallCommand[] = state.isAnswering ? [] : [{ do: "answer" }];
  return [{ ...state, phase: "Bridging", isAnswering: true }, answering];
}

/** Begins a segment where the legs are joined, recorded, and the recording is not paused. */
export function record(state: CallState, at: Date): CallStep {
  const { recording } = state.call;
  const isRecorded = dialOf(state)?.record ?? state.isRecordedByDefault;
  if (state.phase !== "Joined" || !isRecorded || recording?.status !== "Recording") return [state, []];
  const begun = withNewSegment(recording, at);
  const call = { ...state.call, recording: begun };
  return [{ ...state, call }, [{ do: "record", index: begun.segments.length }]];
}
