// Runs the program of a call: begins one instruction when the one before is over, and ends the call after the last.
//
// Guarantees: every program ends, because a call begins a bounded number of instructions, each of which has a time
// limit, and the whole has one as well; nothing is played to a party that is gone; where the program goes on after a
// second leg, the Completed of that leg is emitted before anything else happens.

import { tableOf } from "../../base/table.ts";
import { type EndReason, type Leg, legOf } from "./call.ts";
import {
  type CallCommand,
  type CallInput,
  type CallState,
  type CallStep,
  type Ending,
  end,
  isWaiting,
  joinSteps,
  markOf,
  newLeg,
  type Phase,
  startOf,
  type TimerName,
  timed,
  withLeg,
} from "./call-state.ts";
import { keepOnly } from "./hunt-group.ts";
import { dialOf, meet } from "./join-parties.ts";
import {
  type Connect,
  calleesOf,
  type Dial,
  type DocumentFacts,
  type Gather,
  type HangUp,
  INSTRUCTIONS_MAX,
  type Instruction,
  type Play,
  type Program,
  type Say,
  shownInstruction,
} from "./program.ts";
import { ask } from "./program-moves.ts";
import { newRecording } from "./recording.ts";
import { afterConference, beginConference, leavingConference } from "./run-conference.ts";
import { beginRecord, finishRecord, leaveRecord, startRecording } from "./run-record.ts";
import { hearerOf, leaveWhisper, toHearer, whisperFault } from "./whisper.ts";

/** The program that a call is to run, which is not begun yet. */
export function withProgram(state: CallState, program: Program): CallState {
  const isRecorded = program.some(
    (one) => one.kind === "dial" && !one.isForbidden && (one.record ?? state.isRecordedByDefault),
  );
  const recording = state.call.recording ?? (isRecorded ? newRecording(state.recordingSid) : null);
  const isLong = program.filter(({ kind }) => kind !== "hangUp").length > 1;
  const isNarrated = isLong || state.begun > 0 || program.some(({ kind }) => ASKING.has(kind));
  return { ...state, call: { ...state.call, recording }, left: program, isNarrated };
}

/** Such an instruction goes on elsewhere. */
const ASKING: ReadonlySet<Instruction["kind"]> = new Set(["gather", "record", "confer", "redirect"]);

/** Begins the next instruction. */
export function runNext(state: CallState, at: Date): CallStep {
  const [next, ...left] = state.left;
  if (!next && state.gathering) return listen(state);
  if (!next) return state.whisper ? meet(leaveWhisper(state), at) : end(state, at, DONE);
  if (isWaiting(state) && !state.whisper && needsAnswer(next)) return awaitAnswer(state);
  if (state.begun === INSTRUCTIONS_MAX) {
    const details = { reason: `The program has begun ${INSTRUCTIONS_MAX} instructions, which is the most it may.` };
    return end(state, at, { reason: "ScriptInvalid", by: "Service", details });
  }
  const begun = { ...state, left, running: next, begun: state.begun + 1, turn: state.turn + 1 };
  const details = { ...toHearer(state), ...shownInstruction(next) };
  const noted: readonly CallCommand[] =
    state.isNarrated || state.whisper ? [{ do: "note", step: "instruction", details }] : [];
  const fault = state.whisper && whisperFault(next);
  if (fault !== undefined) return joinSteps(noted, endDial(begun, at, invalid(fault)));
  return joinSteps(noted, begin(begun, next, at));
}

function awaitAnswer(state: CallState): CallStep {
  const answering: readonly CallCommand[] = state.isAnswering ? [] : [{ do: "answer" }];
  return [{ ...state, phase: "Answering", isAnswering: true }, answering];
}

function begin(state: CallState, instruction: Instruction, at: Date): CallStep {
  switch (instruction.kind) {
    case "say":
    case "play":
      return sound({ ...state, phase: "Speaking", repeats: instruction.times - 1 }, instruction);
    case "pause":
      return timed({ ...state, phase: "Pausing" }, [startOf(state, "pause", instruction.seconds * 1000)]);
    case "press":
      return press({ ...state, phase: "Pressing" }, instruction.keys, at);
    case "dial":
      return instruction.isForbidden ? skipDial(state, at) : dial(state, instruction);
    case "confer":
      return beginConference(state, instruction);
    case "gather":
      return gather(state, instruction, at);
    case "connect":
      return connect({ ...state, phase: "Streaming" }, instruction);
    case "startStream":
      return joinSteps([{ do: "startStream", order: instruction.stream }], runNext(state, at));
    case "stopStream":
      return joinSteps([{ do: "stopStream", name: instruction.name }], runNext(state, at));
    case "record":
      return beginRecord(state, instruction, at);
    case "redirect":
      return ask(state, instruction.document, { kind: "redirected" });
    case "hangUp":
      return state.whisper ? endDial(state, at, endingOf(instruction)) : end(state, at, endingOf(instruction));
    default:
      return instruction satisfies never;
  }
}

function sound(state: CallState, one: Say | Play): CallStep {
  const to = toHearer(state);
  const heard: CallCommand =
    one.kind === "say" ? { do: "speak", text: one.text, ...to } : { do: "play", url: one.url, ...to };
  return timed(state, [heard, startOf(state, "speech", SPEECH_MS_MAX)]);
}

/** Sends the next key, or waits, until no key is left. */
function press(state: CallState, keys: string, at: Date): CallStep {
  const [key, ...rest] = keys;
  if (key === undefined) return runNext(state, at);
  const pressing = { ...state, pressing: rest.join(""), turn: state.turn + 1 };
  const waitMs = WAITS.get(key);
  const sent: readonly CallCommand[] =
    waitMs === undefined ? [{ do: "press", digit: key, ms: KEY_MS, ...toHearer(state) }] : [];
  return timed(pressing, [...sent, startOf(pressing, "press", waitMs ?? KEY_MS + KEY_PAUSE_MS)]);
}

function dial(state: CallState, instruction: Dial): CallStep {
  const { call } = state;
  const from = instruction.callerId ?? call.callerId;
  const seconds = calleesOf(instruction).map(({ legSid, to }) =>
    newLeg({ leg: "Second", legSid }, "Outbound", { from, to }),
  );
  // A caller who is not answered yet hears its own network ring.
  const ringback: readonly CallCommand[] = isWaiting(state) ? [] : [{ do: "playRingback" }];
  return [
    { ...state, phase: "DiallingSecond", call: { ...call, legs: [...call.legs, ...seconds] } },
    [
      ...ringback,
      ...seconds.map((second) => ({ do: "dial", ...markOf(second) }) as const),
      { ...startOf(state, "ring", ringSeconds(state) * 1000), leg: "Second" },
    ],
  ];
}

/** The party of a dial has answered: it hears what is for it alone, or is connected. */
export function welcome(state: CallState, legSid: string, at: Date): CallStep {
  const dialled = dialOf(state);
  const callee = dialled && calleesOf(dialled).find((one) => one.legSid === legSid);
  if (!dialled || !callee?.whisper) return meet(state, at);
  return ask({ ...state, whisper: { dial: dialled, left: state.left } }, callee.whisper, { kind: "redirected" });
}

/** Whether a party hears something before it is connected: the first one does not hear it meanwhile. */
export function hasWhisper(state: CallState): boolean {
  const dialled = dialOf(state);
  return dialled !== undefined && calleesOf(dialled).some(({ whisper }) => whisper !== undefined);
}

/** The second leg is over: the program goes on, and after its last instruction the call ends. */
export function endDial(whispering: CallState, at: Date, ending: Ending): CallStep {
  const state = leaveWhisper(whispering);
  const second = legOf(state.call, "Second");
  if (!goesOn(state) || !second) return end(state, at, ending);
  const [alone, dropped] = keepOnly(state, second, ending.reason, at);
  const [over, parted] = part(alone, second, at, ending);
  return joinSteps([...dropped, ...parted], afterDial(over, at, factsOf(whispering, second, ending.reason)));
}

/** The second leg ends, and the call goes on without it. */
function part(state: CallState, second: Leg, at: Date, ending: Ending): CallStep {
  const over = withLeg(state, "Second", { status: "Completed", completedOn: at, endReason: ending.reason });
  const mark = markOf(second);
  const hangUp: readonly CallCommand[] = ending.endedLeg === "Second" ? [] : [{ do: "hangUp", ...mark }];
  return [over, [...hangUp, { do: "part", ...mark }, { do: "tell", ...mark, status: "Completed" }, dialled(ending)]];
}

function factsOf({ phase }: CallState, { sid: legSid, answeredOn }: Leg, reason: EndReason): DocumentFacts {
  const isUnbridged = answeredOn !== null && phase !== "Joined";
  return { kind: "dialled", legSid, reason, ...(isUnbridged && { isUnbridged }) };
}

function afterDial(state: CallState, at: Date, facts: DocumentFacts): CallStep {
  const { action } = dialOf(state) ?? {};
  return action ? ask(state, action, facts) : runNext(state, at);
}

/** The second party may not be called. */
function skipDial(state: CallState, at: Date): CallStep {
  if (!goesOn(state)) return end(state, at, FORBIDDEN);
  const facts = { kind: "dialled", legSid: null, reason: FORBIDDEN.reason } as const;
  return joinSteps([dialled(FORBIDDEN)], afterDial(state, at, facts));
}

function dialled({ reason, details }: Ending): CallCommand {
  return { do: "note", step: "dialled", details: { endReason: reason, ...details } };
}

/** Whether the program has something to do after the instruction that is under way. */
export function goesOn(state: CallState): boolean {
  const [next] = state.left;
  return dialOf(state)?.action !== undefined || (next !== undefined && next.kind !== "hangUp");
}

/** Goes on with another program, whatever is under way: that is heard no more, and a second party is hung up. */
export function redirect(whispering: CallState, program: Program, at: Date): CallStep {
  if (legOf(whispering.call, "First")?.answeredOn == null) return [whispering, []];
  const state = leaveWhisper(whispering);
  const { phase, gathering } = state;
  const isSpeaking = phase === "Speaking" || phase === "Prompting" || phase === "Beeping";
  const isStreaming = phase === "Streaming";
  const isListening = phase === "Prompting" || isStreaming || gathering !== undefined;
  const quiet: readonly CallCommand[] = [
    ...leavingConference(state, "Redirected"),
    ...(isStreaming ? [{ do: "disconnectStream" } as const] : []),
    ...(isListening ? [{ do: "listenForKeys", on: false } as const] : []),
    ...(isSpeaking ? [{ do: "stopSpeaking" } as const] : []),
  ];
  const [still, unrecorded] = leaveRecord(state);
  const [left, parted] = leaveDial(still, at);
  const next = withProgram({ ...left, gathering: undefined }, program);
  return joinSteps([...quiet, ...unrecorded, ...parted], runNext(next, at));
}

function leaveDial(state: CallState, at: Date): CallStep {
  const second = legOf(state.call, "Second");
  if (!second || second.status === "Completed") return [state, []];
  const reason = LEFT[state.phase] ?? "Canceled";
  const gone = state.phase === "Busy" ? { endedLeg: "Second" as const } : {};
  const [alone, dropped] = keepOnly(state, second, reason, at);
  const [over, last] = part(alone, second, at, { reason, by: "Api", ...gone });
  const parted = [...dropped, ...last];
  const { action } = dialOf(state) ?? {};
  const facts = factsOf(state, second, reason);
  return [over, action ? [...parted, { do: "inform", document: action, facts }] : parted];
}

/** How the second leg has ended of a dial that is left. */
const LEFT: Readonly<Partial<Record<Phase, EndReason>>> = { Joined: "Completed", Busy: "Busy" };

function gather(state: CallState, instruction: Gather, at: Date): CallStep {
  const gathering = { gather: instruction, digits: "", rest: state.left };
  const prompted = { ...state, left: instruction.prompts, gathering };
  return joinSteps([{ do: "listenForKeys", on: true, ...toHearer(state) }], runNext(prompted, at));
}

/** The prompts are over, or a key was pressed: the next key is awaited. */
function listen(state: CallState): CallStep {
  const { gathering } = state;
  if (!gathering) return [state, []];
  const listening = { ...state, phase: "Listening" as const, left: [], turn: state.turn + 1 };
  return timed(listening, [startOf(listening, "digits", gathering.gather.timeoutSeconds * 1000)]);
}

/** A key of the first party, at the moment at which it goes down: prompts stop at once. */
export function takeKey(state: CallState, { leg, digit }: CallInput & { kind: "key" }, at: Date): CallStep {
  const { gathering } = state;
  const isStar = state.phase === "Joined" && leg === "First" && digit === "*" && dialOf(state)?.endsOnStar;
  if (isStar) return endDial(state, at, { reason: "Completed", by: "First" });
  if (state.phase === "Recording") return finishRecord(state, { by: "Key", digit });
  if (state.phase === "Conferring") return takeConferenceKey(state, digit, at);
  if (state.phase === "Streaming") return [state, [{ do: "streamKey", digit }]];
  if (!gathering || leg !== hearerOf(state)) return [state, []];
  const stop: readonly CallCommand[] = state.phase === "Speaking" ? [{ do: "stopSpeaking", ...toHearer(state) }] : [];
  if (gathering.gather.finishKeys.includes(digit)) return joinSteps(stop, gathered(state, at));
  const digits = gathering.digits + digit;
  const heard = { ...state, gathering: { ...gathering, digits } };
  const isEnough = digits.length >= gathering.gather.digitsMax;
  return joinSteps(stop, isEnough ? gathered(heard, at) : listen(heard));
}

/** The party is in the conference no longer, or could not enter it. */
export function takeConferenceLeft(
  state: CallState,
  { turn, conferenceSid, fault }: CallInput & { kind: "conferenceLeft" },
  at: Date,
): CallStep {
  if (state.phase !== "Conferring" || turn !== state.turn) return [state, []];
  return afterConference(state, { conferenceSid, fault }, (next) => runNext(next, at));
}

/** The party leaves the conference that it is in, or waits for. */
function leaveConference(state: CallState, at: Date): CallStep {
  const { conferenceSid } = state;
  return afterConference(state, { conferenceSid, fault: null }, (next) => runNext(next, at));
}

function takeConferenceKey(state: CallState, digit: string, at: Date): CallStep {
  const isStar = digit === "*" && state.running?.kind === "confer" && state.running.endsOnStar;
  return isStar ? leaveConference(state, at) : [state, []];
}

function gathered(state: CallState, at: Date): CallStep {
  const { gathering } = state;
  if (!gathering) return [state, []];
  const { gather: instruction, digits, rest } = gathering;
  const over = { ...state, gathering: undefined, left: rest };
  const heard: readonly CallCommand[] = [
    { do: "listenForKeys", on: false, ...toHearer(state) },
    { do: "note", step: "gathered", details: { digits } },
  ];
  if (digits === "" && !instruction.asksWithoutDigits) return joinSteps(heard, runNext(over, at));
  return joinSteps(heard, ask(over, instruction.action, { kind: "gathered", digits }));
}

function connect(state: CallState, { stream }: Connect): CallStep {
  const connecting: CallCommand = { do: "connectStream", order: stream, turn: state.turn };
  return timed(state, [{ do: "listenForKeys", on: true }, connecting]);
}

/** The program goes on when the stream is over, however that came. */
export function endStream(state: CallState, ended: CallInput & { kind: "streamEnded" }, at: Date): CallStep {
  const { running } = state;
  if (state.phase !== "Streaming" || running?.kind !== "connect" || ended.turn !== state.turn) return [state, []];
  const { streamSid, fault } = ended;
  const { action, stream } = running;
  const facts = { kind: "streamed", streamSid, name: stream.name, fault } as const;
  return joinSteps([{ do: "listenForKeys", on: false }], action ? ask(state, action, facts) : runNext(state, at));
}

/** The text was spoken, or the sound was played. */
export function takePlayed(state: CallState, at: Date): CallStep {
  if (state.phase === "Beeping") return startRecording(state, at);
  const { running, repeats } = state;
  if (state.phase !== "Speaking" || (running?.kind !== "say" && running?.kind !== "play")) return [state, []];
  if (repeats === 0) return runNext(state, at);
  return sound({ ...state, repeats: repeats - 1, turn: state.turn + 1 }, running);
}

/** The program goes on without the text or the sound. */
export function skipSound(state: CallState, reason: string, at: Date): CallStep {
  const failed = state.running?.kind === "play" ? "The sound could not be played" : "The text could not be spoken";
  const details = { reason: `${failed}: ${reason}` };
  return joinSteps([{ do: "note", step: "speech", details }], runNext(state, at));
}

/** What was waited for did not come in time. */
export function takeTurnTimer(state: CallState, timer: TimerName, at: Date): CallStep {
  const { phase } = state;
  if (phase === "Beeping" && timer === "speech") return joinSteps([{ do: "stopSpeaking" }], startRecording(state, at));
  if (phase === "Recording" && timer === "recording") return finishRecord(state, { by: "MaxLength" });
  if (timer === "pause" && phase === "Pausing") return runNext(state, at);
  if (timer === "press" && phase === "Pressing") return press(state, state.pressing, at);
  if (timer === "digits" && phase === "Listening") return gathered(state, at);
  if (timer === "speech" && phase === "Speaking")
    return joinSteps([{ do: "stopSpeaking", ...toHearer(state) }], runNext(state, at));
  if (timer === "talk" && phase === "Joined") return endDial(state, at, { reason: "MaxDuration", by: "Service" });
  if (timer === "talk" && phase === "Conferring") return leaveConference(state, at);
  if (timer === "ring" && phase === "DiallingSecond") {
    const details = { leg: "Second", afterSeconds: ringSeconds(state) };
    return endDial(state, at, { reason: "NoAnswer", by: "Second", details });
  }
  return [state, []];
}

function needsAnswer(instruction: Instruction): boolean {
  if (instruction.kind === "dial") return !instruction.isForbidden && !instruction.answersOnBridge;
  return NEEDING_ANSWER.has(instruction.kind);
}

const NEEDING_ANSWER: ReadonlySet<Instruction["kind"]> = new Set([
  "say",
  "play",
  "press",
  "gather",
  "record",
  "connect",
  "startStream",
  "confer",
]);

function invalid(reason: string): Ending {
  return { reason: "ScriptInvalid", by: "Service", details: { reason }, sipCode: 480 };
}

function endingOf({ reason, sipCode }: HangUp): Ending {
  return { reason, by: "Service", sipCode };
}

function ringSeconds(state: CallState): number {
  return dialOf(state)?.ringSeconds ?? state.ringSeconds;
}

/** How long a key is held, and how long the next one waits. */
const KEY_MS = 200;
const KEY_PAUSE_MS = 100;
const WAITS = tableOf({ w: 500, W: 1_000 });
const DONE: Ending = { reason: "ScriptHangup", by: "Service", sipCode: 603 };
const FORBIDDEN: Ending = { reason: "Failed", by: "Service", sipCode: 480 };
/** Goes on whatever goes wrong; the longest text takes a third of it. */
const SPEECH_MS_MAX = 900_000;
