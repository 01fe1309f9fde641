// What a request for the next document of a call says, in our own words.

import { type Call, durationSeconds, legOf } from "./call.ts";
import type { DocumentFacts } from "./program.ts";

/** The fields of the JSON body, shape A. */
export function documentFields(
  call: Call,
  facts: DocumentFacts,
  legSid?: string | undefined,
): Readonly<Record<string, unknown>> {
  const first = legOf(call, "First");
  const party = legSid === undefined ? undefined : call.legs.find(({ sid }) => sid === legSid);
  if (party) {
    const { sid: LegSid, from: From, to: To, direction: Direction, status: CallStatus } = party;
    return { CallSid: call.sid, LegSid, From, To, Direction, CallStatus, ...own(call, facts) };
  }
  const { sid: CallSid, from: From, to: To, direction: Direction } = call;
  return {
    CallSid,
    LegSid: first?.sid ?? "",
    From,
    To,
    Direction,
    CallStatus: first?.status ?? "",
    ...own(call, facts),
  };
}

function own(call: Call, facts: DocumentFacts): Readonly<Record<string, unknown>> {
  switch (facts.kind) {
    case "redirected":
      return {};
    case "gathered":
      return { Digits: facts.digits };
    case "streamed": {
      const { streamSid: StreamSid, name: StreamName, fault: StreamError } = facts;
      return { StreamSid, StreamName, StreamError };
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
