// What a request for the next document of a call says, in our own words.

import { type Call, durationSeconds, legOf } from "./call.ts";
import type { DocumentFacts } from "./program.ts";
import { recordedSeconds, type SegmentPlace } from "./recording.ts";

/** The URL of the file of a segment. */
export type RecordingUrl = (callSid: string, place: SegmentPlace) => string;

/** The fields of the JSON body, shape A. */
export function documentFields(
  call: Call,
  facts: DocumentFacts,
  urlOf: RecordingUrl,
  legSid?: string | undefined,
): Readonly<Record<string, unknown>> {
  const first = legOf(call, "First");
  const party = legSid === undefined ? undefined : call.legs.find(({ sid }) => sid === legSid);
  if (party) {
    const { sid: LegSid, from: From, to: To, direction: Direction, status: CallStatus } = party;
    return { CallSid: call.sid, LegSid, From, To, Direction, CallStatus, ...own(call, facts, urlOf) };
  }
  const { sid: CallSid, from: From, to: To, direction: Direction } = call;
  return {
    CallSid,
    LegSid: first?.sid ?? "",
    From,
    To,
    Direction,
    CallStatus: first?.status ?? "",
    ...own(call, facts, urlOf),
  };
}

function own(call: Call, facts: DocumentFacts, urlOf: RecordingUrl): Readonly<Record<string, unknown>> {
  switch (facts.kind) {
    case "redirected":
      return {};
    case "gathered":
      return { Digits: facts.digits };
    case "streamed": {
      const { streamSid: StreamSid, name: StreamName, fault: StreamError } = facts;
      return { StreamSid, StreamName, StreamError };
    }
    case "conferred": {
      const DialCallStatus = facts.conferenceSid === null ? "Failed" : "Completed";
      return { DialCallStatus, DialCallSid: null, ConferenceSid: facts.conferenceSid };
    }
    case "recorded": {
      const { recordingSid, digits: Digits } = facts;
      const RecordingDuration = recordedSecondsOf(call, recordingSid);
      return { Digits, RecordingSid: recordingSid, RecordingUrl: urlOf(call.sid, recordingSid), RecordingDuration };
    }
    case "dialled": {
      const leg = call.legs.find(({ sid }) => sid === facts.legSid);
      const DialCallDuration = leg ? durationSeconds(leg) : 0;
      return { DialCallStatus: facts.reason, DialCallSid: facts.legSid, DialCallDuration };
    }
    default:
      return facts satisfies never;
  }
}

/** The duration of a recording of the call's program. */
export function recordedSecondsOf({ programRecordings }: Call, recordingSid: string): number {
  const recording = programRecordings.find(({ sid }) => sid === recordingSid);
  return recording ? recordedSeconds(recording) : 0;
}
