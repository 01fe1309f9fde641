// What a call decides, as a pure machine: (state, input) → [state, commands]. `LiveCall` feeds it the inputs of
// signalling, media and timers, and carries out the commands in order.
//
//   inbound:   Asking (only without a fixed destination) → Answering → DiallingSecond → Joined → Ended
//                                                                      DiallingSecond → Busy → Ended
//                                                          Answering → Speaking → Ended
//   outbound:  DiallingFirst → Prompting (where a key is asked for)  → DiallingSecond → Joined → Ended
//              DiallingFirst → Speaking (an announcement) → Ended
//
// Guarantees, for any inputs in any order: the events of a call are a subsequence of First Ringing, First Answered,
// Second Ringing, Second Answered, First Completed, Second Completed; each leg that was begun gets exactly one
// Completed; the end of a leg that was begun ends the call, in one step and permanently.

import { type Call, type CallStatus, type EndedBy, type EndReason, type Leg, type LegName, legOf } from "./call.ts";
import type { CallStepKind, JudgedTarget } from "./ports.ts";
import {
  type CallRecording,
  endedRecording,
  newRecording,
  type RecordingAction,
  switched,
  withNewSegment,
} from "./recording.ts";

/** What follows the answer of the first leg, wherever it comes from: settings, script or API. */
export type NextStep =
  /** `record`: the choice of the script; undefined: that of the number or the order. */
  | {
      readonly kind: "dial";
      readonly to: string;
      /** What is dialled for `to`, if that was judged already. */
      readonly judged?: JudgedTarget | undefined;
      readonly record?: boolean | undefined;
      /** For the second leg; undefined: as for the call. */
      readonly ringSeconds?: number | undefined;
      /** From the join; undefined: as for the call. */
      readonly maxSeconds?: number | undefined;
    }
  /** Answers, speaks the text and hangs up. */
  | { readonly kind: "speak"; readonly text: string }
  /** Hangs up, without answering where that is still possible. */
  | { readonly kind: "hangUp"; readonly reason: EndReason; readonly sipCode: number };

type Phase =
  | "Asking"
  | "Answering"
  | "DiallingFirst"
  /** The first party is asked to press a key. */
  | "Prompting"
  /** The first party hears a text, after which it is hung up. */
  | "Speaking"
  | "DiallingSecond"
  /** The second party is busy; the first hears the busy tone for a while. */
  | "Busy"
  | "Joined"
  | "Ended";

export interface CallState {
  readonly call: Call;
  readonly phase: Phase;
  /** Undefined while the script is awaited. */
  readonly next: NextStep | undefined;
  /** The sid that the second leg gets when it is dialled. */
  readonly secondLegSid: string;
  readonly ringSeconds: number;
  readonly maxSeconds: number;
  /** The sid that a recording gets, and whether there is one unless the script decides otherwise. */
  readonly recordingSid: string;
  readonly isRecordedByDefault: boolean;
  /** What the first party hears until it presses a key; null: no key is asked for. */
  readonly keyPrompt: string | null;
  /** How often the prompt was started. */
  readonly prompts: number;
}

export type TimerName = "ring" | "duration" | "key" | "speech" | "busy";

export type CallInput =
  | { readonly kind: "ringing"; readonly leg: LegName; readonly hasMedia: boolean }
  /** The leg is connected: its 200 was received, or the ACK of ours. */
  | { readonly kind: "answered"; readonly leg: LegName }
  | { readonly kind: "refused"; readonly leg: LegName; readonly sipCode: number; readonly reason: string }
  | { readonly kind: "canceled"; readonly leg: LegName }
  | {
      readonly kind: "ended";
      readonly leg: LegName;
      readonly by: "peer" | "timeout" | "us";
      readonly reason?: string | undefined;
    }
  | { readonly kind: "inactive"; readonly leg: LegName }
  /** A key was pressed. */
  | { readonly kind: "digit"; readonly leg: LegName }
  /** The text was spoken, and the silence after it has passed. */
  | { readonly kind: "played"; readonly leg: LegName }
  | { readonly kind: "speechFailed"; readonly leg: LegName; readonly reason: string }
  | { readonly kind: "script"; readonly next: NextStep }
  | { readonly kind: "timer"; readonly timer: TimerName; readonly leg?: LegName | undefined }
  | { readonly kind: "recordingControl"; readonly action: RecordingAction }
  /** Audio could not be written. */
  | { readonly kind: "recordingFault"; readonly reason: string }
  | { readonly kind: "hangUp"; readonly by: "Api" | "Service"; readonly reason: EndReason };

export type CallCommand =
  | { readonly do: "ring" }
  | { readonly do: "ask" }
  | { readonly do: "answer" }
  | { readonly do: "reject"; readonly sipCode: number }
  | { readonly do: "dial"; readonly leg: LegName }
  | { readonly do: "hangUp"; readonly leg: LegName }
  | { readonly do: "playRingback" }
  | { readonly do: "playBusy" }
  /** The first leg hears the early media of the second. */
  | { readonly do: "playEarlyMedia" }
  | { readonly do: "join" }
  /** Begins a segment of the recording. */
  | { readonly do: "record"; readonly index: number }
  /** Ends the segment that is being recorded. */
  | { readonly do: "pauseRecording" }
  /** Starts or stops listening for keys of the first party. */
  | { readonly do: "listenForKeys"; readonly on: boolean }
  /** The first party hears the prompt once; `played` follows. */
  | { readonly do: "prompt"; readonly text: string }
  /** The first party hears the text; `played` follows. */
  | { readonly do: "speak"; readonly text: string }
  /** Does not stop a running timer: the input of that timer is ignored when it no longer fits. */
  | { readonly do: "start"; readonly timer: TimerName; readonly leg?: LegName; readonly ms: number }
  | { readonly do: "tell"; readonly leg: LegName; readonly status: Exclude<CallStatus, "Started"> }
  | { readonly do: "note"; readonly step: CallStepKind; readonly details: Readonly<Record<string, unknown>> }
  | { readonly do: "end" };

export type CallStep = readonly [CallState, readonly CallCommand[]];

interface NewCall {
  readonly sid: string;
  readonly accountSid: string;
  readonly firstLegSid: string;
  readonly secondLegSid: string;
  readonly from: string;
  readonly to: string;
  readonly callerId: string;
  readonly ringSeconds: number;
  readonly maxSeconds: number;
  readonly recordingSid: string;
  readonly isRecorded: boolean;
  readonly keyPrompt?: string | null;
}

/** Without `next`, the receiver of the inbound-call webhook is asked. */
export function beginInbound(order: NewCall & { readonly next: NextStep | undefined }, at: Date): CallStep {
  const ringing = { ...newLeg(order, "Inbound", order.from, order.to), status: "Ringing", rangOn: at } as const;
  const state: CallState = {
    ...newState(order, "Inbound", [ringing], at),
    phase: order.next ? "Answering" : "Asking",
    next: order.next,
  };
  if (!order.next) return [state, [{ do: "ring" }, { do: "ask" }]];
  if (order.next.kind === "hangUp") return end({ ...state, phase: "Asking" }, at, endOf(order.next));
  return [
    order.next.kind === "dial" ? withRecording(state, order.next.record) : state,
    [{ do: "tell", leg: "First", status: "Ringing" }, { do: "ring" }, { do: "answer" }],
  ];
}

/** Both legs show the caller id: the first party is called first, then the second. */
export function beginOutbound(order: NewCall, at: Date): CallStep {
  const first = newLeg(order, "Outbound", order.callerId, order.from);
  return beginDialling({
    ...withRecording({
      ...newState(order, "Outbound", [first], at),
      phase: "DiallingFirst",
      next: dialNext(order.to),
    }),
  });
}

/** Begins an outbound call that is stored already, perhaps by another process. */
export function beginDialling(state: CallState): CallStep {
  return [
    state,
    [
      { do: "dial", leg: "First" },
      { do: "start", timer: "ring", leg: "First", ms: ringMs(state) },
    ],
  ];
}

/** The next step of a call without a second party. */
export function announceNext(text: string, isBusy = false): NextStep {
  if (text !== "") return { kind: "speak", text };
  return { kind: "hangUp", reason: "ScriptHangup", sipCode: isBusy ? 486 : 603 };
}

/** The state of a call of which only the record is left: it can only be ended. */
export function stateOf(call: Call, secondLegSid: string): CallState {
  const phase = call.status === "Completed" ? "Ended" : legOf(call, "Second") ? "DiallingSecond" : "DiallingFirst";
  const { sid: recordingSid = "" } = call.recording ?? {};
  const recorded = { recordingSid, isRecordedByDefault: call.recording !== null };
  const wishes = { ringSeconds: 0, maxSeconds: 0, keyPrompt: null, prompts: 0, ...recorded };
  return { call, phase, next: dialNext(call.to), secondLegSid, ...wishes };
}

export function step(state: CallState, input: CallInput, at: Date): CallStep {
  // The last audio may still be on its way to disk.
  if (state.phase === "Ended" && input.kind === "recordingFault")
    return [takeRecordingFault(state, input.reason)[0], []];
  if (state.phase === "Ended") return [state, []];
  if ("leg" in input && input.leg !== undefined && !legOf(state.call, input.leg)) return [state, []];
  switch (input.kind) {
    case "ringing":
      return takeRinging(state, input, at);
    case "answered":
      return takeAnswered(state, input.leg, at);
    case "script":
      return takeScript(state, input.next, at);
    case "refused":
      return takeRefused(state, input, at);
    case "canceled":
      return end(state, at, { reason: "Canceled", by: input.leg, endedLeg: input.leg });
    case "ended":
      return takeEnded(state, input, at);
    case "inactive":
      return HAS_MEDIA.has(state.phase)
        ? end(state, at, { reason: "MediaTimeout", by: "Service", details: { leg: input.leg } })
        : [state, []];
    case "digit":
      return takeDigit(state);
    case "played":
      return takePlayed(state, at);
    case "speechFailed":
      return takeSpeechFailed(state, input.reason, at);
    case "timer":
      return takeTimer(state, input, at);
    case "recordingControl":
      return takeRecordingControl(state, input.action, at);
    case "recordingFault":
      return takeRecordingFault(state, input.reason);
    case "hangUp":
      return end(state, at, { reason: input.reason, by: input.by });
    default:
      return input satisfies never;
  }
}

function takeRinging(state: CallState, { leg, hasMedia }: CallInput & { kind: "ringing" }, at: Date): CallStep {
  const isAwaited = state.phase === (leg === "First" ? "DiallingFirst" : "DiallingSecond");
  if (!isAwaited) return [state, []];
  const early: readonly CallCommand[] = leg === "Second" && hasMedia ? [{ do: "playEarlyMedia" }] : [];
  return joinSteps([], ring(state, leg, at), early);
}

/** Ringing is reported once; for a leg that is answered without ringing, at that moment. */
function ring(state: CallState, name: LegName, at: Date): CallStep {
  if (legOf(state.call, name)?.status !== "Started") return [state, []];
  const rung = withLeg(state, name, { status: "Ringing", rangOn: at });
  return [{ ...rung, call: { ...rung.call, status: "Ringing" } }, [{ do: "tell", leg: name, status: "Ringing" }]];
}

function takeAnswered(state: CallState, name: LegName, at: Date): CallStep {
  const { phase, next } = state;
  if (name === "First" && (phase === "Answering" || phase === "DiallingFirst")) {
    const [answered, told] = answer(state, name, at);
    if (next?.kind === "speak") return joinSteps(told, speak(answered, next.text));
    if (next?.kind !== "dial") return joinSteps(told, end(answered, at, endOf(next)));
    return joinSteps(told, state.keyPrompt === null ? dialSecond(answered, next.to) : awaitKey(answered));
  }
  if (name === "Second" && phase === "DiallingSecond") {
    const [answered, told] = answer(state, name, at);
    const call = { ...answered.call, status: "Answered" as const, answeredOn: at };
    const duration: CallCommand = { do: "start", timer: "duration", ms: maxMs(state) };
    return joinSteps([...told, { do: "join" }], record({ ...answered, call, phase: "Joined" }, at), [duration]);
  }
  return [state, []];
}

/** Begins a segment where the legs are joined and the recording is not paused. */
function record(state: CallState, at: Date): CallStep {
  const { recording } = state.call;
  if (state.phase !== "Joined" || recording?.status !== "Recording") return [state, []];
  const begun = withNewSegment(recording, at);
  return [withCall(state, { recording: begun }), [{ do: "record", index: begun.segments.length }]];
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
  const { recording } = state.call;
  if (!recording || recording.fault !== null) return [state, []];
  const details = { fault: reason, reason: "Audio of the recording could not be written." };
  return [
    withCall(state, { recording: { ...recording, fault: reason } }),
    [{ do: "note", step: "recording", details }],
  ];
}

function answer(state: CallState, name: LegName, at: Date): CallStep {
  const [rung, told] = ring(state, name, at);
  const answered = withLeg(rung, name, { status: "Answered", answeredOn: at });
  return [answered, [...told, { do: "tell", leg: name, status: "Answered" }]];
}

function speak(state: CallState, text: string): CallStep {
  return [
    { ...state, phase: "Speaking" },
    [
      { do: "speak", text },
      { do: "start", timer: "speech", ms: Math.min(SPEECH_MS_MAX, state.maxSeconds * 1000) },
    ],
  ];
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

function takeDigit(state: CallState): CallStep {
  if (state.phase !== "Prompting" || state.next?.kind !== "dial") return [state, []];
  const pressed: CallCommand = { do: "note", step: "keyPressed", details: { prompts: state.prompts } };
  return joinSteps([{ do: "listenForKeys", on: false }, pressed], dialSecond(state, state.next.to));
}

function takePlayed(state: CallState, at: Date): CallStep {
  if (state.phase === "Prompting") return prompt(state);
  return state.phase === "Speaking" ? end(state, at, SPOKEN) : [state, []];
}

/** A call that was to be hung up after the text is hung up anyway; without a prompt no key would be pressed. */
function takeSpeechFailed(state: CallState, reason: string, at: Date): CallStep {
  const details = { reason: `The text could not be spoken: ${reason}` };
  if (state.phase === "Speaking") return end(state, at, { ...SPOKEN, details });
  return state.phase === "Prompting" ? end(state, at, { reason: "Failed", by: "Service", details }) : [state, []];
}

function dialSecond(state: CallState, to: string): CallStep {
  const { call, secondLegSid: firstLegSid } = state;
  const second = { ...newLeg({ firstLegSid }, "Outbound", call.callerId, to), leg: "Second" as const };
  const dialled: CallState = { ...state, phase: "DiallingSecond", call: { ...call, legs: [...call.legs, second] } };
  return [
    dialled,
    [
      { do: "playRingback" },
      { do: "dial", leg: "Second" },
      { do: "start", timer: "ring", leg: "Second", ms: secondRingSeconds(state) * 1000 },
    ],
  ];
}

function takeScript(state: CallState, next: NextStep, at: Date): CallStep {
  if (state.phase !== "Asking") return [state, []];
  if (next.kind === "hangUp") return end(state, at, endOf(next));
  const answering = { ...state, phase: "Answering", next } as const;
  return [next.kind === "dial" ? withRecording(answering, next.record) : answering, [{ do: "answer" }]];
}

function takeRefused(state: CallState, { leg, sipCode, reason }: CallInput & { kind: "refused" }, at: Date): CallStep {
  const refusedState = withLeg(state, leg, { sipCode });
  const details = { leg, sipCode, reason };
  if (leg === "Second" && state.phase === "DiallingSecond" && BUSY.has(sipCode)) {
    const noted: CallCommand = { do: "note", step: "busy", details };
    const busy: CallCommand = { do: "start", timer: "busy", ms: BUSY_MS };
    return [{ ...refusedState, phase: "Busy" }, [noted, { do: "playBusy" }, busy]];
  }
  return end(refusedState, at, { reason: reasonOf(sipCode), by: leg, details, endedLeg: leg });
}

function takeEnded(state: CallState, { leg, by, reason }: CallInput & { kind: "ended" }, at: Date): CallStep {
  const details = { leg, by, ...(reason === undefined ? {} : { reason }) };
  if (state.phase === "Busy") return end(state, at, { reason: "Busy", by: "Second", endedLeg: leg });
  if (by !== "peer") return end(state, at, { reason: "Failed", by: "Service", details, endedLeg: leg });
  return end(state, at, { reason: state.phase === "Joined" ? "Completed" : "Canceled", by: leg, endedLeg: leg });
}

function takeTimer(state: CallState, { timer, leg }: CallInput & { kind: "timer" }, at: Date): CallStep {
  if (timer === "duration") {
    return state.phase === "Joined" ? end(state, at, { reason: "MaxDuration", by: "Service" }) : [state, []];
  }
  if (timer === "key") {
    return state.phase === "Prompting" ? end(state, at, { reason: "NotAcknowledged", by: "First" }) : [state, []];
  }
  if (timer === "busy") {
    const isHeard = state.phase === "Busy";
    return isHeard ? end(state, at, { reason: "Busy", by: "Second", endedLeg: "Second" }) : [state, []];
  }
  if (timer === "speech") return state.phase === "Speaking" ? end(state, at, SPOKEN) : [state, []];
  const isRinging = state.phase === (leg === "First" ? "DiallingFirst" : "DiallingSecond");
  if (!isRinging || leg === undefined) return [state, []];
  return end(state, at, {
    reason: "NoAnswer",
    by: leg,
    details: { leg, afterSeconds: leg === "First" ? state.ringSeconds : secondRingSeconds(state) },
  });
}

interface Ending {
  readonly reason: EndReason;
  readonly by: EndedBy;
  readonly details?: Readonly<Record<string, unknown>>;
  /** The leg that has ended and need not be hung up. */
  readonly endedLeg?: LegName;
  /** For the final response, if the first leg is not answered yet. */
  readonly sipCode?: number;
}

/** The first leg completes before the second, whichever party hung up. */
function end(state: CallState, at: Date, { reason, by, details, endedLeg, sipCode }: Ending): CallStep {
  const completed = { status: "Completed", completedOn: at, endReason: reason } as const;
  const legs = state.call.legs.map((leg) => ({ ...leg, ...completed }));
  const recording = state.call.recording && endedRecording(state.call.recording);
  const call: Call = { ...state.call, ...completed, endedBy: by, legs, recording };
  const hangUps = legs
    .filter(({ leg }) => leg !== endedLeg)
    .map(({ leg }): CallCommand => {
      const isUnanswered = leg === "First" && state.phase === "Asking";
      return isUnanswered ? { do: "reject", sipCode: sipCode ?? 480 } : { do: "hangUp", leg };
    });
  const told = legs.map(({ leg }): CallCommand => ({ do: "tell", leg, status: "Completed" }));
  const notes: readonly CallCommand[] = details === undefined ? [] : [{ do: "note", step: "ending", details }];
  return [{ ...state, call, phase: "Ended" }, [...hangUps, ...told, ...notes, { do: "end" }]];
}

const SPOKEN: Ending = { reason: "ScriptHangup", by: "Service" };
/** Time allowed for the key press, and how often the prompt plays. */
const KEY_MS = 20_000;
const PROMPTS = 3;
/** Ends the call whatever goes wrong; the longest text takes a third of it. */
const SPEECH_MS_MAX = 900_000;
/** How long the first party hears the busy tone. */
const BUSY_MS = 3_000;
/** The phases in which a party that sends no media counts as gone. */
const HAS_MEDIA: ReadonlySet<Phase> = new Set<Phase>(["Prompting", "Speaking", "Joined"]);

function endOf(next: NextStep | undefined): Ending {
  if (next?.kind !== "hangUp") return { reason: "Failed", by: "Service" };
  return { reason: next.reason, by: "Service", sipCode: next.sipCode };
}

const BUSY = new Set([486, 600]);
const NO_ANSWER = new Set([408, 480, 487]);
const REJECTED = new Set([401, 403, 407, 433, 603, 607, 608]);

function reasonOf(sipCode: number): EndReason {
  if (BUSY.has(sipCode)) return "Busy";
  if (NO_ANSWER.has(sipCode)) return "NoAnswer";
  return REJECTED.has(sipCode) ? "Rejected" : "Failed";
}

function joinSteps(
  before: readonly CallCommand[],
  [state, commands]: CallStep,
  after: readonly CallCommand[] = [],
): CallStep {
  return [state, [...before, ...commands, ...after]];
}

function withCall(state: CallState, change: { readonly recording: CallRecording }): CallState {
  return { ...state, call: { ...state.call, ...change } };
}

/** `isWanted`: the choice of the script. */
function withRecording(state: CallState, isWanted = state.isRecordedByDefault): CallState {
  return isWanted ? withCall(state, { recording: newRecording(state.recordingSid) }) : state;
}

function withLeg(state: CallState, name: LegName, change: Partial<Leg>): CallState {
  const legs = state.call.legs.map((leg) => (leg.leg === name ? { ...leg, ...change } : leg));
  return { ...state, call: { ...state.call, legs } };
}

function newState(order: NewCall, direction: Call["direction"], legs: readonly Leg[], at: Date) {
  const { sid, accountSid, from, to, callerId, secondLegSid, ringSeconds, maxSeconds, keyPrompt = null } = order;
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
  };
  const { recordingSid, isRecorded: isRecordedByDefault } = order;
  const wishes = { ringSeconds, maxSeconds, keyPrompt, recordingSid, isRecordedByDefault };
  return { call, secondLegSid, prompts: 0, ...wishes };
}

function newLeg({ firstLegSid }: Pick<NewCall, "firstLegSid">, direction: Leg["direction"], from: string, to: string) {
  const begun = { rangOn: null, answeredOn: null, completedOn: null, endReason: null, sipCode: null, media: null };
  return { sid: firstLegSid, leg: "First", direction, from, to, status: "Started", ...begun } as const;
}

const dialNext = (to: string): NextStep => ({ kind: "dial", to });
const ringMs = ({ ringSeconds }: CallState) => ringSeconds * 1000;
const secondRingSeconds = ({ next, ringSeconds }: CallState) =>
  (next?.kind === "dial" ? next.ringSeconds : undefined) ?? ringSeconds;
const maxMs = ({ next, maxSeconds }: CallState) =>
  1000 * Math.min(maxSeconds, (next?.kind === "dial" ? next.maxSeconds : undefined) ?? maxSeconds);
