// What a call is: a first leg, and a second one for each party that its program dials, each with its own status. The
// record an account reads; how it moves is decided in call-flow.ts.

import type { CallRecording, ProgramRecording } from "./recording.ts";

export const CALL_STATUSES = ["Started", "Ringing", "Answered", "Completed"] as const;
export type CallStatus = (typeof CALL_STATUSES)[number];

export const CALL_DIRECTIONS = ["Inbound", "Outbound"] as const;
export type CallDirection = (typeof CALL_DIRECTIONS)[number];

export const LEG_NAMES = ["First", "Second"] as const;
export type LegName = (typeof LEG_NAMES)[number];

export const END_REASONS = [
  /** A party hung up after the join. */
  "Completed",
  "NoAnswer",
  "Busy",
  "Rejected",
  /** The caller gave up before the join. */
  "Canceled",
  "Failed",
  /** The hang-up operation. */
  "HungUp",
  "ScriptUnavailable",
  "ScriptInvalid",
  "ScriptHangup",
  /** No key was pressed. */
  "NotAcknowledged",
  "MediaTimeout",
  "MaxDuration",
] as const;
export type EndReason = (typeof END_REASONS)[number];

export const ENDED_BY = ["First", "Second", "Api", "Service"] as const;
export type EndedBy = (typeof ENDED_BY)[number];

export type VoiceCodec = "PCMU" | "PCMA";

/** The figures of a leg's audio. */
export interface LegMedia {
  readonly codec: VoiceCodec;
  /** SRTP. */
  readonly secure: boolean;
  readonly packetsReceived: number;
  readonly packetsLost: number;
  readonly jitterMs: number;
  readonly mos: number;
}

export interface Leg {
  readonly sid: string;
  readonly leg: LegName;
  readonly direction: CallDirection;
  /** The caller id shown to the called party, or the caller of an inbound leg. */
  readonly from: string;
  /** E.164 or a SIP URI. */
  readonly to: string;
  readonly status: CallStatus;
  readonly rangOn: Date | null;
  readonly answeredOn: Date | null;
  readonly completedOn: Date | null;
  readonly endReason: EndReason | null;
  /** The final response that refused it. */
  readonly sipCode: number | null;
  readonly media: LegMedia | null;
}

export interface Call {
  readonly sid: string;
  readonly accountSid: string;
  readonly direction: CallDirection;
  readonly from: string;
  readonly to: string;
  /** The caller id shown to both parties of an outbound call, and to the second of an inbound one. */
  readonly callerId: string;
  /** Answered when two legs are joined for the first time. */
  readonly status: CallStatus;
  readonly endReason: EndReason | null;
  readonly endedBy: EndedBy | null;
  readonly createdOn: Date;
  readonly answeredOn: Date | null;
  readonly completedOn: Date | null;
  /** The first leg, then the second ones, in the order in which they were dialled. */
  readonly legs: readonly Leg[];
  /** Null where none was asked for. */
  readonly recording: CallRecording | null;
  /** Those that its program has made, the oldest first. */
  readonly programRecordings: readonly ProgramRecording[];
}

/** Whole seconds from the answer to the end; null before the end, 0 when the call was not answered. */
export function durationSeconds({ answeredOn, completedOn }: Pick<Call, "answeredOn" | "completedOn">): number | null {
  if (completedOn === null) return null;
  if (answeredOn === null) return 0;
  return Math.max(0, Math.round((completedOn.getTime() - answeredOn.getTime()) / 1000));
}

/** Of several second legs, the last that has not ended; if all have ended, the last. */
export function legOf(call: Call, name: LegName): Leg | undefined {
  const isOpen = ({ leg, status }: Leg) => leg === name && status !== "Completed";
  return call.legs.findLast(isOpen) ?? call.legs.findLast(({ leg }) => leg === name);
}

/** The second legs that have not ended: several while the parties of one dial are called at the same time. */
export function openSeconds({ legs }: Pick<Call, "legs">): readonly Leg[] {
  return legs.filter(({ leg, status }) => leg === "Second" && status !== "Completed");
}

export const RING_SECONDS = { min: 5, max: 600, usual: 30 } as const;
export const CALL_SECONDS_MAX = 14_400;

/** How records show a caller that is withheld. */
export const ANONYMOUS = "anonymous";
