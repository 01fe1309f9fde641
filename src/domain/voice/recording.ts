// The recording of a call: when it begins, pauses, goes on and ends. It runs while both legs are joined and it is not
// paused; every stretch is a segment, which becomes a file of its own.

import type { PayloadShape } from "../events.ts";

export const RECORDING_STATUSES = ["Recording", "Paused", "Processing", "Completed", "Failed"] as const;
export type RecordingStatus = (typeof RECORDING_STATUSES)[number];

/** The moves that each status allows. */
export const RECORDING_MOVES = {
  Recording: { pause: "Paused", end: "Processing", endWithoutSegments: "Completed" },
  Paused: { resume: "Recording", end: "Processing", endWithoutSegments: "Completed" },
  Processing: { ready: "Completed", givenUp: "Failed" },
  Failed: { retried: "Processing" },
} as const satisfies Partial<Record<RecordingStatus, Readonly<Record<string, RecordingStatus>>>>;

export const RECORDING_ACTIONS = ["Pause", "Resume"] as const;
export type RecordingAction = (typeof RECORDING_ACTIONS)[number];

export const SAMPLES_PER_SECOND = 8000;

/** Where the file of a segment is found within its call: its number, or the sid of a program's recording. */
export type SegmentPlace = number | string;

export interface RecordingSegment {
  /** From 1. */
  readonly index: number;
  readonly startedOn: Date;
  /** Samples of each of the two channels; null while it is being recorded. */
  readonly samples: number | null;
  /** Size of its file; null until that is ready. */
  readonly sizeBytes: number | null;
  readonly sha256: string | null;
}

export interface CallRecording {
  readonly sid: string;
  readonly status: RecordingStatus;
  /** How often it was paused and resumed, both counted: it is paused after an odd number. */
  readonly switches: number;
  /** What went wrong with it, for operators. */
  readonly fault: string | null;
  readonly segments: readonly RecordingSegment[];
}

/** A recording that an instruction of a program has made: of the first party alone, or of a conference. */
export interface ProgramRecording extends CallRecording {
  readonly source: RecordingSource;
  /** Notified when it is ready, instead of subscriptions. */
  readonly callback: RecordingCallback | null;
}

/** That of a conference belongs to the call whose script asked for it first, and has the mix of all participants. */
export interface ConferenceRecording extends ProgramRecording {
  readonly callSid: string;
}

export const RECORDING_SOURCES = ["Record", "Conference"] as const;
export type RecordingSource = (typeof RECORDING_SOURCES)[number];

export interface RecordingCallback {
  readonly url: string;
  readonly shape: PayloadShape;
}

export function newRecording(sid: string): CallRecording {
  return { sid, status: "Recording", switches: 0, fault: null, segments: [] };
}

/** The action of the next switch after this number of switches. */
export function nextAction(switches: number): RecordingAction {
  return switches % 2 === 0 ? "Pause" : "Resume";
}

/** The recording after this action; undefined if it is in that state already, or over. */
export function switched(recording: CallRecording, action: RecordingAction): CallRecording | undefined {
  const { Recording, Paused } = RECORDING_MOVES;
  const [from, to] =
    action === "Pause" ? (["Recording", Recording.pause] as const) : (["Paused", Paused.resume] as const);
  return recording.status === from ? { ...recording, status: to, switches: recording.switches + 1 } : undefined;
}

export function withNewSegment(recording: CallRecording, startedOn: Date): CallRecording {
  const segment = { index: recording.segments.length + 1, startedOn, samples: null, sizeBytes: null, sha256: null };
  return { ...recording, segments: [...recording.segments, segment] };
}

export function withClosedSegment(recording: CallRecording, index: number, samples: number): CallRecording {
  const segments = recording.segments.map((segment) => (segment.index === index ? { ...segment, samples } : segment));
  return { ...recording, segments };
}

/** The recording after its call has ended. */
export function endedRecording(recording: CallRecording): CallRecording {
  const { endWithoutSegments, end } = RECORDING_MOVES.Recording;
  return { ...recording, status: recording.segments.length === 0 ? endWithoutSegments : end };
}

/** After its instruction, its call, or its conference has ended. */
export function endedProgramRecording<Some extends ProgramRecording>(recording: Some): Some {
  return recording.status === "Recording" ? { ...recording, ...endedRecording(recording) } : recording;
}

/** To the millisecond; null while it is being recorded. */
export function segmentSeconds({ samples }: Pick<RecordingSegment, "samples">): number | null {
  return samples === null ? null : Math.round((samples * 1000) / SAMPLES_PER_SECOND) / 1000;
}

/** Duration of the closed segments. */
export function recordedSeconds({
  segments,
}: {
  readonly segments: readonly Pick<RecordingSegment, "samples">[];
}): number {
  const samples = segments.reduce((sum, segment) => sum + (segment.samples ?? 0), 0);
  return Math.round((samples * 1000) / SAMPLES_PER_SECOND) / 1000;
}

/** The name of the raw file of a segment. */
export function rawFileOf(recordingSid: string, index: number): string {
  return `${recordingSid}-${index}.ulaw2`;
}
