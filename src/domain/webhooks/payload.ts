// Makes the body of a delivery: shape A (capitalised), shape B (lower camel case, without WebhookSid), or Twilio's form
// parameters. Inbound messages carry exactly the fields of the specification.

import type { EventFields, StoredEvent } from "../events.ts";
import type { PayloadShape } from "./subscription.ts";

export interface Payload {
  readonly contentType: "application/json" | "application/x-www-form-urlencoded";
  readonly text: string;
  /** Only of the `Twilio` shape, whose signature covers them. */
  readonly parameters?: Readonly<Record<string, string>>;
}

type Json = Readonly<Record<string, unknown>>;

/** Shape B of an inbound message has these and no others. */
const INBOUND_B = ["Sid", "From", "To", "EventDate", "Text", "SegmentCount", "ConversationMetadata"];

export function payloadOf(event: StoredEvent, shape: PayloadShape, webhookSid: string): Payload {
  if (shape === "Twilio") {
    const parameters = twilioParameters(event);
    const text = new URLSearchParams(parameters).toString();
    return { contentType: "application/x-www-form-urlencoded", text, parameters };
  }
  if (shape === "A" && event.fieldsText !== undefined && event.type !== "InboundMessageReceived") {
    const own = `{"WebhookSid":"${webhookSid}","EventDate":"${event.createdOn.toISOString()}","Sequence":${event.sequence}`;
    return { contentType: "application/json", text: `${own},${event.fieldsText.slice(1)}` };
  }
  const fields = shape === "A" ? { WebhookSid: webhookSid, ...shapeA(event) } : shapeB(event);
  return { contentType: "application/json", text: JSON.stringify(fields) };
}

/** Shape A without the delivery's own sid: what the event log shows. */
export function shapeA(event: StoredEvent): Json {
  const EventDate = event.createdOn.toISOString();
  if (event.type !== "InboundMessageReceived") return { EventDate, Sequence: event.sequence, ...event.fields };
  const { Sid, From, To, AdditionalRecipients, ...rest } = event.fields;
  return { Sid, From, To, AdditionalRecipients, EventDate, ...rest };
}

function shapeB(event: StoredEvent): Json {
  const entries = Object.entries(shapeA(event));
  const shown =
    event.type === "InboundMessageReceived" ? entries.filter(([name]) => INBOUND_B.includes(name)) : entries;
  return lowerCamel(Object.fromEntries(shown)) as Json;
}

function lowerCamel(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lowerCamel);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name.charAt(0).toLowerCase() + name.slice(1), lowerCamel(member)]),
  );
}

function twilioParameters(event: StoredEvent): Record<string, string> {
  switch (event.type) {
    case "InboundMessageReceived": {
      const fields = event.fields as EventFields["InboundMessageReceived"];
      const media = fields.MediaUrls.map((url, index): [string, string] => [`MediaUrl${index}`, url]);
      return {
        ...idsOf("Message", fields.Sid, event.accountSid),
        SmsSid: fields.Sid,
        From: fields.From,
        To: fields.To,
        Body: fields.Text,
        NumSegments: String(fields.SegmentCount),
        NumMedia: String(media.length),
        ...Object.fromEntries(media),
      };
    }
    case "OutboundMessageStatusChanged": {
      const fields = event.fields as EventFields["OutboundMessageStatusChanged"];
      const status = MESSAGE_STATUS_WORDS[fields.Status] ?? fields.Status.toLowerCase();
      return {
        ...idsOf("Message", fields.Sid, event.accountSid),
        SmsSid: fields.Sid,
        From: fields.From,
        To: fields.To,
        MessageStatus: status,
        SmsStatus: status,
        ...(fields.ErrorCode === 0 ? {} : { ErrorCode: String(fields.ErrorCode) }),
      };
    }
    default:
      return { AccountSid: event.accountSid, ...textOf(shapeA(event)) };
  }
}

const MESSAGE_STATUS_WORDS: Readonly<Record<string, string>> = { Expired: "undelivered", Failed: "failed" };

function idsOf(noun: string, sid: string, accountSid: string): Record<string, string> {
  return { [`${noun}Sid`]: sid, AccountSid: accountSid, ApiVersion: "2010-04-01" };
}

function textOf(fields: Json): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [name, typeof value === "object" ? JSON.stringify(value) : String(value)]),
  );
}
