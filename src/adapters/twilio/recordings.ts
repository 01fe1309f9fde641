// Recordings in Twilio's shape: each segment of one of ours is a recording at Twilio, with its audio as an MP3.

import type { IncomingHttpHeaders } from "node:http";
import { ok } from "../../base/result.ts";
import { tableOf } from "../../base/table.ts";
import type { Account } from "../../domain/accounts/index.ts";
import {
  type RecordedSegment,
  type SegmentFilters,
  type SegmentPlace,
  segmentSeconds,
} from "../../domain/voice/index.ts";
import type { Outcome } from "../http/core/operation.ts";
import type { Unit } from "../http/core/ports.ts";
import { text } from "../http/core/schemas.ts";
import { recordingSegmentOf, twilioRecordingSid } from "./names.ts";
import { API_VERSION, NOT_FOUND, refusing, type TwilioOperation, twilioOperation } from "./operation.ts";
import { PAGE_QUERY, type PageQuery, pageBody, spanOf, timeFilter, twilioDate, twilioPageRequest } from "./page.ts";

export interface TwilioRecordingDeps {
  readonly segmentAudio: (
    account: Account,
    segment: { readonly callSid: string; readonly place: SegmentPlace },
    headers: IncomingHttpHeaders,
  ) => Promise<Outcome>;
  readonly publicUrl: () => string;
}

/** Undefined for a segment that has no sid at Twilio. */
function showSegment(
  segment: RecordedSegment,
  account: Account,
  { publicUrl }: TwilioRecordingDeps,
): object | undefined {
  const sid = twilioRecordingSid(segment.recordingSid, segment.index);
  if (sid === undefined) return undefined;
  const seconds = segmentSeconds(segment);
  const uri = `/${API_VERSION}/Accounts/${account.sid}/Recordings/${sid}`;
  const startedOn = twilioDate(segment.startedOn);
  return {
    account_sid: account.sid,
    api_version: API_VERSION,
    call_sid: segment.callSid,
    channels: segment.source === null ? 2 : 1,
    conference_sid: segment.conferenceSid,
    date_created: startedOn,
    date_updated: startedOn,
    duration: seconds === null ? "-1" : String(Math.round(seconds)),
    encryption_details: null,
    error_code: null,
    media_url: `${publicUrl()}${uri}`,
    price: null,
    price_unit: null,
    sid,
    source: RECORDING_SOURCES.get(segment.source ?? ""),
    start_time: startedOn,
    status: statusOf(segment),
    subresource_uris: {},
    uri: `${uri}.json`,
  };
}

/** Ours → Twilio's; the connected parties' own has none of ours. */
export const RECORDING_SOURCES = tableOf({ "": "DialVerb", Record: "RecordVerb", Conference: "Conference" });

function statusOf({ samples, sha256, recordingStatus }: RecordedSegment): string {
  if (samples === null) return "in-progress";
  if (sha256 !== null) return "completed";
  return recordingStatus === "Failed" ? "absent" : "processing";
}

async function find(unit: Unit, account: Account, sid: string): Promise<RecordedSegment | undefined> {
  const segment = recordingSegmentOf(sid);
  return segment && unit.calls.segment(account.sid, segment.sid, segment.index);
}

type Query = PageQuery & Readonly<Record<string, unknown>>;

async function listed(
  unit: Unit,
  deps: TwilioRecordingDeps,
  account: Account,
  order: { readonly path: string; readonly query: Query } & Pick<SegmentFilters, "callSid" | "conferenceSid">,
): Promise<Outcome> {
  const request = twilioPageRequest(order.query);
  if (!request.ok) return request;
  const { from: startedFrom, to: startedTo } = spanOf(order.query, "DateCreated");
  const filters = { callSid: order.callSid, conferenceSid: order.conferenceSid, startedFrom, startedTo };
  const page = await unit.calls.segments(account.sid, request.value, filters);
  const list = { noun: "recordings", path: order.path };
  const show = (segment: RecordedSegment) => showSegment(segment, account, deps);
  return ok({ status: 200, body: pageBody(account, list, order.query, page, show) });
}

function fetchAudio(extension: string): TwilioOperation<TwilioRecordingDeps> {
  return twilioOperation({
    id: extension === "" ? "twilioFetchAudio" : "twilioFetchMp3",
    summary: "The audio of a recording, as MP3",
    route: `GET /Recordings/{Sid}${extension}`,
    params: { Sid: text(64) },
    async handle({ account, params, headers }, unit, deps) {
      const found = await find(unit, account, params.Sid);
      if (!found) return NOT_FOUND;
      const { callSid, recordingSid, index, source } = found;
      return deps.segmentAudio(account, { callSid, place: source === null ? index : recordingSid }, headers);
    },
  });
}

export const twilioRecordingOperations: readonly TwilioOperation<TwilioRecordingDeps>[] = [
  twilioOperation({
    id: "twilioListRecordings",
    client: "recordings.list",
    summary: "List recordings",
    differs:
      "One recording a segment, MP3 alone, stereo (of `Record` and conferences, mono), at `media_url` with or without `.mp3`; deleted with the call alone.",
    route: "GET /Recordings.json",
    query: {
      ...PAGE_QUERY,
      CallSid: text(64).optional(),
      ConferenceSid: text(64).optional(),
      ...timeFilter("DateCreated"),
      ...refusing("IncludeSoftDeleted"),
    },
    handle({ account, query }, unit, deps) {
      const { CallSid: callSid, ConferenceSid: conferenceSid } = query;
      return listed(unit, deps, account, { path: "/Recordings.json", query, callSid, conferenceSid });
    },
  }),
  twilioOperation({
    id: "twilioListRecordingsOfCall",
    client: "calls(sid).recordings.list",
    summary: "List the recordings of a call",
    route: "GET /Calls/{CallSid}/Recordings.json",
    params: { CallSid: text(64) },
    query: { ...PAGE_QUERY, ...timeFilter("DateCreated") },
    async handle({ account, params: { CallSid }, query }, unit, deps) {
      if (!(await unit.calls.find(account.sid, CallSid))) return NOT_FOUND;
      return listed(unit, deps, account, { path: `/Calls/${CallSid}/Recordings.json`, query, callSid: CallSid });
    },
  }),
  twilioOperation({
    id: "twilioFetchRecording",
    client: "recordings(sid).fetch",
    summary: "A recording",
    route: "GET /Recordings/{Sid}.json",
    params: { Sid: text(64) },
    query: refusing("IncludeSoftDeleted"),
    async handle({ account, params }, unit, deps) {
      const found = await find(unit, account, params.Sid);
      const body = found && showSegment(found, account, deps);
      return body ? ok({ status: 200, body }) : NOT_FOUND;
    },
  }),
  twilioOperation({
    id: "twilioFetchRecordingOfCall",
    client: "calls(sid).recordings(sid).fetch",
    summary: "A recording of a call",
    route: "GET /Calls/{CallSid}/Recordings/{Sid}.json",
    params: { CallSid: text(64), Sid: text(64) },
    async handle({ account, params: { CallSid, Sid } }, unit, deps) {
      const found = await find(unit, account, Sid);
      const body = found?.callSid === CallSid ? showSegment(found, account, deps) : undefined;
      return body ? ok({ status: 200, body }) : NOT_FOUND;
    },
  }),
  twilioOperation({
    id: "twilioListRecordingsOfConference",
    client: "conferences(sid).recordings.list",
    summary: "List the recordings of a conference",
    differs: "One, where its TwiML has `record-from-start`.",
    route: "GET /Conferences/{ConferenceSid}/Recordings.json",
    params: { ConferenceSid: text(64) },
    query: { ...PAGE_QUERY, ...timeFilter("DateCreated") },
    async handle({ account, params: { ConferenceSid: conferenceSid }, query }, unit, deps) {
      if (!(await unit.conferences.find(account.sid, conferenceSid))) return NOT_FOUND;
      const path = `/Conferences/${conferenceSid}/Recordings.json`;
      return listed(unit, deps, account, { path, query, conferenceSid });
    },
  }),
  twilioOperation({
    id: "twilioFetchRecordingOfConference",
    client: "conferences(sid).recordings(sid).fetch",
    summary: "A recording of a conference",
    route: "GET /Conferences/{ConferenceSid}/Recordings/{Sid}.json",
    params: { ConferenceSid: text(64), Sid: text(64) },
    async handle({ account, params: { ConferenceSid, Sid } }, unit, deps) {
      const found = await find(unit, account, Sid);
      const body = found?.conferenceSid === ConferenceSid ? showSegment(found, account, deps) : undefined;
      return body ? ok({ status: 200, body }) : NOT_FOUND;
    },
  }),
  // Also without an extension, as webhooks give the URL.
  ...["", ".mp3"].map(fetchAudio),
];
