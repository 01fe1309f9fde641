// The payloads of webhooks as schemas: every event in every shape, each a named component of the document. A schema
// that does not fit the fields of its event does not compile; a test compares them with what is really sent. Members
// may be added later, so a receiver must not refuse unknown ones.

import { z } from "zod";
import { CAMPAIGN_STATUSES } from "../../../../domain/campaigns/index.ts";
import { EVENT_SAMPLES, EVENT_TYPES, type EventFields, type EventType } from "../../../../domain/events.ts";
import { MESSAGE_STATUSES } from "../../../../domain/messaging/index.ts";
import { PHONE_STATUSES, SCOPE_TYPES } from "../../../../domain/numbers/index.ts";
import { PORT_ORDER_STATUSES } from "../../../../domain/porting/index.ts";
import {
  CALL_DIRECTIONS,
  CALL_STATUSES,
  CONFERENCE_EVENTS,
  END_REASONS,
  LEG_NAMES,
  PARTICIPANT_END_REASONS,
  RECORDING_SOURCES,
} from "../../../../domain/voice/index.ts";
import {
  type FormWriter,
  INBOUND_B,
  PAYLOAD_SHAPES,
  type PayloadShape,
  payloadOf,
} from "../../../../domain/webhooks/index.ts";
import { timestamp } from "../../core/schemas.ts";
import type { EventDescription } from "../../document/webhook.ts";

type Fields = { readonly [Type in EventType]: z.ZodObject & z.ZodType<EventFields[Type]> };

const FIELDS: Fields = {
  InboundMessageReceived: z.object({
    Sid: z.string(),
    From: z.string(),
    To: z.string(),
    AdditionalRecipients: z.array(z.string()).describe("The other recipients of a group message."),
    Text: z.string(),
    MediaUrls: z.array(z.string()),
    SegmentCount: z.int(),
    ConversationMetadata: z.string().exactOptional().describe("Only when the message that it answers had it."),
  }),
  OutboundMessageStatusChanged: z.object({
    Sid: z.string(),
    From: z.string(),
    To: z.string(),
    Status: z.enum(MESSAGE_STATUSES),
    PreviousStatus: z.enum(MESSAGE_STATUSES).nullable(),
    ErrorCode: z.int().describe("0 is none."),
    ErrorDescription: z.string().nullable(),
    SegmentCount: z.int(),
    Carrier: z.string().nullable(),
  }),
  OptOutChanged: z.object({
    Number: z.string(),
    ScopeType: z.enum(SCOPE_TYPES),
    Scope: z.string().describe("The sender's number, or the campaign's id."),
    Change: z.enum(["OptedOut", "OptedIn"]),
    Keyword: z.string().nullable().describe("Null: not by a message."),
  }),
  InboundCallReceivedWebhook: z.object({
    CallSid: z.string(),
    LegSid: z.string(),
    From: z.string(),
    To: z.string(),
  }),
  CallStatusChangedWebhook: z.object({
    CallSid: z.string(),
    LegSid: z.string(),
    Leg: z.enum(LEG_NAMES),
    Direction: z.enum(CALL_DIRECTIONS),
    From: z.string(),
    To: z.string(),
    Status: z.enum(CALL_STATUSES),
    DurationSeconds: z.int().nullable(),
    EndReason: z.enum(END_REASONS).nullable(),
  }),
  CallRecordingCompleted: z.object({
    CallSid: z.string(),
    RecordingSid: z.string(),
    DurationSeconds: z.number(),
    Source: z.enum(RECORDING_SOURCES).exactOptional().describe("Only of a recording that a program has made."),
    ConferenceSid: z.string().exactOptional().describe("Only of the recording of a conference."),
    Segments: z.array(
      z.object({
        Index: z.int(),
        DurationSeconds: z.number(),
        SizeBytes: z.int(),
        Sha256: z.string(),
        Url: z.string(),
      }),
    ),
  }),
  CallStreamStatusChanged: z.object({
    CallSid: z.string(),
    StreamSid: z.string(),
    StreamName: z.string(),
    Status: z.enum(["Started", "Stopped", "Failed"]),
    Error: z.string().nullable(),
  }),
  ConferenceChanged: z.object({
    ConferenceSid: z.string(),
    Name: z.string(),
    Event: z.enum(CONFERENCE_EVENTS),
    CallSid: z.string().nullable().describe("The participant; null where it is about the conference."),
    Label: z.string().nullable(),
    Muted: z.boolean().nullable(),
    Hold: z.boolean().nullable(),
    StartsOnEnter: z.boolean().nullable(),
    EndsOnExit: z.boolean().nullable(),
    Reason: z
      .enum(PARTICIPANT_END_REASONS)
      .nullable()
      .describe("Why it has ended or, of `ParticipantLeft`, why the participant has left."),
    EndedBy: z.string().nullable().describe("The call whose leaving has ended it."),
    EndedByLabel: z.string().nullable(),
  }),
  PhoneNumberStatusChanged: z.object({
    Number: z.string(),
    Status: z.enum(PHONE_STATUSES),
    PreviousStatus: z.enum(PHONE_STATUSES).nullable(),
    Reason: z.string().nullable(),
    MessagingConfigSid: z.string().nullable(),
    PortOrderSid: z.string().nullable(),
  }),
  TcrCampaignImported: z.object({
    TcrCampaignId: z.string(),
    TcrBrandId: z.string(),
    MessagingConfigSid: z.string().nullable(),
    LinkOutcome: z.enum(["Linked", "NoMatch", "SeveralMatches"]),
    LinkHint: z.string().exactOptional().describe("Only when a config's name differs from the id in case alone."),
  }),
  TcrCampaignStatusChanged: z.object({
    TcrCampaignId: z.string(),
    Status: z.enum(CAMPAIGN_STATUSES),
    PreviousStatus: z.enum(CAMPAIGN_STATUSES),
    MessagingConfigSid: z.string().nullable(),
  }),
  PortOrderStatusChanged: z.object({
    PortOrderSid: z.string(),
    Status: z.enum(PORT_ORDER_STATUSES),
    PreviousStatus: z.enum(PORT_ORDER_STATUSES).nullable(),
    Reason: z.string().nullable(),
    Numbers: z.array(z.string()),
  }),
};

const SUMMARIES: Readonly<Record<EventType, string>> = {
  InboundMessageReceived: "A message has come in",
  OutboundMessageStatusChanged: "A message that you sent has moved on",
  OptOutChanged: "Somebody has opted out, or in again",
  InboundCallReceivedWebhook: "A call has come in: what shall become of it?",
  CallStatusChangedWebhook: "A leg of a call has moved on",
  CallRecordingCompleted: "The recording of a call is ready",
  CallStreamStatusChanged: "A stream of a call has started, stopped or failed",
  ConferenceChanged: "A conference has started or ended, or one of its participants has moved",
  PhoneNumberStatusChanged: "A number of yours has another status",
  TcrCampaignImported: "A campaign has been imported",
  TcrCampaignStatusChanged: "A campaign was suspended, has expired or is back",
  PortOrderStatusChanged: "A port order has moved on",
};

/** Shape A is called `InboundMessageReceivedPayload`; the names of others end with the shape's. */
function shapeA(type: EventType): z.ZodObject {
  const { shape } = FIELDS[type];
  const WebhookSid = z.string().describe("The delivery; the same on every attempt.");
  const EventDate = timestamp;
  // Inbound messages carry exactly the fields of the specification.
  const own = type === "InboundMessageReceived" ? { WebhookSid, EventDate } : { WebhookSid, EventDate, Sequence };
  return z.object({ ...own, ...shape }).meta({ id: `${type}Payload` });
}

const Sequence = z.int().describe("Counts the events of the resource from 1.");

function shapeB(type: EventType): z.ZodObject {
  const { WebhookSid: _, ...shape } = shapeA(type).shape;
  const members = Object.entries(shape).filter(
    ([name]) => type !== "InboundMessageReceived" || INBOUND_B.includes(name),
  );
  return z.object(lowerCamel(Object.fromEntries(members))).meta({ id: `${type}PayloadB` });
}

function lowerCamel(shape: z.core.$ZodLooseShape): z.core.$ZodLooseShape {
  return Object.fromEntries(
    Object.entries(shape).map(([name, member]) => [
      name.charAt(0).toLowerCase() + name.slice(1),
      member instanceof z.ZodArray && member.element instanceof z.ZodObject
        ? z.array(z.object(lowerCamel(member.element.shape)))
        : member,
    ]),
  );
}

/** How payload shape Twilio is written, and the names of its parameters. */
export interface FormDescription {
  readonly write: FormWriter;
  /** Parameters of every event. */
  readonly common: readonly string[];
  /** For events that have a counterpart at Twilio; others carry their own fields as text. */
  readonly ofType: Readonly<Partial<Record<EventType, FormParameters>>>;
}

export interface FormParameters {
  readonly always: readonly string[];
  /** Of numbered parameters only the first. */
  readonly sometimes: readonly string[];
}

function shapeTwilio(type: EventType, { common, ofType }: FormDescription): z.ZodObject {
  const { always, sometimes } = ofType[type] ?? ownParameters(type);
  const entries = [
    ...[...common, ...always].map((name) => [name, z.string()]),
    ...sometimes.map((name) => [name, z.string().optional()]),
  ];
  return z.object(Object.fromEntries(entries)).meta({ id: `${type}PayloadTwilio` });
}

/** A field whose value is null is left out of a form. */
function ownParameters(type: EventType): FormParameters {
  const names = Object.entries(FIELDS[type].shape).map(([name, field]) => ({
    name,
    isAlways: !(field instanceof z.ZodNullable || field instanceof z.ZodExactOptional),
  }));
  const named = (isAlways: boolean) => names.filter((one) => one.isAlways === isAlways).map(({ name }) => name);
  return { always: ["EventType", "EventDate", ...named(true)], sometimes: named(false) };
}

const SHAPES: Readonly<Record<PayloadShape, (type: EventType, form: FormDescription) => z.ZodObject>> = {
  A: shapeA,
  B: shapeB,
  Twilio: shapeTwilio,
};

const SCRIPT =
  '<?xml version="1.0" encoding="UTF-8"?>\n<Response><Dial record="true">sip:alice@example.com</Dial></Response>';

/** Every type of event with its payloads, as the document shows it. */
export function eventDescriptions(form: FormDescription): readonly EventDescription[] {
  return EVENT_TYPES.map((type) => ({
    type,
    tag: "Webhook payloads",
    summary: SUMMARIES[type],
    payloads: PAYLOAD_SHAPES.map((shape) => ({
      shape,
      mediaType: shape === "Twilio" ? "application/x-www-form-urlencoded" : "application/json",
      schema: SHAPES[shape](type, form),
      example: samplePayload(type, shape, form.write),
    })),
    ...(type === "InboundCallReceivedWebhook"
      ? { answer: { description: "The call script.", mediaType: "application/xml", example: SCRIPT } }
      : {}),
  }));
}

/** The payload of a delivery of the sample event of its type. */
export function samplePayload(
  type: EventType,
  shape: PayloadShape,
  writeForm: FormWriter,
): Readonly<Record<string, unknown>> {
  const event = {
    accountSid: "AC01935f1e4c7b7000a3c41f0e5d9b2a00",
    type,
    resourceSid: "",
    sequence: 1,
    fields: EVENT_SAMPLES[type] as unknown as Readonly<Record<string, unknown>>,
    createdOn: new Date("2026-01-31T12:00:00.000Z"),
  };
  const { parameters, text } = payloadOf(event, shape, "WH01935f1e4c7b7000a3c41f0e5d9b2a0f", writeForm);
  return parameters ?? JSON.parse(text);
}
