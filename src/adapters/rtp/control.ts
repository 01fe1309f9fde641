// The orders that the engine sends to the thread or process that holds the sockets, and the reports that come back.
// Both travel in lists, in order (gathered-sends.ts), and the sound of streams in one array of a list
// (packed-sound.ts).

import type { MediaSound, StreamFrame } from "../../domain/voice/ports.ts";
import type { Quality } from "../../wire/rtp/reception.ts";
import type { AgreedAudio } from "../../wire/sdp/negotiate.ts";

export interface LocalAddress {
  readonly family: 4 | 6;
  readonly address: string;
}

export type MediaOrder =
  | {
      readonly kind: "open";
      readonly leg: number;
      readonly rtpPort: number;
      readonly addresses: readonly LocalAddress[];
    }
  /** Its sockets are bound to other addresses from now on. */
  | {
      readonly kind: "move";
      readonly leg: number;
      readonly rtpPort: number;
      readonly addresses: readonly LocalAddress[];
    }
  | {
      readonly kind: "agree";
      readonly leg: number;
      readonly agreed: AgreedAudio;
      /** The peer is where its audio comes from, if that is one of these addresses or networks. */
      readonly latch?: LatchOrder | undefined;
    }
  | { readonly kind: "join"; readonly leg: number; readonly other: number }
  /** `leg` hears `other`, and not the reverse. */
  | { readonly kind: "listen"; readonly leg: number; readonly other: number }
  | { readonly kind: "play"; readonly leg: number; readonly sound: ToneSound }
  /** Replaces what is being played; its parts follow. */
  | { readonly kind: "speak"; readonly leg: number; readonly speech: number }
  | { readonly kind: "speechPart"; readonly leg: number; readonly speech: number; readonly samples: Int16Array }
  | { readonly kind: "speechEnd"; readonly leg: number; readonly speech: number; readonly tailMs: number }
  | { readonly kind: "stopPlaying"; readonly leg: number }
  | { readonly kind: "digit"; readonly leg: number; readonly digit: string; readonly ms: number }
  /** Records the peers' audio in a file. Times are those of `Date.now()`, which all threads and processes share. */
  | {
      readonly kind: "record";
      readonly leg: number;
      readonly other: number | undefined;
      readonly recorder: number;
      readonly file: string;
      readonly startedMs: number;
    }
  /** Records what all legs of a conference say together, in the same way. */
  | {
      readonly kind: "recordConference";
      readonly mix: number;
      readonly recorder: number;
      readonly file: string;
      readonly startedMs: number;
    }
  | { readonly kind: "stopRecording"; readonly recorder: number; readonly endedMs: number }
  | { readonly kind: "listenForKeys"; readonly leg: number; readonly on: boolean }
  /** The leg's audio is reported in `streamed`, and where it is two-way, what follows is played, until `stopStream`. */
  | { readonly kind: "stream"; readonly leg: number; readonly stream: number; readonly isTwoWay: boolean }
  /** Octets of µ-law. */
  | { readonly kind: "streamAudio"; readonly leg: number; readonly stream: number; readonly octets: Uint8Array }
  /** `marked` follows when the audio before it has been sent. */
  | { readonly kind: "streamMark"; readonly leg: number; readonly stream: number; readonly mark: number }
  | { readonly kind: "clearStream"; readonly leg: number; readonly stream: number }
  | { readonly kind: "stopStream"; readonly leg: number; readonly stream: number }
  /** `silence` follows when its peer was silent for so long; undefined: it is listened for no more. */
  | { readonly kind: "listenForSilence"; readonly leg: number; readonly ms: number | undefined }
  /** It is part of a conference from now on, which it hears, or in which it is heard, or both. */
  | {
      readonly kind: "confer";
      readonly leg: number;
      readonly mix: number;
      readonly speaks: boolean;
      readonly hears: boolean;
    }
  | { readonly kind: "leaveConference"; readonly leg: number }
  /** All who hear the conference hear a tone. */
  | { readonly kind: "conferenceTone"; readonly mix: number; readonly tone: "enter" | "exit" }
  /** `measured` follows. */
  | { readonly kind: "measure"; readonly leg: number }
  | { readonly kind: "close"; readonly leg: number };

export interface LatchOrder {
  readonly networks: readonly string[];
  /** Nothing may be sent to the agreed address. */
  readonly isForbidden: boolean;
}

export type ToneSound = Exclude<MediaSound, { readonly kind: "speech" }>;

export type MediaReport =
  /** A recorder has stopped; `samples` is the length of what it wrote. */
  | { readonly kind: "recorded"; readonly recorder: number; readonly samples: number }
  | { readonly kind: "recordingFault"; readonly recorder: number; readonly reason: string }
  /** The fast path is not available here; the portable one is used. */
  | { readonly kind: "notFast"; readonly reason: string }
  | { readonly kind: "opened"; readonly leg: number }
  /** A port could not be opened, for instance because another program uses it. */
  | { readonly kind: "refused"; readonly leg: number; readonly reason: string }
  | { readonly kind: "measured"; readonly leg: number; readonly quality: Quality }
  | { readonly kind: "closed"; readonly leg: number; readonly quality: Quality }
  | HeardDigit
  | { readonly kind: "inactive"; readonly leg: number }
  | { readonly kind: "silence"; readonly leg: number }
  /** No audio came from the agreed address, but some from this one, which was not accepted. */
  | { readonly kind: "elsewhere"; readonly leg: number; readonly agreed: string; readonly address: string }
  /** A part of the speech was consumed; another one is wanted. */
  | { readonly kind: "wantsSpeech"; readonly leg: number; readonly speech: number }
  | { readonly kind: "played"; readonly leg: number; readonly speech: number }
  /** A key went down while keys were listened for. */
  | { readonly kind: "key"; readonly leg: number; readonly digit: string }
  | StreamedFrame
  | { readonly kind: "marked"; readonly leg: number; readonly stream: number; readonly mark: number };

export interface StreamedFrame extends StreamFrame {
  readonly kind: "streamed";
  readonly leg: number;
  readonly stream: number;
}

export interface HeardDigit {
  readonly kind: "digit";
  readonly leg: number;
  readonly digit: string;
  readonly ms: number;
  /** The listening leg supports telephone-event, and was sent the digit. */
  readonly isRelayed: boolean;
}

/** `portable`: Node's sockets in a thread. `fast`: the C library's in a process of their own, on Linux with koffi. */
export type MediaPath = "portable" | "fast";

/** Passed to the thread or process when it starts. */
export interface RelaySettings {
  readonly path: MediaPath;
  readonly inactivityMs: number;
}
