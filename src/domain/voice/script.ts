// What scripts of calls say, whatever their language, and where they come from.

import type { PayloadShape } from "../events.ts";
import type { ConferenceOrder } from "./conference.ts";
import type { StreamOrder } from "./stream.ts";

/** What a script requests, in order. */
export type CallScript = readonly ScriptInstruction[];

export type ScriptInstruction =
  | {
      readonly kind: "say";
      readonly text: string;
      readonly times?: number | undefined;
      readonly voice?: VoiceUse | undefined;
    }
  | { readonly kind: "play"; readonly url: string; readonly times?: number | undefined }
  | { readonly kind: "pause"; readonly seconds: number }
  | { readonly kind: "press"; readonly keys: string }
  | ScriptDial
  | {
      readonly kind: "confer";
      readonly conference: ConferenceOrder;
      readonly maxSeconds?: number | undefined;
      readonly endsOnStar?: boolean | undefined;
      readonly action?: ScriptDocument | undefined;
    }
  | {
      readonly kind: "connect";
      readonly stream: StreamOrder;
      readonly action?: ScriptDocument | undefined;
    }
  | { readonly kind: "startStream"; readonly stream: StreamOrder }
  | { readonly kind: "stopStream"; readonly name: string }
  | { readonly kind: "redirect"; readonly document: ScriptDocument }
  | {
      readonly kind: "gather";
      readonly prompts: readonly ScriptPrompt[];
      readonly action: ScriptDocument;
      readonly digitsMax: number;
      readonly finishKeys: string;
      readonly timeoutSeconds: number;
      readonly asksWithoutDigits: boolean;
    }
  | {
      readonly kind: "record";
      readonly action: ScriptDocument;
      readonly maxSeconds: number;
      readonly silenceSeconds: number;
      readonly finishKeys: string;
      readonly beeps: boolean;
      /** Notified when the recording is ready. */
      readonly callbackUrl?: string | undefined;
    }
  /** A call that is not answered yet is rejected, as busy or not. */
  | { readonly kind: "hangUp"; readonly isBusy?: boolean | undefined };

/** A party that a script dials. */
export interface ScriptCallee {
  readonly to: string;
  /** What it hears when it has answered, before it is connected. */
  readonly whisper?: ScriptDocument | undefined;
}

export interface ScriptDial extends ScriptCallee {
  readonly kind: "dial";
  /** Called at the same time. */
  readonly others?: readonly ScriptCallee[] | undefined;
  /** Null: as in the number's settings. */
  readonly record: boolean | null;
  /** How long the party may ring, and how long the parties may be connected; absent: the defaults. */
  readonly ringSeconds?: number | undefined;
  readonly maxSeconds?: number | undefined;
  readonly endsOnStar?: boolean | undefined;
  readonly callerId?: string | undefined;
  readonly answersOnBridge?: boolean | undefined;
  readonly action?: ScriptDocument | undefined;
}

export type ScriptPrompt = Extract<ScriptInstruction, { readonly kind: "say" | "play" | "pause" }>;

/** The voice that a script requests, and the one that speaks. */
export interface VoiceUse {
  readonly asked: string;
  readonly spokenBy: string;
}

/** Where a script comes from. The URL is absolute and has no fragment. */
export interface ScriptDocument {
  readonly url: string;
  readonly method: "POST" | "GET";
}

/** What an ordered call does for its party. */
export interface OrderedProgram {
  readonly script: CallScript;
  readonly source: StoredSource;
}

/** How the receiver of a call's webhook is asked for further documents. */
export interface StoredSource {
  /** The document that is being run. */
  readonly document: ScriptDocument;
  /** Asked when another document does not come, or is invalid. */
  readonly fallback?: ScriptDocument | undefined;
  readonly shape: PayloadShape;
}
