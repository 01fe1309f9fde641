// The state of a call between two inputs, the inputs and commands, and the moves that all parts of the call flow share:
// a leg rings, is answered, the call ends.

import { type Call, type CallStatus, type EndedBy, type EndReason, type Leg, type LegName, legOf } from "./call.ts";
import type { ConferenceOrder, LeaveReason } from "./conference.ts";
import type { CallStepKind } from "./ports.ts";
import type { Dial, DocumentFacts, Gather, Instruction, Program } from "./program.ts";
import { endedProgramRecording, endedRecording, type RecordingAction } from "./recording.ts";
import type { ScriptDocument } from "./script.ts";
import type { StreamOrder } from "./stream.ts";

export type Phase =
  /** A script is awaited. */
  | "Asking"
  | "Answering"
  | "DiallingFirst"
  /** The first party is asked to press a key. */
  | "Prompting"
  /** The first party hears a text. */
  | "Speaking"
  /** The first party waits, in silence, or ringing if it is not answered. */
  | "Pausing"
  /** Keys are sent to the first party. */
  | "Pressing"
  /** The first party is to press keys. */
  | "Listening"
  /** The first party's sound goes to a program and back. */
  | "Streaming"
  /** The first party is in a conference. */
  | "Conferring"
  /** The first party hears the tone after which it is recorded. */
  | "Beeping"
  /** The first party is recorded. */
  | "Recording"
  | "DiallingSecond"
  /** The second party has answered; the first is being answered, and is connected with it then. */
  | "Bridging"
  /** The second party is busy; the first hears the busy tone for a while. */
  | "Busy"
  | "Joined"
  | "Ended";

export interface CallState {
  readonly call: Call;
  readonly phase: Phase;
  /** What is left of the program, the next instruction first; empty while the script is awaited. */
  readonly left: Program;
  /** The instruction that is under way. */
  readonly running: Instruction | undefined;
  /** How many instructions were begun. */
  readonly begun: number;
  /** Counts what was waited for: a timer and an answer of an earlier turn come too late. */
  readonly turn: number;
  /** The keys of the `Gather` that is under way; `left` has its prompts, and `rest` is what follows it. */
  readonly gathering: { readonly gather: Gather; readonly digits: string; readonly rest: Program } | undefined;
  /** A program is run for the party that has answered; this is the dial, and what follows it. */
  readonly whisper: { readonly dial: Dial; readonly left: Program } | undefined;
  /** The conference that the first party is in. */
  readonly conferenceSid: string | null;
  /** The keys that are still to be sent. */
  readonly pressing: string;
  /** How often the text that is being said is still to be said. */
  readonly repeats: number;
  /** Whether each instruction is noted: a program of one is noted when it is read. */
  readonly isNarrated: boolean;
  /** The answer to the caller is on its way. */
  readonly isAnswering: boolean;
  /** The time that the call may last is running. */
  readonly isTimed: boolean;
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

export type TimerName =
  | "ring"
  | "duration"
  | "talk"
  | "key"
  | "digits"
  | "recording"
  | "press"
  | "speech"
  | "pause"
  | "busy";

export type CallInput =
  /** `legSid` says which of several second legs it is, here and below. */
  | {
      readonly kind: "ringing";
      readonly leg: LegName;
      readonly legSid?: string | undefined;
      readonly hasMedia: boolean;
    }
  /** The leg is connected: its 200 was received, or the ACK of ours. */
  | { readonly kind: "answered"; readonly leg: LegName; readonly legSid?: string | undefined }
  /** `isOurs`: the leg's peer did not send the code. */
  | {
      readonly kind: "refused";
      readonly leg: LegName;
      readonly legSid?: string | undefined;
      readonly sipCode: number;
      readonly reason: string;
      readonly isOurs?: boolean | undefined;
    }
  | { readonly kind: "canceled"; readonly leg: LegName }
  | {
      readonly kind: "ended";
      readonly leg: LegName;
      readonly legSid?: string | undefined;
      readonly by: "peer" | "timeout" | "us";
      readonly reason?: string | undefined;
    }
  /** The party sends no audio; `isLost`: it has none any more, in whatever phase. */
  | { readonly kind: "inactive"; readonly leg: LegName; readonly isLost?: boolean | undefined }
  /** A key was pressed. */
  | { readonly kind: "key"; readonly leg: LegName; readonly digit: string }
  /** The text was spoken, and the silence after it has passed. */
  | { readonly kind: "played"; readonly leg: LegName }
  /** The party was silent for as long as that was listened for. */
  | { readonly kind: "silence"; readonly leg: LegName }
  | { readonly kind: "speechFailed"; readonly leg: LegName; readonly reason: string }
  /** The stream that the first party was connected with is over. */
  | {
      readonly kind: "streamEnded";
      readonly turn: number;
      readonly streamSid: string;
      readonly fault: string | null;
    }
  | { readonly kind: "conferenceEntered"; readonly turn: number; readonly conferenceSid: string }
  /** The first party is in the conference no longer, or could not enter it. */
  | {
      readonly kind: "conferenceLeft";
      readonly turn: number;
      readonly conferenceSid: string | null;
      readonly fault: string | null;
    }
  | { readonly kind: "script"; readonly program: Program; readonly turn: number }
  /** The call is to go on with another program at once. */
  | { readonly kind: "redirect"; readonly program: Program }
  | {
      readonly kind: "timer";
      readonly timer: TimerName;
      readonly leg?: LegName | undefined;
      readonly turn?: number | undefined;
    }
  | { readonly kind: "recordingControl"; readonly action: RecordingAction }
  /** Audio could not be written. */
  | { readonly kind: "recordingFault"; readonly reason: string }
  /** The second leg is to end, and the call goes on. */
  | { readonly kind: "hangUpParty"; readonly leg: "Second"; readonly legSid: string }
  | { readonly kind: "hangUp"; readonly by: "Api" | "Service"; readonly reason: EndReason };

/** One of the legs: a call may have had several second ones. */
export interface LegMark {
  readonly leg: LegName;
  readonly legSid: string;
}

export type CallCommand =
  | { readonly do: "ring" }
  | { readonly do: "ask" }
  /** Asks for the next document; `script` follows. */
  | {
      readonly do: "fetch";
      readonly document: ScriptDocument;
      readonly facts: DocumentFacts;
      readonly turn: number;
      /** The program is that of this second leg. */
      readonly legSid?: string | undefined;
    }
  /** Tells who would have been asked how the program goes on that it goes on elsewhere; the answer does not count. */
  | { readonly do: "inform"; readonly document: ScriptDocument; readonly facts: DocumentFacts }
  | { readonly do: "answer" }
  | { readonly do: "reject"; readonly sipCode: number }
  | ({ readonly do: "dial" } & LegMark)
  | ({ readonly do: "hangUp" } & LegMark)
  /** The first leg no longer hears this second leg, nor what was played while it was dialled; the call goes on. */
  | ({ readonly do: "part" } & LegMark)
  /** The second leg was never connected, and others of the same dial are still called. */
  | ({ readonly do: "drop" } & LegMark)
  | { readonly do: "playRingback" }
  | { readonly do: "playBusy" }
  /** The first leg hears the early media of the second. */
  | { readonly do: "playEarlyMedia" }
  | { readonly do: "join" }
  /** Begins a segment of the recording. */
  | { readonly do: "record"; readonly index: number }
  /** Ends the segment that is being recorded. */
  | { readonly do: "pauseRecording" }
  /** Starts or stops listening for keys of the first party; of another one where `leg` says so, here and below. */
  | { readonly do: "listenForKeys"; readonly on: boolean; readonly leg?: LegName | undefined }
  /** `silence` follows when the first party was silent for so long; undefined: it is listened for no more. */
  | { readonly do: "listenForSilence"; readonly ms: number | undefined }
  /** Begins the recording of the first party; `pauseRecording` ends it. */
  | { readonly do: "recordFirst"; readonly recordingSid: string }
  /** The first party hears a tone; `played` follows. */
  | { readonly do: "beep" }
  /** The first party hears the prompt once; `played` follows. */
  | { readonly do: "prompt"; readonly text: string }
  /** The first party hears the sound at the URL; `played` follows. */
  | { readonly do: "play"; readonly url: string; readonly leg?: LegName | undefined }
  /** The first party hears the text; `played` follows. */
  | { readonly do: "speak"; readonly text: string; readonly leg?: LegName | undefined }
  /** The first party gets a key, by telephone-event or INFO. */
  | { readonly do: "press"; readonly digit: string; readonly ms: number; readonly leg?: LegName | undefined }
  /** Connects the first party with a program; `streamEnded` follows. */
  | { readonly do: "connectStream"; readonly order: StreamOrder; readonly turn: number }
  /** A program hears the call from now on. */
  | { readonly do: "startStream"; readonly order: StreamOrder }
  | { readonly do: "stopStream"; readonly name: string }
  /** Tells the program of a key. */
  | { readonly do: "streamKey"; readonly digit: string }
  /** The first party is connected with the program no longer. */
  | { readonly do: "disconnectStream" }
  /** The first party enters a conference; `conferenceEntered`, `conferenceLeft` or both follow. */
  | { readonly do: "enterConference"; readonly order: ConferenceOrder; readonly turn: number }
  | { readonly do: "leaveConference"; readonly reason: LeaveReason }
  /** The first party hears nothing more of the text. */
  | { readonly do: "stopSpeaking"; readonly leg?: LegName | undefined }
  /** Does not stop a running timer: the input of that timer is ignored when it no longer fits. */
  | {
      readonly do: "start";
      readonly timer: TimerName;
      readonly leg?: LegName;
      readonly turn?: number;
      readonly ms: number;
    }
  | ({ readonly do: "tell"; readonly status: Exclude<CallStatus, "Started"> } & LegMark)
  | { readonly do: "note"; readonly step: CallStepKind; readonly details: Readonly<Record<string, unknown>> }
  | { readonly do: "end" };

export type CallStep = readonly [CallState, readonly CallCommand[]];

/** Ringing is reported once; for a leg that is answered without ringing, at that moment. */
export function ring(state: CallState, leg: Leg | undefined, at: Date): CallStep {
  if (leg?.status !== "Started") return [state, []];
  const rung = withChanged(state, leg, { status: "Ringing", rangOn: at });
  // A call that was connected once stays so when its program dials another party.
  const status = rung.call.answeredOn === null ? "Ringing" : rung.call.status;
  return [{ ...rung, call: { ...rung.call, status } }, [{ do: "tell", ...markOf(leg), status: "Ringing" }]];
}

export function answer(state: CallState, name: LegName, at: Date): CallStep {
  const leg = legOf(state.call, name);
  if (!leg) return [state, []];
  const [rung, told] = ring(state, leg, at);
  const answered = withLeg(rung, name, { status: "Answered", answeredOn: at });
  return [answered, [...told, { do: "tell", ...markOf(leg), status: "Answered" }]];
}

export interface Ending {
  readonly reason: EndReason;
  readonly by: EndedBy;
  readonly details?: Readonly<Record<string, unknown>>;
  /** The leg that has ended and need not be hung up. */
  readonly endedLeg?: LegName;
  /** For the final response, if the first leg is not answered yet. */
  readonly sipCode?: number;
}

/** The first leg completes before the second, whichever party hung up. */
export function end(state: CallState, at: Date, { reason, by, details, endedLeg, sipCode }: Ending): CallStep {
  const completed = { status: "Completed", completedOn: at, endReason: reason } as const;
  const open = state.call.legs.filter(isOpen);
  const legs = state.call.legs.map((leg) => (isOpen(leg) ? { ...leg, ...completed } : leg));
  const recording = state.call.recording && endedRecording(state.call.recording);
  const programRecordings = state.call.programRecordings.map(endedProgramRecording);
  const call: Call = { ...state.call, ...completed, endedBy: by, legs, recording, programRecordings };
  const hangUps = open
    .filter(({ leg }) => leg !== endedLeg)
    .map((leg): CallCommand => {
      if (leg.leg === "First" && isUnanswered(state)) return { do: "reject", sipCode: sipCode ?? 480 };
      return { do: "hangUp", ...markOf(leg) };
    });
  const told = open.map((leg): CallCommand => ({ do: "tell", ...markOf(leg), status: "Completed" }));
  const notes: readonly CallCommand[] = details === undefined ? [] : [{ do: "note", step: "ending", details }];
  return [{ ...state, call, phase: "Ended", left: [] }, [...hangUps, ...told, ...notes, { do: "end" }]];
}

/** The caller of an inbound call still hears ringing, and no answer is on its way. */
export function isUnanswered(state: CallState): boolean {
  return isWaiting(state) && !state.isAnswering;
}

/** The caller of an inbound call is not connected with us yet. */
export function isWaiting({ call }: CallState): boolean {
  return call.direction === "Inbound" && legOf(call, "First")?.answeredOn === null;
}

const isOpen = ({ status }: Leg) => status !== "Completed";
export const markOf = ({ leg, sid }: Leg): LegMark => ({ leg, legSid: sid });

export function joinSteps(
  before: readonly CallCommand[],
  [state, commands]: CallStep,
  after: readonly CallCommand[] = [],
): CallStep {
  return [state, [...before, ...commands, ...after]];
}

/** Changes the leg of this name that is open. */
export function withLeg(state: CallState, name: LegName, change: Partial<Leg>): CallState {
  return withChanged(state, legOf(state.call, name), change);
}

export function withChanged(state: CallState, changed: Leg | undefined, change: Partial<Leg>): CallState {
  const legs = state.call.legs.map((leg) => (leg.sid === changed?.sid ? { ...leg, ...change } : leg));
  return { ...state, call: { ...state.call, legs } };
}

/** A leg that is about to be called, or that calls. */
export function newLeg(
  { leg, legSid }: LegMark,
  direction: Leg["direction"],
  { from, to }: { readonly from: string; readonly to: string },
): Leg {
  const begun = { rangOn: null, answeredOn: null, completedOn: null, endReason: null, sipCode: null, media: null };
  return { sid: legSid, leg, direction, from, to, status: "Started", ...begun };
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
