// The program of a call, as values: what it does for the first party, one instruction after another. Settings of a
// number, an order of the API and scripts all become a program; run-program.ts runs it.

import type { EndReason } from "./call.ts";
import type { ConferenceOrder } from "./conference.ts";
import type { JudgedTarget } from "./ports.ts";
import type { RecordingCallback } from "./recording.ts";
import type { ScriptDocument } from "./script.ts";
import type { StreamOrder } from "./stream.ts";

export type Program = readonly Instruction[];

export type Instruction =
  | Say
  | Play
  | Pause
  | Press
  | Dial
  | Confer
  | Gather
  | RecordParty
  | Connect
  | StartStream
  | StopStream
  | Redirect
  | HangUp;

export interface Say {
  readonly kind: "say";
  readonly text: string;
  /** How often the text is said. */
  readonly times: number;
}

/** Plays the sound at a URL. */
export interface Play {
  readonly kind: "play";
  readonly url: string;
  /** How often it is played. */
  readonly times: number;
}

/** Before the call is answered, the caller hears ringing meanwhile. */
export interface Pause {
  readonly kind: "pause";
  readonly seconds: number;
}

/** Sends keys to the first party: 0 to 9, A to D, * and #; `w` waits for half a second, `W` for a second. */
export interface Press {
  readonly kind: "press";
  readonly keys: string;
}

/** A party that is dialled. */
export interface Callee {
  /** The sid that the leg gets. */
  readonly legSid: string;
  readonly to: string;
  /** What is dialled for `to`, if that was judged already. */
  readonly judged?: JudgedTarget | undefined;
  /** What it hears when it has answered, before it is connected. */
  readonly whisper?: ScriptDocument | undefined;
}

/** Calls a second party and connects it with the first. */
export interface Dial extends Callee {
  readonly kind: "dial";
  /** Called at the same time: the first party to answer is connected. */
  readonly others?: readonly Callee[] | undefined;
  /** It may not be called. */
  readonly isForbidden?: boolean | undefined;
  /** The choice of the script; undefined: that of the number or the order. */
  readonly record?: boolean | undefined;
  /** How long the party may ring; undefined: as for the call. */
  readonly ringSeconds?: number | undefined;
  /** How long the parties may be connected; undefined: as long as the call may last. */
  readonly maxSeconds?: number | undefined;
  /** The first party ends the dial with the star key. */
  readonly endsOnStar?: boolean | undefined;
  /** Whose number the party sees; undefined: that of the call. */
  readonly callerId?: string | undefined;
  /** The caller is answered when the party has answered, and not before. */
  readonly answersOnBridge?: boolean | undefined;
  /** Asked how to go on when the party is gone; undefined: the next instruction follows. */
  readonly action?: ScriptDocument | undefined;
}

/** Brings the first party into a conference, until it leaves or the conference ends. */
export interface Confer {
  readonly kind: "confer";
  readonly conference: ConferenceOrder;
  /** How long it may be in the conference; undefined: as long as the call may last. */
  readonly maxSeconds?: number | undefined;
  /** The party leaves with the star key. */
  readonly endsOnStar?: boolean | undefined;
  /** Asked how to go on afterwards; undefined: the next instruction follows. */
  readonly action?: ScriptDocument | undefined;
}

/** What is heard while keys are collected. */
export type Prompt = Say | Play | Pause;

/** Collects keys while texts are said and after them, and asks how to go on. */
export interface Gather {
  readonly kind: "gather";
  readonly prompts: readonly Prompt[];
  readonly action: ScriptDocument;
  /** This many keys are enough. */
  readonly digitsMax: number;
  /** Each of them ends the collection, and is not part of it. */
  readonly finishKeys: string;
  /** How long the next key is awaited. */
  readonly timeoutSeconds: number;
  /** Without a key the action is asked too; otherwise the next instruction follows. */
  readonly asksWithoutDigits: boolean;
}

/** Carries the first party's sound to a program and back, until either of them ends it. */
export interface Connect {
  readonly kind: "connect";
  readonly stream: StreamOrder;
  /** Asked how to go on when the stream is over; absent: the next instruction follows. */
  readonly action?: ScriptDocument | undefined;
}

/** A program hears the call from now on, while it goes on. */
export interface StartStream {
  readonly kind: "startStream";
  readonly stream: StreamOrder;
}

export interface StopStream {
  readonly kind: "stopStream";
  readonly name: string;
}

/** Records the first party, and asks how to go on: what follows is never reached. */
export interface RecordParty {
  readonly kind: "record";
  /** The sid that the recording gets. */
  readonly recordingSid: string;
  readonly action: ScriptDocument;
  readonly maxSeconds: number;
  /** So much silence ends it; 0: none does. */
  readonly silenceSeconds: number;
  /** Each of them ends it. */
  readonly finishKeys: string;
  /** The party hears a tone before. */
  readonly beeps: boolean;
  /** Notified when the recording is ready, instead of subscriptions. */
  readonly callback?: RecordingCallback | undefined;
}

/** Goes on with another document. What follows it is never reached. */
export interface Redirect {
  readonly kind: "redirect";
  readonly document: ScriptDocument;
}

/** What a request for the next document says. */
export type DocumentFacts =
  | { readonly kind: "redirected" }
  | { readonly kind: "gathered"; readonly digits: string }
  | { readonly kind: "streamed"; readonly streamSid: string; readonly name: string; readonly fault: string | null }
  /** Without a conference, the party could not enter. */
  | { readonly kind: "conferred"; readonly conferenceSid: string | null; readonly fault: string | null }
  /** `digits` is the key that ended it, or `hangup`. */
  | { readonly kind: "recorded"; readonly recordingSid: string; readonly digits: string }
  /** Without a leg, the party could not be dialled. */
  | {
      readonly kind: "dialled";
      readonly legSid: string | null;
      readonly reason: EndReason;
      /** It answered, and was not connected. */
      readonly isUnbridged?: true | undefined;
    };

/** Ends the call, without answering it where that is still possible. */
export interface HangUp {
  readonly kind: "hangUp";
  readonly reason: EndReason;
  /** The final response of a call that is not answered. */
  readonly sipCode: number;
}

/** Those that are called at the same time, in the order of the script. */
export function calleesOf(dial: Dial): readonly Callee[] {
  return [dial, ...(dial.others ?? [])];
}

/** How many parties a dial may call at the same time. */
export const CALLEES_MAX = 10;
/** How many instructions a call may begin. */
export const INSTRUCTIONS_MAX = 1_000;
/** The most times that a text is said or a sound is played, which is how often without end. */
export const TIMES_MAX = 1_000;
export const PAUSE_SECONDS_MAX = 600;
export const DIGITS_MAX = 250;
export const PRESSED_MAX = 100;
export const RECORD_SECONDS = { max: 14_400, usual: 3_600 } as const;
export const RECORD_SILENCE_SECONDS = { max: 600, usual: 5 } as const;
export const RECORD_FINISH_KEYS = "1234567890*#";
export const GATHER_SECONDS = { max: 600, usual: 5 } as const;

const SHOWN_CHARACTERS_MAX = 100;

/** An instruction as the trail of a call shows it. */
export function shownInstruction(instruction: Instruction): Readonly<Record<string, unknown>> {
  switch (instruction.kind) {
    case "say":
      return { say: shortened(instruction.text), ...(instruction.times > 1 && { times: instruction.times }) };
    case "play":
      return { play: instruction.url, ...(instruction.times > 1 && { times: instruction.times }) };
    case "pause":
      return { pause: instruction.seconds };
    case "press":
      return { press: instruction.keys };
    case "dial":
      return {
        dial: calleesOf(instruction)
          .map(({ to }) => to)
          .join(", "),
      };
    case "confer":
      return { conference: instruction.conference.name, ...recordedOf(instruction.conference) };
    case "gather":
      return { gather: instruction.prompts.map(shownInstruction) };
    case "connect":
      return { connect: instruction.stream.url, ...callbackOf(instruction.stream) };
    case "startStream":
      return { startStream: instruction.stream.url, ...callbackOf(instruction.stream) };
    case "stopStream":
      return { stopStream: instruction.name };
    case "record":
      return { record: instruction.recordingSid };
    case "redirect":
      return { redirect: instruction.document.url };
    case "hangUp":
      return { hangUp: true };
    default:
      return instruction satisfies never;
  }
}

function recordedOf({ recording }: ConferenceOrder): Readonly<Record<string, unknown>> {
  return recording ? { isRecorded: true, ...callbackOf(recording) } : {};
}

function callbackOf({ callbackUrl }: Pick<StreamOrder, "callbackUrl">): Readonly<Record<string, unknown>> {
  return callbackUrl === undefined ? {} : { callback: callbackUrl };
}

function shortened(text: string): string {
  const characters = [...text];
  if (characters.length <= SHOWN_CHARACTERS_MAX) return text;
  return `${characters.slice(0, SHOWN_CHARACTERS_MAX - 1).join("")}…`;
}
