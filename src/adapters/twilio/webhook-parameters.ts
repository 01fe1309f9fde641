// The form parameters of webhooks in Twilio's shape: those that Twilio sends for the same event, so that a handler
// written for it works unchanged. Events without a counterpart at Twilio carry their own fields, as text.

import { tableOf } from "../../base/table.ts";
import type { EventFields, EventType, HiddenFields, StoredEvent } from "../../domain/events.ts";
import {
  type Call,
  type DocumentFacts,
  durationSeconds,
  type Leg,
  legOf,
  type RecordingUrl,
  recordedSecondsOf,
} from "../../domain/voice/index.ts";
import type { FormWriter } from "../../domain/webhooks/index.ts";
import { CONFERENCE_ENDS } from "./conferences.ts";
import {
  twilioCallStatus,
  twilioDialedCallSid,
  twilioDialStatus,
  twilioErrorCode,
  twilioMessageSid,
  twilioMessageStatus,
  twilioRecordingSid,
} from "./names.ts";
import { RECORDING_SOURCES } from "./recordings.ts";

type Parameters = Readonly<Record<string, string>>;

const API_VERSION = "2010-04-01";

export const writeTwilioForm: FormWriter = (event) => {
  const common = { AccountSid: event.accountSid, ApiVersion: API_VERSION };
  switch (event.type) {
    case "InboundMessageReceived":
      return { ...common, ...inboundMessage(event.fields as EventFields[typeof event.type], event.fields) };
    case "OutboundMessageStatusChanged":
      return { ...common, ...messageStatus(event.fields as EventFields[typeof event.type]) };
    case "InboundCallReceivedWebhook":
      return { ...common, ...inboundCall(event.fields as EventFields[typeof event.type]) };
    case "CallStatusChangedWebhook":
      return { ...common, ...callStatus(event.fields as EventFields[typeof event.type], event) };
    case "CallRecordingCompleted":
      return { ...common, ...recording(event.fields as EventFields[typeof event.type], event.accountSid) };
    case "CallStreamStatusChanged":
      return { ...common, ...streamStatus(event.fields as EventFields[typeof event.type], event) };
    case "ConferenceChanged":
      return { ...common, ...conferenceChange(event.fields as EventFields[typeof event.type], event) };
    default:
      return { ...common, EventType: event.type, EventDate: event.createdOn.toISOString(), ...textOf(event.fields) };
  }
};

function inboundMessage(fields: EventFields["InboundMessageReceived"], hidden: HiddenFields): Parameters {
  const sid = twilioMessageSid(fields.Sid);
  return {
    MessageSid: sid,
    SmsSid: sid,
    SmsMessageSid: sid,
    SmsStatus: "received",
    From: fields.From,
    To: fields.To,
    Body: fields.Text,
    NumSegments: String(fields.SegmentCount),
    NumMedia: String(fields.MediaUrls.length),
    ...numbered("MediaUrl", fields.MediaUrls),
    ...numbered("MediaContentType", hidden.MediaContentTypes ?? []),
    ...numbered("OtherRecipients", fields.AdditionalRecipients),
  };
}

function messageStatus(fields: EventFields["OutboundMessageStatusChanged"]): Parameters {
  const sid = twilioMessageSid(fields.Sid);
  const status = twilioMessageStatus(fields.Status, fields.PreviousStatus === "Sent");
  const error = twilioErrorCode(fields.ErrorCode);
  return {
    MessageSid: sid,
    SmsSid: sid,
    MessageStatus: status,
    SmsStatus: status,
    From: fields.From,
    To: fields.To,
    ...(error === null ? {} : { ErrorCode: String(error), ErrorMessage: fields.ErrorDescription ?? "" }),
  };
}

function parties(from: string, to: string): Parameters {
  return { From: from, To: to, Caller: from, Called: to };
}

function inboundCall(fields: EventFields["InboundCallReceivedWebhook"]): Parameters {
  const { CallSid, From, To } = fields;
  return { CallSid, ...parties(From, To), CallStatus: "ringing", Direction: "inbound" };
}

/** The first leg is the call; the second is the call that Dial made, and the first is its parent. */
function callStatus(fields: EventFields["CallStatusChangedWebhook"], event: StoredEvent): Parameters {
  const { CallSid, LegSid, Leg, Direction, From, To, Status, DurationSeconds: seconds, EndReason } = fields;
  const isDialed = Leg === "Second";
  const ids = isDialed ? { CallSid: twilioDialedCallSid(LegSid), ParentCallSid: CallSid } : { CallSid };
  return {
    ...ids,
    ...parties(From, To),
    CallStatus: twilioCallStatus(Status, EndReason, (seconds ?? 0) > 0),
    Direction: isDialed ? "outbound-dial" : Direction === "Inbound" ? "inbound" : "outbound-api",
    ...(seconds === null ? {} : { CallDuration: String(seconds), Duration: String(Math.ceil(seconds / 60)) }),
    CallbackSource: "call-progress-events",
    SequenceNumber: String(event.sequence - 1),
    Timestamp: event.createdOn.toUTCString().replace("GMT", "+0000"),
  };
}

function conferenceChange(fields: EventFields["ConferenceChanged"], event: StoredEvent): Parameters {
  const { ConferenceSid, Name, CallSid, Label, Muted, Hold, StartsOnEnter, EndsOnExit } = fields;
  return {
    ConferenceSid,
    FriendlyName: Name,
    StatusCallbackEvent: CONFERENCE_EVENTS.get(fields.Event) ?? fields.Event,
    SequenceNumber: String(event.sequence),
    Timestamp: event.createdOn.toUTCString().replace("GMT", "+0000"),
    ...(CallSid !== null && { CallSid, Muted: String(Muted), Hold: String(Hold), Coaching: "false" }),
    // Events of earlier builds do not have them.
    ...(StartsOnEnter != null && { StartConferenceOnEnter: String(StartsOnEnter) }),
    ...(EndsOnExit != null && { EndConferenceOnExit: String(EndsOnExit) }),
    ...(Label !== null && { ParticipantLabel: Label }),
    ...(fields.Event === "ParticipantLeft" && participantLeft(fields)),
    ...(fields.Event === "Ended" && conferenceEnded(fields)),
  };
}

/** Where the process of the conference died, there is no word for it at Twilio. */
function participantLeft({ Reason }: EventFields["ConferenceChanged"]): Parameters {
  const reason = PARTICIPANT_ENDS.get(Reason ?? "");
  if (reason === undefined) return {};
  return {
    ReasonParticipantLeft: reason,
    ParticipantCallStatus: Reason === "HungUp" ? "completed" : "in-progress",
  };
}

function conferenceEnded({ Reason, EndedBy, EndedByLabel }: EventFields["ConferenceChanged"]): Parameters {
  const ended = CONFERENCE_ENDS.get(Reason ?? "");
  return {
    ...(ended !== undefined && { ReasonConferenceEnded: ended }),
    ...(EndedBy != null && { CallSidEndingConference: EndedBy }),
    ...(EndedByLabel != null && { ParticipantLabelEndingConference: EndedByLabel }),
    Reason: CONFERENCE_END_SENTENCES.get(Reason ?? "") ?? "The conference has ended.",
  };
}

/** Ours → why Twilio says that a participant has left. */
const PARTICIPANT_ENDS = tableOf({
  HungUp: "participant_hung_up",
  Left: "participant_hung_up",
  Redirected: "participant_updated_via_api",
  Removed: "participant_updated_via_api",
  Api: "conference_ended_via_api",
  EndOnExit: "moderator_ended_conference",
  EndOnRemoval: "moderator_ended_conference",
});

const CONFERENCE_END_SENTENCES = tableOf({
  LastParticipantLeft: "The last participant has left.",
  LastParticipantRemoved: "The last participant was removed.",
  EndOnExit: "A participant has left whose leaving ends the conference.",
  EndOnRemoval: "A participant was removed whose leaving ends the conference.",
  Api: "The conference was ended by the API.",
  Failed: "The process that had the conference has died.",
});

const CONFERENCE_EVENTS = tableOf({
  Started: "conference-start",
  Ended: "conference-end",
  ParticipantJoined: "participant-join",
  ParticipantLeft: "participant-leave",
  ParticipantMuted: "participant-mute",
  ParticipantUnmuted: "participant-unmute",
  ParticipantHeld: "participant-hold",
  ParticipantUnheld: "participant-unhold",
});

/** A segment is a recording at Twilio. Parameters without a number describe the first, numbered ones all of them. */
function recording(fields: EventFields["CallRecordingCompleted"], accountSid: string): Parameters {
  const { CallSid, ConferenceSid, RecordingSid, DurationSeconds, Source, Segments } = fields;
  const sids = Segments.map(({ Index }) => twilioRecordingSid(RecordingSid, Index) ?? RecordingSid);
  const urls = Segments.map(({ Url }, at) => recordingUrl(Url, accountSid, sids[at] as string));
  return {
    ...(ConferenceSid === undefined ? { CallSid } : { ConferenceSid }),
    RecordingSid: sids[0] ?? RecordingSid,
    RecordingUrl: urls[0] ?? "",
    RecordingStatus: "completed",
    RecordingDuration: String(Segments[0]?.DurationSeconds ?? DurationSeconds),
    RecordingChannels: Source === undefined ? "2" : "1",
    RecordingSource: RECORDING_SOURCES.get(Source ?? "") ?? "",
    NumRecordings: String(Segments.length),
    ...numbered("RecordingSid", sids),
    ...numbered("RecordingUrl", urls),
    ...numbered(
      "RecordingDuration",
      Segments.map((segment) => String(segment.DurationSeconds)),
    ),
  };
}

const STREAM_EVENTS = { Started: "stream-started", Stopped: "stream-stopped", Failed: "stream-error" } as const;

function streamStatus(fields: EventFields["CallStreamStatusChanged"], { createdOn }: StoredEvent): Parameters {
  const { CallSid, StreamSid, StreamName, Status, Error: fault } = fields;
  return {
    CallSid,
    StreamSid,
    StreamName,
    StreamEvent: STREAM_EVENTS[Status],
    ...(fault !== null && { StreamError: fault }),
    Timestamp: createdOn.toISOString(),
  };
}

/** The recording's URL in the API in Twilio's shape, on the host of the segment's own URL; `.mp3` may be appended. */
function recordingUrl(url: string, accountSid: string, sid: string): string {
  const [base = ""] = url.split("/v1/Voice/Calls/", 1);
  return `${base}/${API_VERSION}/Accounts/${accountSid}/Recordings/${sid}`;
}

function numbered(name: string, values: readonly string[]): Parameters {
  return Object.fromEntries(values.map((value, at) => [`${name}${at}`, value]));
}

function textOf(fields: StoredEvent["fields"]): Parameters {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [name, typeof value === "object" ? JSON.stringify(value) : String(value)]),
  );
}

/** The parameters with which the next document of a call is asked for. */
export function documentParameters(
  call: Call,
  facts: DocumentFacts,
  urlOf: RecordingUrl,
  legSid?: string | undefined,
): Parameters {
  const party = legSid === undefined ? undefined : call.legs.find(({ sid }) => sid === legSid);
  if (party) return partyParameters(call, party, facts);
  const leg = legOf(call, "First");
  const { from, to } = leg ?? call;
  return {
    AccountSid: call.accountSid,
    ApiVersion: API_VERSION,
    CallSid: call.sid,
    ...parties(from, to),
    CallStatus: statusNow(leg),
    Direction: call.direction === "Outbound" ? "outbound-api" : "inbound",
    ...(facts.kind === "gathered" && { Digits: facts.digits }),
    ...(facts.kind === "streamed" && streamResult(facts)),
    ...(facts.kind === "conferred" && conferenceResult(facts)),
    ...(facts.kind === "recorded" && recordResult(call, facts, urlOf)),
    ...(facts.kind === "dialled" && dialResult(call, facts)),
  };
}

/** A program is notified of the end of its recording when the call is over, too. */
function statusNow(leg: Leg | undefined): string {
  const wasAnswered = leg?.answeredOn != null;
  if (leg?.status === "Completed") return twilioCallStatus(leg.status, leg.endReason, wasAnswered);
  return wasAnswered ? "in-progress" : "ringing";
}

/** Of a party that is dialled and not connected yet: it is a call of its own at Twilio. */
function partyParameters({ accountSid, sid }: Call, { sid: legSid, from, to }: Leg, facts: DocumentFacts): Parameters {
  return {
    AccountSid: accountSid,
    ApiVersion: API_VERSION,
    CallSid: twilioDialedCallSid(legSid),
    ParentCallSid: sid,
    ...parties(from, to),
    CallStatus: "in-progress",
    Direction: "outbound-dial",
    ...(facts.kind === "gathered" && { Digits: facts.digits }),
  };
}

function recordResult(
  call: Call,
  { recordingSid, digits }: DocumentFacts & { readonly kind: "recorded" },
  urlOf: RecordingUrl,
): Parameters {
  const sid = twilioRecordingSid(recordingSid, 1) ?? recordingSid;
  return {
    RecordingSid: sid,
    RecordingUrl: recordingUrl(urlOf(call.sid, recordingSid), call.accountSid, sid),
    RecordingDuration: String(Math.round(recordedSecondsOf(call, recordingSid))),
    Digits: digits,
  };
}

function dialResult(
  call: Call,
  { legSid, reason, isUnbridged }: DocumentFacts & { readonly kind: "dialled" },
): Parameters {
  const leg = call.legs.find(({ sid }) => sid === legSid);
  const wasAnswered = leg !== undefined && leg.answeredOn !== null;
  const wasConnected = wasAnswered && isUnbridged !== true;
  return {
    DialCallStatus: twilioDialStatus(reason, wasAnswered, wasConnected),
    ...(leg && { DialCallSid: twilioDialedCallSid(leg.sid) }),
    ...(leg && wasAnswered && { DialCallDuration: String(durationSeconds(leg) ?? 0) }),
    DialBridged: String(wasConnected),
  };
}

function conferenceResult({ conferenceSid }: DocumentFacts & { readonly kind: "conferred" }): Parameters {
  if (conferenceSid === null) return { DialCallStatus: "failed" };
  return { DialCallStatus: "answered", ConferenceSid: conferenceSid };
}

function streamResult({ streamSid, name, fault }: DocumentFacts & { readonly kind: "streamed" }): Parameters {
  return { StreamSid: streamSid, StreamName: name, ...(fault !== null && { StreamError: fault }) };
}

const PARTIES = ["From", "To", "Caller", "Called"];

interface FormNames {
  readonly always: readonly string[];
  /** Of numbered parameters only the first. */
  readonly sometimes: readonly string[];
}

/** The names of the parameters, for events that have a counterpart at Twilio. */
const NAMES: Readonly<Partial<Record<EventType, FormNames>>> = {
  InboundMessageReceived: {
    always: ["MessageSid", "SmsSid", "SmsMessageSid", "SmsStatus", "From", "To", "Body", "NumSegments", "NumMedia"],
    sometimes: ["MediaUrl0", "MediaContentType0", "OtherRecipients0"],
  },
  OutboundMessageStatusChanged: {
    always: ["MessageSid", "SmsSid", "MessageStatus", "SmsStatus", "From", "To"],
    sometimes: ["ErrorCode", "ErrorMessage"],
  },
  InboundCallReceivedWebhook: {
    always: ["CallSid", ...PARTIES, "CallStatus", "Direction"],
    sometimes: [],
  },
  CallStatusChangedWebhook: {
    always: ["CallSid", ...PARTIES, "CallStatus", "Direction", "CallbackSource", "SequenceNumber", "Timestamp"],
    sometimes: ["ParentCallSid", "CallDuration", "Duration"],
  },
  CallRecordingCompleted: {
    always: [
      ...["RecordingSid", "RecordingUrl", "RecordingStatus", "RecordingDuration", "RecordingChannels"],
      ...["RecordingSource", "NumRecordings"],
    ],
    sometimes: ["CallSid", "ConferenceSid", "RecordingSid0", "RecordingUrl0", "RecordingDuration0"],
  },
  CallStreamStatusChanged: {
    always: ["CallSid", "StreamSid", "StreamName", "StreamEvent", "Timestamp"],
    sometimes: ["StreamError"],
  },
  ConferenceChanged: {
    always: ["ConferenceSid", "FriendlyName", "StatusCallbackEvent", "SequenceNumber", "Timestamp"],
    sometimes: [
      ...["CallSid", "Muted", "Hold", "Coaching", "StartConferenceOnEnter", "EndConferenceOnExit", "ParticipantLabel"],
      ...["ReasonParticipantLeft", "ParticipantCallStatus", "ReasonConferenceEnded", "CallSidEndingConference"],
      ...["ParticipantLabelEndingConference", "Reason"],
    ],
  },
};

/** For the documents. */
export const TWILIO_FORM = { write: writeTwilioForm, common: ["AccountSid", "ApiVersion"], ofType: NAMES };
