import { describe, expect, test } from "vitest";
import { EVENT_SAMPLES, EVENT_TYPES, type EventType, type StoredEvent } from "../events.ts";
import { payloadOf, shapeA } from "./payload.ts";

const writeForm = ({ type }: StoredEvent) => ({ Type: type, Text: "a & b" });

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
  const payload = payloadOf(storedEvent(type, fields), shape, "WH1", writeForm);
  expect(payload).toMatchObject({ contentType: "application/json" });
  expect(payload).not.toHaveProperty("parameters");
  return JSON.parse(payload.text);
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

  test("does not tell the types of its media", () => {
    const typed = { ...fields, MediaContentTypes: ["image/jpeg"] };
    expect(json(TYPE, "A", typed)).toEqual(json(TYPE, "A", fields));
    expect(json(TYPE, "B", typed)).toEqual(json(TYPE, "B", fields));
  });
});

/** The contract's table, without WebhookSid, EventDate and Sequence. */
const FIELDS: Readonly<Record<Exclude<EventType, "InboundMessageReceived">, string>> = {
  OutboundMessageStatusChanged:
    "Sid, From, To, Status, PreviousStatus, ErrorCode, ErrorDescription, SegmentCount, Carrier",
  OptOutChanged: "Number, ScopeType, Scope, Change, Keyword",
  InboundCallReceivedWebhook: "CallSid, LegSid, From, To",
  CallStatusChangedWebhook: "CallSid, LegSid, Leg, Direction, From, To, Status, DurationSeconds, EndReason",
  CallRecordingCompleted: "CallSid, RecordingSid, DurationSeconds, Segments",
  CallStreamStatusChanged: "CallSid, StreamSid, StreamName, Status, Error",
  ConferenceChanged:
    "ConferenceSid, Name, Event, CallSid, Label, Muted, Hold, StartsOnEnter, EndsOnExit, Reason, EndedBy, EndedByLabel",
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
    // The text differs only in the first letters of names.
    const lowered = JSON.stringify(shapeAFields).replace(/"([A-Z])(\w*)":/g, (_all, first, rest) => {
      return `"${first.toLowerCase()}${rest}":`;
    });
    expect(JSON.stringify(shown)).toBe(lowered);
  });
});

test("segments of a recording have their fields in either case", () => {
  const a = json("CallRecordingCompleted", "A").Segments as object[];
  const b = json("CallRecordingCompleted", "B").segments as object[];
  const names = ["Index", "DurationSeconds", "SizeBytes", "Sha256", "Url"];
  expect(a.map(Object.keys)).toEqual([names]);
  expect(b.map(Object.keys)).toEqual([names.map(lower)]);
});

test.each(EVENT_TYPES)("%s is in the log as in shape A without WebhookSid", (type) => {
  const { WebhookSid: _, ...rest } = json(type, "A");
  expect(JSON.parse(JSON.stringify(shapeA(storedEvent(type))))).toEqual(rest);
});

test("a payload made of the stored text is the one made of its fields", () => {
  for (const type of EVENT_TYPES) {
    const fields = EVENT_SAMPLES[type] as unknown as Record<string, unknown>;
    const event = { accountSid: "AC1", type, resourceSid: "R1", sequence: 3, fields, createdOn: new Date(0) };
    for (const shape of ["A", "B", "Twilio"] as const) {
      const withText = payloadOf({ ...event, fieldsText: JSON.stringify(fields) }, shape, "WH1", writeForm);
      expect(withText).toEqual(payloadOf(event, shape, "WH1", writeForm));
    }
  }
});

test("shape Twilio is the form that the adapter writes, as text and as parameters", () => {
  expect(payloadOf(storedEvent("OptOutChanged"), "Twilio", "WH1", writeForm)).toEqual({
    contentType: "application/x-www-form-urlencoded",
    text: "Type=OptOutChanged&Text=a+%26+b",
    parameters: { Type: "OptOutChanged", Text: "a & b" },
  });
});
