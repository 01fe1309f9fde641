// Runs the program of a call: begins one instruction when the one before is over, and ends the call after the last.
//
// Guarantees: every program ends, because a call begins a bounded number of instructions, each of which has a time
// limit, and the whole has one as well; nothing is played to a party that is gone; where the program goes on after a
// second leg, the Completed of that leg is emitted before anything else happens.

import { legOf } from "./call.ts";
import {
  answer,
  type CallCommand,
  type CallState,
  type CallStep,
  type Ending,
  end,
  isUnanswered,
  joinSteps,
  markOf,
  newLeg,
  type TimerName,
  withLeg,
} from "./call-state.ts";
import {
  type Dial,
  type HangUp,
  INSTRUCTIONS_MAX,
  type Instruction,
  type Program,
  shownInstruction,
} from "./program.ts";
import { newRecording } from "./recording.ts";

/** The program that a call is to run, which is not begun yet. */
export function withProgram(state: CallState, program: Program): CallState {
  const isRecorded = program.some(
    (one) => one.kind === "dial" && !one.isForbidden && (one.record ?? state.isRecordedByDefault),
  );
  const recording = state.call.recording ?? (isRecorded ? newRecording(state.recordingSid) : null);
  const isNarrated = program.filter(({ kind }) => kind !== "hangUp").length > 1;
  return { ...state, call: { ...state.call, recording }, left: program, isNarrated };
}

/** Begins the next instruction. */
export function runNext(state: CallState, at: Date): CallStep {
  const [next, ...left] = state.left;
  if (!next) return end(state, at, DONE);
  if (isUnanswered(state) && needsAnswer(next)) return [{ ...state, phase: "Answering" }, [{ do: "answer" }]];
  if (state.begun === INSTRUCTIONS_MAX) {
    const details = { reason: `The program has begun ${INSTRUCTIONS_MAX} instructions, which is the most it may.` };
    return end(state, at, { reason: "ScriptInvalid", by: "Service", details });
  }
  const begun = { ...state, left, running: next, begun: state.begun + 1 };
  const noted: readonly CallCommand[] = state.isNarrated
    ? [{ do: "note", step: "instruction", details: shownInstruction(next) }]
    : [];
  return joinSteps(noted, begin(begun, next, at));
}

function begin(state: CallState, instruction: Instruction, at: Date): CallStep {
  switch (instruction.kind) {
    case "say":
      return say({ ...state, phase: "Speaking", repeats: instruction.times - 1 }, instruction.text);
    case "pause":
      return timed({ ...state, phase: "Pausing" }, [startOf(state, "pause", instruction.seconds * 1000)]);
    case "dial":
      return instruction.isForbidden ? skipDial(state, at) : dial(state, instruction);
    case "hangUp":
      return end(state, at, endingOf(instruction));
    default:
      return instruction satisfies never;
  }
}

function say(state: CallState, text: string): CallStep {
  return timed(state, [{ do: "speak", text }, startOf(state, "speech", SPEECH_MS_MAX)]);
}

function dial(state: CallState, { legSid, to }: Dial): CallStep {
  const { call } = state;
  const second = newLeg({ leg: "Second", legSid }, "Outbound", { from: call.callerId, to });
  return [
    { ...state, phase: "DiallingSecond", call: { ...call, legs: [...call.legs, second] } },
    [
      { do: "playRingback" },
      { do: "dial", ...markOf(second) },
      { ...startOf(state, "ring", ringSeconds(state) * 1000), leg: "Second" },
    ],
  ];
}

/** The second party has answered. The commands join the legs. */
export function join(state: CallState, at: Date): CallStep {
  const [answered, told] = answer(state, "Second", at);
  const call = { ...answered.call, status: "Answered" as const, answeredOn: answered.call.answeredOn ?? at };
  const joined = { ...answered, call, phase: "Joined" as const };
  const { maxSeconds } = dialOf(state) ?? {};
  const talk = maxSeconds === undefined ? [] : [startOf(state, "talk", maxSeconds * 1000)];
  return timed(joined, [...told, { do: "join" }], talk);
}

/** The second leg is over: the program goes on, and after its last instruction the call ends. */
export function endDial(state: CallState, at: Date, ending: Ending): CallStep {
  const second = legOf(state.call, "Second");
  if (!goesOn(state) || !second) return end(state, at, ending);
  const over = withLeg(state, "Second", { status: "Completed", completedOn: at, endReason: ending.reason });
  const mark = markOf(second);
  const hangUp: readonly CallCommand[] = ending.endedLeg === "Second" ? [] : [{ do: "hangUp", ...mark }];
  return joinSteps(
    [...hangUp, { do: "part", ...mark }, { do: "tell", ...mark, status: "Completed" }, dialled(ending)],
    runNext(over, at),
  );
}

/** The second party may not be called. */
function skipDial(state: CallState, at: Date): CallStep {
  return goesOn(state) ? joinSteps([dialled(FORBIDDEN)], runNext(state, at)) : end(state, at, FORBIDDEN);
}

function dialled({ reason, details }: Ending): CallCommand {
  return { do: "note", step: "dialled", details: { endReason: reason, ...details } };
}

/** Whether the program has something to do after the instruction that is under way. */
export function goesOn({ left }: CallState): boolean {
  return left[0] !== undefined && left[0].kind !== "hangUp";
}

/** The text was spoken. */
export function takePlayed(state: CallState, at: Date): CallStep {
  const { running, repeats } = state;
  if (state.phase !== "Speaking" || running?.kind !== "say") return [state, []];
  return repeats > 0 ? say({ ...state, repeats: repeats - 1 }, running.text) : runNext(state, at);
}

/** The program goes on without the text. */
export function skipText(state: CallState, reason: string, at: Date): CallStep {
  const details = { reason: `The text could not be spoken: ${reason}` };
  return joinSteps([{ do: "note", step: "speech", details }], runNext(state, at));
}

/** The time of the instruction that is under way is over. */
export function takeInstructionTimer(state: CallState, timer: TimerName, at: Date): CallStep {
  const { phase } = state;
  if (timer === "pause" && phase === "Pausing") return runNext(state, at);
  if (timer === "speech" && phase === "Speaking") return joinSteps([{ do: "stopSpeaking" }], runNext(state, at));
  if (timer === "talk" && phase === "Joined") return endDial(state, at, { reason: "MaxDuration", by: "Service" });
  if (timer === "ring" && phase === "DiallingSecond") {
    const details = { leg: "Second", afterSeconds: ringSeconds(state) };
    return endDial(state, at, { reason: "NoAnswer", by: "Second", details });
  }
  return [state, []];
}

/** A call lasts from its first text, pause or join. */
function timed(state: CallState, before: readonly CallCommand[], after: readonly CallCommand[] = []): CallStep {
  if (state.isTimed) return [state, [...before, ...after]];
  const duration: CallCommand = { do: "start", timer: "duration", ms: state.maxSeconds * 1000 };
  return [{ ...state, isTimed: true }, [...before, duration, ...after]];
}

function startOf({ begun }: CallState, timer: TimerName, ms: number): CallCommand & { readonly do: "start" } {
  return { do: "start", timer, instruction: begun, ms };
}

function needsAnswer(instruction: Instruction): boolean {
  return instruction.kind === "say" || (instruction.kind === "dial" && !instruction.isForbidden);
}

function endingOf({ reason, sipCode }: HangUp): Ending {
  return { reason, by: "Service", sipCode };
}

/** The dial that is under way. */
export function dialOf({ running }: CallState): Dial | undefined {
  return running?.kind === "dial" ? running : undefined;
}

function ringSeconds(state: CallState): number {
  return dialOf(state)?.ringSeconds ?? state.ringSeconds;
}

const DONE: Ending = { reason: "ScriptHangup", by: "Service", sipCode: 603 };
const FORBIDDEN: Ending = { reason: "Failed", by: "Service", sipCode: 480 };
/** Goes on whatever goes wrong; the longest text takes a third of it. */
const SPEECH_MS_MAX = 900_000;
