// The columns of calls, legs and recordings, each described once, and how rows become records.

import type {
  Call,
  CallRecording,
  ConferenceRecording,
  Leg,
  ProgramRecording,
  RecordingSegment,
} from "../../../domain/voice/index.ts";
import { table } from "../engine/columns.ts";
import type { Queryable } from "../engine/database.ts";

export type CallRow = Omit<Call, "legs" | "recording" | "programRecordings">;
export type LegRow = Leg & { readonly callSid: string };

export const CALLS = table<CallRow>("calls", {
  sid: "sid",
  accountSid: "account_sid",
  direction: "direction",
  from: "from_party",
  to: "to_party",
  callerId: "caller_id",
  status: "status",
  endReason: "end_reason",
  endedBy: "ended_by",
  createdOn: "created_at timestamptz",
  answeredOn: "answered_at timestamptz",
  completedOn: "completed_at timestamptz",
});

export const LEGS = table<LegRow>("call_legs", {
  sid: "sid",
  callSid: "call_sid",
  leg: "leg",
  direction: "direction",
  from: "from_party",
  to: "to_party",
  status: "status",
  rangOn: "rang_at timestamptz",
  answeredOn: "answered_at timestamptz",
  completedOn: "completed_at timestamptz",
  endReason: "end_reason",
  sipCode: "sip_code smallint",
  media: "media json",
});

/** One of the call's program has a source. */
interface RecordingRow extends Omit<CallRecording, "segments"> {
  readonly source?: ProgramRecording["source"] | null;
  readonly callback?: ProgramRecording["callback"];
}

export const RECORDINGS = table<RecordingRow & { readonly callSid: string; readonly accountSid: string }>(
  "call_recordings",
  {
    sid: "sid",
    callSid: "call_sid",
    accountSid: "account_sid",
    status: "status",
    switches: "switches_done integer",
    fault: "fault",
    source: "source",
    callback: "callback json",
  },
);

type ConferenceRecordingRow = RecordingRow & {
  readonly callSid: string;
  readonly accountSid: string;
  readonly conferenceSid: string;
};

export const CONFERENCE_RECORDINGS = table<ConferenceRecordingRow>("call_recordings", {
  ...RECORDINGS.fields,
  conferenceSid: "conference_sid",
});

export const SEGMENTS = table<RecordingSegment & { readonly recordingSid: string }>("recording_segments", {
  recordingSid: "recording_sid",
  index: "index integer",
  startedOn: "started_at timestamptz",
  samples: "samples integer",
  sizeBytes: "size_bytes integer",
  sha256: "sha256",
});

type CallParts = Pick<Call, "legs" | "recording" | "programRecordings">;

/** The calls with their legs and recordings, in the same order. Sids of legs and recordings sort by time. */
export async function wholeCalls<Row extends CallRow>(
  db: Queryable,
  rows: readonly Row[],
): Promise<readonly (Row & CallParts)[]> {
  if (rows.length === 0) return [];
  const sids = rows.map(({ sid }) => sid);
  const found = await db.query<LegRow>(`${LEGS.select} where call_sid = any ($1) order by leg, sid`, [sids]);
  const legs = new Map<string, Leg[]>(sids.map((sid) => [sid, []]));
  for (const { callSid, ...leg } of found) legs.get(callSid)?.push(leg);
  const recordings = await recordingsOf(db, "call_sid", sids);
  return rows.map((row) => {
    const own = recordings
      .filter(({ callSid }) => callSid === row.sid)
      .map(({ callSid: _, conferenceSid: __, ...one }) => one);
    const programRecordings = own.filter((one): one is ProgramRecording => one.source !== null);
    return { ...row, legs: legs.get(row.sid) ?? [], recording: joinedOf(own), programRecordings };
  });
}

type FoundRecording = CallRecording & { readonly source: string | null; readonly callback: unknown };

/** Of the parties that were connected. */
function joinedOf(recordings: readonly FoundRecording[]): CallRecording | null {
  const joined = recordings.find(({ source }) => source === null);
  if (!joined) return null;
  const { source: _, callback: __, ...recording } = joined;
  return recording;
}

interface RecordingPlace {
  readonly callSid: string;
  readonly conferenceSid: string | null;
}

/** The recordings of conferences, by their sids, each with its call. */
export async function conferenceRecordings(
  db: Queryable,
  sids: readonly string[],
): Promise<ReadonlyMap<string, ConferenceRecording>> {
  if (sids.length === 0) return new Map();
  const found = await recordingsOf(db, "sid", sids);
  return new Map(found.map(({ conferenceSid: _, ...recording }) => [recording.sid, recording as ConferenceRecording]));
}

async function recordingsOf(
  db: Queryable,
  key: "sid" | "call_sid",
  sids: readonly string[],
): Promise<readonly (FoundRecording & RecordingPlace)[]> {
  type Found = Omit<FoundRecording, "segments"> & RecordingPlace;
  /** Without a segment its members are null. */
  type Segment = RecordingSegment & { readonly recordingSid: string | null };
  const rows = await db.query<Found & Segment>(
    `select * from (
       select ${CONFERENCE_RECORDINGS.only(["sid", "callSid", "conferenceSid", "status", "switches", "fault", "source", "callback"]).columns} from call_recordings
        where ${key} = any ($1)) as recording
       left join (${SEGMENTS.select}) as segment on segment."recordingSid" = recording.sid order by recording.sid, index`,
    [sids],
  );
  const found = new Map<string, Found & { readonly segments: RecordingSegment[] }>();
  for (const row of rows) {
    const { callSid, conferenceSid, sid, status, switches, fault, source, callback, recordingSid, ...segment } = row;
    const segments = found.get(sid)?.segments ?? [];
    found.set(sid, { callSid, conferenceSid, sid, status, switches, fault, source, callback, segments });
    if (recordingSid !== null) segments.push(segment);
  }
  return [...found.values()];
}
