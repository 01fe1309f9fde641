// Recordings of calls as the API shows them.

import { z } from "zod";
import {
  type CallRecording,
  type ConferenceRecording,
  type ProgramRecording,
  RECORDING_SOURCES,
  RECORDING_STATUSES,
  type RecordingSegment,
  type RecordingUrl,
  recordedSeconds,
  segmentSeconds,
} from "../../../../domain/voice/index.ts";
import { timestamp } from "../../core/schemas.ts";

const segmentSchema = z
  .strictObject({
    index: z.int().describe("From 1; each resume begins a new one."),
    startedOn: timestamp,
    durationSeconds: z.number().nullable().describe("Null while it is being recorded."),
    sizeBytes: z.int().nullable().describe("Null until the file is ready, as are the next two."),
    sha256: z.string().nullable().describe("Of the file, in hexadecimal digits."),
    url: z.string().nullable().describe("Where the MP3 is fetched."),
  })
  .meta({ id: "RecordingSegment" });

const facts = {
  sid: z.string(),
  status: z.enum(RECORDING_STATUSES).meta({ id: "RecordingStatus" }),
  durationSeconds: z.number().describe("Of the segments that have ended, without pauses."),
};

export const recordingSchema = z
  .strictObject({
    ...facts,
    channels: z.literal(2).describe("The first party on the left, the second on the right."),
    segments: z.array(segmentSchema),
  })
  .meta({ id: "CallRecording" });

export const programRecordingSchema = z
  .strictObject({
    ...facts,
    channels: z.literal(1).describe("The first party alone; of a conference, all who spoke in it, mixed."),
    source: z.enum(RECORDING_SOURCES).meta({ id: "RecordingSource" }).describe("The instruction that made it."),
    segments: z.array(segmentSchema).describe("One; its `url` answers 404 with `Retry-After` until the file is ready."),
  })
  .meta({ id: "ProgramRecording" });

export const conferenceRecordingSchema = programRecordingSchema
  .extend({ callSid: z.string().describe("The call that has it among its `programRecordings`.") })
  .meta({ id: "ConferenceRecording" });

export function showConferenceRecording(recording: ConferenceRecording, urlOf: RecordingUrl): object {
  const { callSid } = recording;
  return { ...showProgramRecording(callSid, recording, urlOf), callSid };
}

export function showRecording(callSid: string, recording: CallRecording, urlOf: RecordingUrl): object {
  const url = ({ index, sha256 }: RecordingSegment) => (sha256 === null ? null : urlOf(callSid, index));
  return {
    ...shownFacts(recording),
    channels: 2,
    segments: recording.segments.map((one) => showSegment(one, url(one))),
  };
}

export function showProgramRecording(callSid: string, recording: ProgramRecording, urlOf: RecordingUrl): object {
  const { source, sid, segments } = recording;
  const shown = segments.map((one) => showSegment(one, urlOf(callSid, sid)));
  return { ...shownFacts(recording), channels: 1, source, segments: shown };
}

function shownFacts(recording: CallRecording): object {
  return { sid: recording.sid, status: recording.status, durationSeconds: recordedSeconds(recording) };
}

function showSegment(segment: RecordingSegment, url: string | null): object {
  const { index, startedOn, sizeBytes, sha256 } = segment;
  return { index, startedOn, durationSeconds: segmentSeconds(segment), sizeBytes, sha256, url };
}
