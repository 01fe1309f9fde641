// What a call decides, as a pure machine: (state, input) → [state, commands]. `LiveCall` feeds it the inputs of
// signalling, media and timers, and carries out the commands in order.
//
//   inbound:   Asking (only without a fixed destination) → the program
//   outbound:  DiallingFirst → Prompting (where a key is asked for) → the program
//   program:   Answering (before the first instruction that needs it) →
//              for each instruction Speaking, Pausing, Pressing, Listening, Streaming,
//              Conferring, Beeping → Recording, or
//              DiallingSecond → Joined (or Busy);
//              before the caller is answered, where the dial asks for that, DiallingSecond → Bridging → Joined;
//              Asking for the next document → Ended
//   redirected: from any of these, once the first party has answered, to another program
//
// Guarantees, for any inputs in any order: each leg tells a subsequence of Ringing, Answered, Completed; each leg that
// was begun gets exactly one Completed, that of the first leg before those of second legs that it ends. Of a program of
// one instruction the events are a subsequence of First Ringing, First Answered, Second Ringing, Second Answered, First
// Completed, Second Completed, and the end of either leg ends the call; in a longer one the program goes on when a
// second leg ends. Where a dial answers the caller when its party has answered, First Answered follows Second Answered.
// The end of the first leg always ends the call, in one step and permanently.

import { type Call, type EndReason, type Leg, type LegName, legOf } from "./call.ts";
import {
  answer,
  type CallCommand,
  type CallInput,
  type CallState,
  type CallStep,
  type Ending,
  end,
  isWaiting,
  joinSteps,
  newLeg,
  type Phase,
  ring,
  withChanged,
} from "./call-state.ts";
import { drop, isHunting, keepOnly } from "./hunt-group.ts";
import { connect, record } from "./join-parties.ts";
import type { Program } from "./program.ts";
import { type CallRecording, type RecordingAction, switched } from "./recording.ts";
import { takeEntered } from "./run-conference.ts";
import {
  endDial,
  endStream,
  goesOn,
  hasWhisper,
  redirect,
  runNext,
  skipSound,
  takeConferenceLeft,
  takeKey,
  takePlayed,
  takeTurnTimer,
  welcome,
  withProgram,
} from "./run-program.ts";
import { finishRecord, tellRecorded } from "./run-record.ts";
import { hearerOf } from "./whisper.ts";

interface NewCall {
  readonly sid: string;
  readonly accountSid: string;
  readonly firstLegSid: string;
  readonly from: string;
  readonly to: string;
  readonly callerId: string;
  readonly ringSeconds: number;
  readonly maxSeconds: number;
  readonly recordingSid: string;
  readonly isRecorded: boolean;
  readonly keyPrompt?: string | null;
}

/** Without a program, the receiver of the inbound-call webhook is asked. */
export function beginInbound(order: NewCall & { readonly program: Program | undefined }, at: Date): CallStep {
  const rung = { status: "Ringing", rangOn: at } as const;
  const first = { ...newLeg({ leg: "First", legSid: order.firstLegSid }, "Inbound", order), ...rung };
  const state: CallState = { ...newState(order, "Inbound", [first], at), phase: "Asking" };
  if (!order.program) return [state, [{ do: "ring" }, { do: "ask" }]];
  const begun = runNext(withProgram(state, order.program), at);
  if (begun[0].phase === "Ended") return begun;
  const rings: CallCommand = { do: "tell", leg: "First", legSid: first.sid, status: "Ringing" };
  return joinSteps([rings, { do: "ring" }], begun);
}

/** Both legs show the caller id: one party is called first, then the program runs. */
export function beginOutbound(
  order: NewCall & { readonly called: string; readonly program: Program },
  at: Date,
): CallStep {
  const { callerId: from, called: to } = order;
  const first = newLeg({ leg: "First", legSid: order.firstLegSid }, "Outbound", { from, to });
  const state: CallState = { ...newState(order, "Outbound", [first], at), phase: "DiallingFirst" };
  return beginDialling(state, order.program);
}

/** Begins an outbound call that is stored already, perhaps by another process. */
export function beginDialling(state: CallState, program: Program): CallStep {
  const legSid = legOf(state.call, "First")?.sid ?? "";
  return [
    withProgram(state, program),
    [
      { do: "dial", leg: "First", legSid },
      { do: "start", timer: "ring", leg: "First", ms: state.ringSeconds * 1000 },
    ],
  ];
}

/** The state of a call of which only the record is left: it can only be begun or ended. */
export function stateOf(call: Call, newRecordingSid = ""): CallState {
  const phase = call.status === "Completed" ? "Ended" : "DiallingFirst";
  const { sid: recordingSid = newRecordingSid } = call.recording ?? {};
  const recorded = { recordingSid, isRecordedByDefault: call.recording !== null };
  return { call, phase, ringSeconds: 0, maxSeconds: 0, keyPrompt: null, ...recorded, ...NOT_BEGUN };
}

export function step(state: CallState, input: CallInput, at: Date): CallStep {
  return tellRecorded(state, decide(state, input, at));
}

function decide(state: CallState, input: CallInput, at: Date): CallStep {
  // The last audio may still be on its way to disk.
  if (state.phase === "Ended" && input.kind === "recordingFault")
    return [takeRecordingFault(state, input.reason)[0], []];
  if (state.phase === "Ended") return [state, []];
  if ("leg" in input && input.leg !== undefined) {
    const leg = legFor(state.call, input);
    if (!leg || leg.status === "Completed") return [state, []];
  }
  switch (input.kind) {
    case "ringing":
      return takeRinging(state, input, at);
    case "answered":
      return takeAnswered(state, input, at);
    case "script":
      if (state.phase !== "Asking" || input.turn !== state.turn) return [state, []];
      return runNext(state.whisper ? { ...state, left: input.program } : withProgram(state, input.program), at);
    case "redirect":
      return redirect(state, input.program, at);
    case "refused":
      return takeRefused(state, input, at);
    case "canceled":
      return end(state, at, { reason: "Canceled", by: input.leg, endedLeg: input.leg });
    case "ended":
      return takeEnded(state, input, at);
    case "inactive":
      return takeInactive(state, input, at);
    case "key":
      return state.phase === "Prompting" ? acknowledge(state, at) : takeKey(state, input, at);
    case "played":
      if (input.leg !== hearerOf(state)) return [state, []];
      return state.phase === "Prompting" ? prompt(state) : takePlayed(state, at);
    case "streamEnded":
      return endStream(state, input, at);
    case "conferenceEntered":
      return takeEntered(state, input, at);
    case "conferenceLeft":
      return takeConferenceLeft(state, input, at);
    case "silence":
      return state.phase === "Recording" ? finishRecord(state, { by: "Silence" }) : [state, []];
    case "speechFailed":
      return input.leg === hearerOf(state) ? takeSpeechFailed(state, input.reason, at) : [state, []];
    case "timer":
      return takeTimer(state, input, at);
    case "recordingControl":
      return takeRecordingControl(state, input.action, at);
    case "recordingFault":
      return takeRecordingFault(state, input.reason);
    case "hangUpParty":
      return hangUpParty(state, input, at);
    case "hangUp":
      return end(state, at, { reason: input.reason, by: input.by });
    default:
      return input satisfies never;
  }
}

/** The leg that an input is of. */
function legFor(
  call: Call,
  input: { readonly leg?: LegName | undefined; readonly legSid?: string | undefined },
): Leg | undefined {
  const { leg: name, legSid } = input;
  if (legSid !== undefined) return call.legs.find(({ sid }) => sid === legSid);
  return name && legOf(call, name);
}

function takeRinging(state: CallState, input: CallInput & { kind: "ringing" }, at: Date): CallStep {
  const { leg, hasMedia } = input;
  const isAwaited = state.phase === (leg === "First" ? "DiallingFirst" : "DiallingSecond");
  if (!isAwaited) return [state, []];
  const isHeard = leg === "Second" && hasMedia && !isHunting(state) && !hasWhisper(state);
  const early: readonly CallCommand[] = isHeard ? [{ do: "playEarlyMedia" }] : [];
  return joinSteps([], ring(state, legFor(state.call, input), at), early);
}

function takeAnswered(state: CallState, input: CallInput & { kind: "answered" }, at: Date): CallStep {
  const { leg: name } = input;
  const { phase } = state;
  if (name === "First" && (state.isAnswering || phase === "DiallingFirst")) {
    const [answered, told] = answer({ ...state, isAnswering: false }, name, at);
    return joinSteps(told, goOn(answered, at));
  }
  if (name !== "Second" || phase !== "DiallingSecond") return [state, []];
  const [alone, dropped] = keepOnly(state, legFor(state.call, input), "Canceled", at);
  const [answered, told] = answer(alone, name, at);
  const callee = legFor(state.call, input)?.sid ?? "";
  return joinSteps([...dropped, ...told], welcome(answered, callee, at));
}

/** The first party has answered, or has been answered. */
function goOn(state: CallState, at: Date): CallStep {
  if (state.whisper) return [state, [{ do: "playRingback" }]];
  switch (state.phase) {
    case "DiallingFirst":
      return state.keyPrompt === null ? runNext(state, at) : awaitKey(state);
    case "Answering":
      return runNext(state, at);
    case "Bridging":
      return connect(state, at);
    case "DiallingSecond":
      return [state, [{ do: "playRingback" }]];
    default:
      return [state, []];
  }
}

function takeRecordingControl(state: CallState, action: RecordingAction, at: Date): CallStep {
  const recording = state.call.recording && switched(state.call.recording, action);
  if (!recording) return [state, []];
  const next = withCall(state, { recording });
  const noted: CallCommand = { do: "note", step: "recording", details: { action } };
  if (action === "Resume") return joinSteps([noted], record(next, at));
  return [next, state.phase === "Joined" ? [noted, { do: "pauseRecording" }] : [noted]];
}

/** The call goes on, and so does the recording, with silence where audio is missing. */
function takeRecordingFault(state: CallState, reason: string): CallStep {
  const { recording, programRecordings } = state.call;
  const own = state.running?.kind === "record" ? programRecordings.at(-1) : recording;
  if (!own || own.fault !== null) return [state, []];
  const details = { fault: reason, reason: "Audio of the recording could not be written." };
  const faulty = <Some extends CallRecording>(one: Some) => (one.sid === own.sid ? { ...one, fault: reason } : one);
  const recordings = { recording: recording && faulty(recording), programRecordings: programRecordings.map(faulty) };
  return [withCall(state, recordings), [{ do: "note", step: "recording", details }]];
}

function awaitKey(state: CallState): CallStep {
  const [prompting, prompted] = prompt({ ...state, phase: "Prompting" });
  const key: CallCommand = { do: "start", timer: "key", ms: KEY_MS };
  return [prompting, [{ do: "listenForKeys", on: true }, ...prompted, key]];
}

function prompt(state: CallState): CallStep {
  if (state.keyPrompt === null || state.prompts >= PROMPTS) return [state, []];
  return [{ ...state, prompts: state.prompts + 1 }, [{ do: "prompt", text: state.keyPrompt }]];
}

/** A key of the first party. */
function acknowledge(state: CallState, at: Date): CallStep {
  const pressed: CallCommand = { do: "note", step: "keyPressed", details: { prompts: state.prompts } };
  return joinSteps([{ do: "listenForKeys", on: false }, pressed], runNext(state, at));
}

/** A call without a prompt would get no key. */
function takeSpeechFailed(state: CallState, reason: string, at: Date): CallStep {
  if (state.phase === "Speaking") return skipSound(state, reason, at);
  if (state.phase !== "Prompting") return [state, []];
  const details = { reason: `The prompt could not be spoken: ${reason}` };
  return end(state, at, { reason: "Failed", by: "Service", details });
}

function takeInactive(state: CallState, { leg, isLost }: CallInput & { kind: "inactive" }, at: Date): CallStep {
  // The first party hears ringing while the second one hears something else.
  const isAwaited = HAS_MEDIA.has(state.phase) && !(state.whisper && leg === "First");
  if (!isAwaited && !isLost) return [state, []];
  const ending = { reason: "MediaTimeout", by: "Service", details: { leg } } as const;
  return leg === "Second" ? endDial(state, at, ending) : end(state, at, ending);
}

function takeRefused(state: CallState, input: CallInput & { kind: "refused" }, at: Date): CallStep {
  const { leg, sipCode, reason, isOurs = false } = input;
  const refusedLeg = legFor(state.call, input);
  const refusedState = isOurs ? state : withChanged(state, refusedLeg, { sipCode });
  const details = isOurs ? { leg, reason } : { leg, sipCode, reason };
  if (leg === "Second" && refusedLeg && isHunting(state)) {
    return drop(refusedState, refusedLeg, { reason: reasonOf(sipCode), by: leg, details, endedLeg: leg }, at);
  }
  const isLast = leg === "Second" && state.phase === "DiallingSecond" && !goesOn(state);
  if (isLast && BUSY.has(sipCode) && !isWaiting(state)) {
    const noted: CallCommand = { do: "note", step: "busy", details };
    const busy: CallCommand = { do: "start", timer: "busy", ms: BUSY_MS };
    return [{ ...refusedState, phase: "Busy" }, [noted, { do: "playBusy" }, busy]];
  }
  const ending = { reason: reasonOf(sipCode), by: leg, details, endedLeg: leg, sipCode: BUSY.has(sipCode) ? 486 : 480 };
  return leg === "Second" ? endDial(refusedState, at, ending) : end(refusedState, at, ending);
}

function takeEnded(state: CallState, input: CallInput & { kind: "ended" }, at: Date): CallStep {
  const { leg, by, reason } = input;
  const details = { leg, by, ...(reason === undefined ? {} : { reason }) };
  if (state.phase === "Busy") return end(state, at, { reason: "Busy", by: "Second", endedLeg: leg });
  const ending: Ending =
    by === "peer"
      ? { reason: reasonOfHangUp(state, leg), by: leg, endedLeg: leg }
      : { reason: "Failed", by: "Service", details, endedLeg: leg };
  const ended = legFor(state.call, input);
  if (leg === "Second" && ended && isHunting(state)) return drop(state, ended, ending, at);
  return leg === "Second" ? endDial(state, at, ending) : end(state, at, ending);
}

/** A called party that hangs up before it is connected, as while it hears a program of its own, has not answered. */
function reasonOfHangUp({ call, phase }: CallState, leg: LegName): EndReason {
  if (leg === "First") return call.answeredOn === null ? "Canceled" : "Completed";
  if (phase === "Joined") return "Completed";
  return legOf(call, leg)?.answeredOn == null ? "Canceled" : "NoAnswer";
}

function hangUpParty(state: CallState, input: CallInput & { kind: "hangUpParty" }, at: Date): CallStep {
  const leg = legFor(state.call, input);
  const ending: Ending = { reason: "HungUp", by: "Api" };
  if (leg?.leg !== "Second") return [state, []];
  return isHunting(state) ? drop(state, leg, ending, at) : endDial(state, at, ending);
}

function takeTimer(state: CallState, { timer, leg, turn }: CallInput & { kind: "timer" }, at: Date): CallStep {
  if (timer === "duration") {
    return state.isTimed ? end(state, at, { reason: "MaxDuration", by: "Service" }) : [state, []];
  }
  if (timer === "key") {
    return state.phase === "Prompting" ? end(state, at, { reason: "NotAcknowledged", by: "First" }) : [state, []];
  }
  if (timer === "busy") {
    const isHeard = state.phase === "Busy";
    return isHeard ? end(state, at, { reason: "Busy", by: "Second", endedLeg: "Second" }) : [state, []];
  }
  if (turn !== undefined) return turn === state.turn ? takeTurnTimer(state, timer, at) : [state, []];
  if (timer !== "ring" || leg !== "First" || state.phase !== "DiallingFirst") return [state, []];
  const details = { leg, afterSeconds: state.ringSeconds };
  return end(state, at, { reason: "NoAnswer", by: leg, details });
}

/** Time allowed for the key press, and how often the prompt plays. */
const KEY_MS = 20_000;
const PROMPTS = 3;
/** How long the first party hears the busy tone. */
const BUSY_MS = 3_000;
/** The phases in which a party that sends no media counts as gone. */
const HAS_MEDIA: ReadonlySet<Phase> = new Set<Phase>([
  "Prompting",
  "Speaking",
  "Pausing",
  "Pressing",
  "Listening",
  "Streaming",
  "Conferring",
  "Beeping",
  "Recording",
  "Joined",
]);

const BUSY = new Set([486, 600]);
const NO_ANSWER = new Set([408, 480, 487]);
const REJECTED = new Set([401, 403, 407, 433, 603, 607, 608]);

function reasonOf(sipCode: number): EndReason {
  if (BUSY.has(sipCode)) return "Busy";
  if (NO_ANSWER.has(sipCode)) return "NoAnswer";
  return REJECTED.has(sipCode) ? "Rejected" : "Failed";
}

function withCall(state: CallState, change: Partial<Pick<Call, "recording" | "programRecordings">>): CallState {
  return { ...state, call: { ...state.call, ...change } };
}

function newState(order: NewCall, direction: Call["direction"], legs: readonly Leg[], at: Date) {
  const { sid, accountSid, from, to, callerId, ringSeconds, maxSeconds, keyPrompt = null } = order;
  const call: Call = {
    sid,
    accountSid,
    direction,
    from,
    to,
    callerId,
    status: direction === "Inbound" ? "Ringing" : "Started",
    endReason: null,
    endedBy: null,
    createdOn: at,
    answeredOn: null,
    completedOn: null,
    legs,
    recording: null,
    programRecordings: [],
  };
  const { recordingSid, isRecorded: isRecordedByDefault } = order;
  return { call, ringSeconds, maxSeconds, keyPrompt, recordingSid, isRecordedByDefault, ...NOT_BEGUN };
}

const NOT_BEGUN = {
  left: [],
  running: undefined,
  begun: 0,
  turn: 0,
  gathering: undefined,
  whisper: undefined,
  conferenceSid: null,
  pressing: "",
  repeats: 0,
  prompts: 0,
  isNarrated: false,
  isAnswering: false,
  isTimed: false,
} as const;
