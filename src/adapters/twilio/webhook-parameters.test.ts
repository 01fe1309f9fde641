import { expect, test } from "vitest";
import { newCall } from "../../../test/fakes/new-call.ts";
import { EVENT_SAMPLES, EVENT_TYPES, type EventType } from "../../domain/events.ts";
import { CONFERENCE_END_REASONS, PARTICIPANT_END_REASONS } from "../../domain/voice/index.ts";
import { documentParameters, TWILIO_FORM, writeTwilioForm } from "./webhook-parameters.ts";

function form(type: EventType, fields: object = EVENT_SAMPLES[type]) {
  const createdOn = new Date("2026-03-04T05:06:07.890Z");
  return writeTwilioForm({
    accountSid: "AC1",
    type,
    resourceSid: "EV1",
    sequence: 3,
    fields: { ...fields },
    createdOn,
  });
}

const MESSAGE = {
  From: "+14155550101",
  To: "+14155550100",
  AdditionalRecipients: ["+14155550102"],
  Text: "Hi",
  MediaUrls: ["https://example.com/1.jpg"],
  SegmentCount: 1,
};

test("an inbound message has the parameters of that provider", () => {
  expect(form("InboundMessageReceived", { ...MESSAGE, Sid: "IM01935f1e4c7b7000a3c41f0e5d9b2a17" })).toEqual({
    MessageSid: "SM01935f1e4c7b8000a3c41f0e5d9b2a17",
    SmsSid: "SM01935f1e4c7b8000a3c41f0e5d9b2a17",
    SmsMessageSid: "SM01935f1e4c7b8000a3c41f0e5d9b2a17",
    SmsStatus: "received",
    AccountSid: "AC1",
    ApiVersion: "2010-04-01",
    From: "+14155550101",
    To: "+14155550100",
    Body: "Hi",
    NumSegments: "1",
    NumMedia: "1",
    MediaUrl0: "https://example.com/1.jpg",
    OtherRecipients0: "+14155550102",
  });
});

test("an inbound message tells the types of its media", () => {
  const typed = { ...EVENT_SAMPLES.InboundMessageReceived, MediaContentTypes: ["image/jpeg"] };
  expect(form("InboundMessageReceived", typed)).toMatchObject({ MediaContentType0: "image/jpeg" });
});

test.each(EVENT_TYPES)("%s is text throughout, without what is null", (type) => {
  const parameters = form(type);
  expect(parameters.AccountSid).toBe("AC1");
  for (const value of Object.values(parameters)) expect(value).not.toMatch(/^(null|undefined|\[object)/);
});

test.each([
  ["Delivered", "Sent", 0, "delivered", undefined],
  ["Failed", "Sent", 1003, "undelivered", "30003"],
  ["Failed", "Queued", 3006, "failed", "30008"],
  ["Expired", "Queued", 0, "failed", undefined],
])(
  "a message that is %s after %s has as a form the words of that provider",
  (Status, PreviousStatus, code, word, theirs) => {
    const fields = { ...EVENT_SAMPLES.OutboundMessageStatusChanged, Status, PreviousStatus, ErrorCode: code };
    expect(form("OutboundMessageStatusChanged", fields)).toMatchObject({
      MessageSid: "SM01935f1e4c7b7000a3c41f0e5d9b2a17",
      MessageStatus: word,
      SmsStatus: word,
    });
    expect(form("OutboundMessageStatusChanged", fields).ErrorCode).toBe(theirs);
  },
);

test("a call has as a form the parameters of that provider, and its second leg is the call that Dial made", () => {
  const CallSid = EVENT_SAMPLES.CallStatusChangedWebhook.CallSid;
  expect(form("InboundCallReceivedWebhook")).toEqual({
    AccountSid: "AC1",
    ApiVersion: "2010-04-01",
    CallSid,
    From: "+14155550101",
    To: "+14155550100",
    Caller: "+14155550101",
    Called: "+14155550100",
    CallStatus: "ringing",
    Direction: "inbound",
  });
  expect(form("CallStatusChangedWebhook")).toMatchObject({
    CallSid,
    CallStatus: "completed",
    CallDuration: "42",
    Direction: "inbound",
    SequenceNumber: "2",
    Timestamp: "Wed, 04 Mar 2026 05:06:07 +0000",
  });
  const unheard = { DurationSeconds: 0, EndReason: "NoAnswer", Leg: "Second" };
  expect(form("CallStatusChangedWebhook", { ...EVENT_SAMPLES.CallStatusChangedWebhook, ...unheard })).toMatchObject({
    CallSid: "CA01935f1e4c7b8000a3c41f0e5d9b2a18",
    ParentCallSid: CallSid,
    CallStatus: "no-answer",
    Direction: "outbound-dial",
  });
});

test("each segment of a recording is a recording in that provider's form", () => {
  const [segment] = EVENT_SAMPLES.CallRecordingCompleted.Segments;
  const Segments = [segment, { ...segment, Index: 2, DurationSeconds: 2 }];
  const api = "https://phone.example.com/2010-04-01/Accounts/AC1/Recordings";
  expect(form("CallRecordingCompleted", { ...EVENT_SAMPLES.CallRecordingCompleted, Segments })).toMatchObject({
    RecordingSid: "RE01935f1e4c7b7000a3c41f0e5d9b2a19",
    RecordingUrl: `${api}/RE01935f1e4c7b7000a3c41f0e5d9b2a19`,
    RecordingStatus: "completed",
    RecordingDuration: "40",
    NumRecordings: "2",
    RecordingSid1: "RE01935f1e4c7b8000a3c41f0e5d9b2a19",
    RecordingUrl1: `${api}/RE01935f1e4c7b8000a3c41f0e5d9b2a19`,
    RecordingDuration1: "2",
  });
});

test.each<[EventType, object]>([
  ["OutboundMessageStatusChanged", {}],
  [
    "OutboundMessageStatusChanged",
    { Status: "Failed", PreviousStatus: "Sent", ErrorCode: 1003, ErrorDescription: "x" },
  ],
  ["CallStatusChangedWebhook", {}],
  ["CallStatusChangedWebhook", { Leg: "Second", Status: "Ringing", DurationSeconds: null, EndReason: null }],
  ["InboundCallReceivedWebhook", {}],
  ["InboundMessageReceived", { MediaContentTypes: ["image/png"], AdditionalRecipients: ["+14155550102"] }],
  ["CallRecordingCompleted", {}],
  ["CallRecordingCompleted", { Source: "Conference", ConferenceSid: "CF1" }],
  ["CallStreamStatusChanged", {}],
  ["CallStreamStatusChanged", { Status: "Failed", Error: "The connection was lost." }],
  ["ConferenceChanged", {}],
  ["ConferenceChanged", { Event: "ParticipantLeft", CallSid: "CA1", Label: "Ann", Muted: false, Hold: true }],
  ["ConferenceChanged", { Event: "ParticipantLeft", Reason: "HungUp" }],
  ["ConferenceChanged", { Event: "Ended", Reason: "LastParticipantLeft", EndedBy: "CA1", EndedByLabel: "Ann" }],
])("%s %j has the parameters that are documented, and no others", (type, change) => {
  const { always = [], sometimes = [] } = TWILIO_FORM.ofType[type] ?? {};
  const names = Object.keys(form(type, { ...EVENT_SAMPLES[type], ...change })).map((name) => name.replace(/\d+$/, "0"));
  expect(names).toEqual(expect.arrayContaining([...TWILIO_FORM.common, ...always]));
  const known = new Set([...TWILIO_FORM.common, ...always, ...sometimes]);
  expect(names.filter((name) => !known.has(name))).toEqual([]);
});

test.each([
  [null, null, "ringing"],
  [new Date(), null, "in-progress"],
  [new Date(), "Canceled", "completed"],
] as const)(
  "who is asked how a call goes on is told its status: answered %s, ended %s",
  (answeredOn, endReason, status) => {
    const call = newCall({ sid: "CA1", accountSid: "AC1" });
    const ended = endReason && { status: "Completed", endReason, completedOn: new Date() };
    const legs = call.legs.map((leg) => ({ ...leg, answeredOn, ...ended })) as typeof call.legs;
    const asked = documentParameters({ ...call, legs }, { kind: "redirected" }, () => "");
    expect(asked).toMatchObject({ CallSid: "CA1", CallStatus: status });
  },
);

test.each([
  ["Completed", true, false, "completed"],
  ["MaxDuration", true, false, "completed"],
  ["NoAnswer", false, false, "no-answer"],
  ["NoAnswer", true, true, "no-answer"],
  ["ScriptHangup", true, true, "no-answer"],
  ["MediaTimeout", true, true, "no-answer"],
  ["ScriptUnavailable", true, true, "failed"],
  ["Canceled", true, true, "canceled"],
  ["Busy", false, false, "busy"],
] as const)("a dial that ended with %s (answered %s, not connected %s) is %s", (reason, isAnswered, isLeft, status) => {
  const call = newCall({ sid: "CA1", accountSid: "AC1" });
  const answeredOn = isAnswered ? new Date() : null;
  const legs = call.legs.map((leg) => ({ ...leg, sid: "LG1", answeredOn, completedOn: new Date() }));
  const facts = { kind: "dialled", legSid: "LG1", reason, ...(isLeft && { isUnbridged: true as const }) } as const;
  expect(documentParameters({ ...call, legs }, facts, () => "")).toMatchObject({
    DialCallStatus: status,
    DialBridged: String(isAnswered && !isLeft),
  });
});

test("every reason why a participant is gone has a word of theirs, but for a fault of ours, and every end a sentence", () => {
  const left = (Reason: string) =>
    form("ConferenceChanged", { ...EVENT_SAMPLES.ConferenceChanged, ...{ Event: "ParticipantLeft", Reason } });
  const words = new Map<string, readonly string[]>();
  for (const reason of PARTICIPANT_END_REASONS) {
    const word = left(reason).ReasonParticipantLeft ?? "";
    words.set(word, [...(words.get(word) ?? []), reason]);
  }
  expect(Object.fromEntries(words)).toEqual({
    participant_hung_up: ["HungUp", "Left"],
    participant_updated_via_api: ["Redirected", "Removed"],
    moderator_ended_conference: ["EndOnExit", "EndOnRemoval"],
    conference_ended_via_api: ["Api"],
    // The last one to leave has left by itself.
    "": ["LastParticipantLeft", "LastParticipantRemoved", "Failed"],
  });
  for (const Reason of CONFERENCE_END_REASONS) {
    const ended = form("ConferenceChanged", { ...EVENT_SAMPLES.ConferenceChanged, ...{ Event: "Ended", Reason } });
    expect(ended.Reason).not.toBe("The conference has ended.");
  }
});

test("an event of a conference that an earlier build has stored has the parameters that it had", () => {
  const {
    StartsOnEnter: _,
    EndsOnExit: __,
    EndedBy: ___,
    EndedByLabel: ____,
    ...old
  } = EVENT_SAMPLES.ConferenceChanged;
  const names = Object.keys(form("ConferenceChanged", { ...old, CallSid: null, Event: "Ended", Reason: "Api" }));
  expect(names).toEqual(expect.arrayContaining(["ReasonConferenceEnded", "Reason"]));
  expect(names.filter((name) => /OnEnter|OnExit|Ending/.test(name))).toEqual([]);
});

test("the recording of a conference is one of the conference, and not of a call", () => {
  const shown = form("CallRecordingCompleted", {
    ...EVENT_SAMPLES.CallRecordingCompleted,
    ...{ Source: "Conference", ConferenceSid: "CF1" },
  });
  expect(shown).toMatchObject({ ConferenceSid: "CF1", RecordingSource: "Conference", RecordingChannels: "1" });
  expect(shown).not.toHaveProperty("CallSid");
});
