import { describe, expect, test } from "vitest";
import { EVENT_SAMPLES, EVENT_TYPES, type EventType, type StoredEvent } from "../events.ts";
import { payloadOf, shapeA } from "./payload.ts";

const EVENT_DATE = "2026-03-04T05:06:07.890Z";

function storedEvent(type: EventType, fields: object = EVENT_SAMPLES[type]): StoredEvent {
  return {
    accountSid: "AC1",
    type,
    resourceSid: "EV1",
    sequence: 3,
    fields: { ...fields },
    createdOn: new Date(EVENT_DATE),
  };
}

function json(type: EventType, shape: "A" | "B", fields?: object): Record<string, unknown> {
  const payload = payloadOf(storedEvent(type, fields), shape, "WH1");
  expect(payload).toMatchObject({ contentType: "application/json" });
  expect(payload).not.toHaveProperty("parameters");
  return JSON.parse(payload.text);
}

function form(type: EventType, fields?: object): Record<string, string> {
  const payload = payloadOf(storedEvent(type, fields), "Twilio", "WH1");
  const parsed = Object.fromEntries(new URLSearchParams(payload.text));
  expect(payload).toMatchObject({ contentType: "application/x-www-form-urlencoded", parameters: parsed });
  return parsed;
}

const lower = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);

describe("an inbound message", () => {
  const TYPE = "InboundMessageReceived";
  const fields = {
    Sid: "IM1",
    From: "+14155550101",
    To: "+14155550100",
    AdditionalRecipients: ["+14155550102"],
    Text: "Hi",
    MediaUrls: ["https://example.com/1.jpg"],
    SegmentCount: 1,
  };

  test("has in shape A the fields of the specification and no others, in its order", () => {
    const shown = json(TYPE, "A", fields);
    const { Sid, From, To, AdditionalRecipients, ...rest } = fields;
    const wanted = { WebhookSid: "WH1", Sid, From, To, AdditionalRecipients, EventDate: EVENT_DATE, ...rest };
    expect(shown).toEqual(wanted);
    expect(Object.keys(shown)).toEqual([
      "WebhookSid",
      "Sid",
      "From",
      "To",
      "AdditionalRecipients",
      "EventDate",
      "Text",
      "MediaUrls",
      "SegmentCount",
    ]);
  });

  test("has in shape B six fields", () => {
    const shown = json(TYPE, "B", fields);
    const { Sid: sid, From: from, To: to, Text: text, SegmentCount: segmentCount } = fields;
    expect(shown).toEqual({ sid, from, to, eventDate: EVENT_DATE, text, segmentCount });
    expect(Object.keys(shown)).toEqual(["sid", "from", "to", "eventDate", "text", "segmentCount"]);
  });

  test("has the conversation's metadata in both only when there is one", () => {
    const talked = { ...fields, ConversationMetadata: "order 7" };
    expect(json(TYPE, "A", talked)).toEqual({ ...json(TYPE, "A", fields), ConversationMetadata: "order 7" });
    expect(json(TYPE, "B", talked)).toEqual({ ...json(TYPE, "B", fields), conversationMetadata: "order 7" });
  });

  test("tells the types of its media in that provider's form alone", () => {
    const typed = { ...fields, MediaContentTypes: ["image/jpeg"] };
    expect(json(TYPE, "A", typed)).toEqual(json(TYPE, "A", fields));
    expect(json(TYPE, "B", typed)).toEqual(json(TYPE, "B", fields));
    expect(form(TYPE, typed)).toEqual({ ...form(TYPE, fields), MediaContentType0: "image/jpeg" });
  });

  test("has as a form the parameters of that provider", () => {
    expect(form(TYPE, { ...fields, Sid: "IM01935f1e4c7b7000a3c41f0e5d9b2a17" })).toEqual({
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
});

/** The contract's table, besides WebhookSid, EventDate and Sequence. */
const FIELDS: Readonly<Record<Exclude<EventType, "InboundMessageReceived">, string>> = {
  OutboundMessageStatusChanged:
    "Sid, From, To, Status, PreviousStatus, ErrorCode, ErrorDescription, SegmentCount, Carrier",
  OptOutChanged: "Number, ScopeType, Scope, Change, Keyword",
  InboundCallReceivedWebhook: "CallSid, LegSid, From, To",
  CallStatusChangedWebhook: "CallSid, LegSid, Leg, Direction, From, To, Status, DurationSeconds, EndReason",
  CallRecordingCompleted: "CallSid, RecordingSid, DurationSeconds, Segments",
  PhoneNumberStatusChanged: "Number, Status, PreviousStatus, Reason, MessagingConfigSid, PortOrderSid",
  TcrCampaignImported: "TcrCampaignId, TcrBrandId, MessagingConfigSid, LinkOutcome",
  TcrCampaignStatusChanged: "TcrCampaignId, Status, PreviousStatus, MessagingConfigSid",
  PortOrderStatusChanged: "PortOrderSid, Status, PreviousStatus, Reason, Numbers",
};

describe.each(Object.entries(FIELDS) as [EventType, string][])("%s", (type, listed) => {
  const names = ["EventDate", "Sequence", ...listed.split(", ")];

  test("has its fields in shape A", () => {
    const shown = json(type, "A");
    expect(Object.keys(shown)).toEqual(["WebhookSid", ...names]);
    expect(shown).toEqual({ WebhookSid: "WH1", EventDate: EVENT_DATE, Sequence: 3, ...EVENT_SAMPLES[type] });
  });

  test("has the same in shape B in lower camel case, without WebhookSid", () => {
    const shown = json(type, "B");
    expect(Object.keys(shown)).toEqual(names.map(lower));
    const { WebhookSid: _, ...shapeAFields } = json(type, "A");
    // Text is the same but for the first letters of names.
    const lowered = JSON.stringify(shapeAFields).replace(/"([A-Z])(\w*)":/g, (_all, first, rest) => {
      return `"${first.toLowerCase()}${rest}":`;
    });
    expect(JSON.stringify(shown)).toBe(lowered);
  });

  test("is as a form text throughout, without what is null", () => {
    const parameters = form(type);
    expect(parameters.AccountSid).toBe("AC1");
    for (const value of Object.values(parameters)) expect(value).not.toMatch(/^(null|undefined|\[object)/);
  });
});

test("segments of a recording have their fields in either case", () => {
  const a = json("CallRecordingCompleted", "A").Segments as object[];
  const b = json("CallRecordingCompleted", "B").segments as object[];
  const names = ["Index", "DurationSeconds", "SizeBytes", "Sha256", "Url"];
  expect(a.map(Object.keys)).toEqual([names]);
  expect(b.map(Object.keys)).toEqual([names.map(lower)]);
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

test.each(EVENT_TYPES)("%s stands in the log as in shape A without WebhookSid", (type) => {
  const { WebhookSid: _, ...rest } = json(type, "A");
  expect(JSON.parse(JSON.stringify(shapeA(storedEvent(type))))).toEqual(rest);
});

test("a payload made of the stored text is the one made of its fields", () => {
  for (const type of EVENT_TYPES) {
    const fields = EVENT_SAMPLES[type] as unknown as Record<string, unknown>;
    const event = { accountSid: "AC1", type, resourceSid: "R1", sequence: 3, fields, createdOn: new Date(0) };
    for (const shape of ["A", "B", "Twilio"] as const) {
      const withText = payloadOf({ ...event, fieldsText: JSON.stringify(fields) }, shape, "WH1");
      expect(withText).toEqual(payloadOf(event, shape, "WH1"));
    }
  }
});
