// Recordings of calls as the API shows them.

import { z } from "zod";
import {
  type CallRecording,
  RECORDING_STATUSES,
  recordedSeconds,
  segmentSeconds,
} from "../../../../domain/voice/index.ts";
import { timestamp } from "../../core/schemas.ts";

/** The URL of a segment's file. */
export type RecordingUrl = (callSid: string, index: number) => string;

export const recordingSchema = z
  .strictObject({
    sid: z.string(),
    status: z.enum(RECORDING_STATUSES).meta({ id: "RecordingStatus" }),
    durationSeconds: z.number().describe("Of the segments that have ended, without pauses."),
    channels: z.literal(2).describe("The first party on the left, the second on the right."),
    segments: z.array(
      z
        .strictObject({
          index: z.int().describe("From 1; each resume begins a new one."),
          startedOn: timestamp,
          durationSeconds: z.number().nullable().describe("Null while it is being recorded."),
          sizeBytes: z.int().nullable().describe("Null until the file is ready, as are the next two."),
          sha256: z.string().nullable().describe("Of the file, in hexadecimal digits."),
          url: z.string().nullable().describe("Where the MP3 is fetched."),
        })
        .meta({ id: "RecordingSegment" }),
    ),
  })
  .meta({ id: "CallRecording" });

export function showRecording(callSid: string, recording: CallRecording, urlOf: RecordingUrl): object {
  return {
    sid: recording.sid,
    status: recording.status,
    durationSeconds: recordedSeconds(recording),
    channels: 2,
    segments: recording.segments.map((segment) => ({
      index: segment.index,
      startedOn: segment.startedOn,
      durationSeconds: segmentSeconds(segment),
      sizeBytes: segment.sizeBytes,
      sha256: segment.sha256,
      url: segment.sha256 === null ? null : urlOf(callSid, segment.index),
    })),
  };
}
