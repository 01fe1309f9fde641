// Makes the body of a delivery: shape A (capitalised), shape B (lower camel case, without WebhookSid), or the form that
// receivers of shape Twilio read, which an adapter writes. Inbound messages carry exactly the fields of the
// specification.

import { isoTime } from "../../base/iso-time.ts";
import type { StoredEvent } from "../events.ts";
import type { HttpMethod, PayloadShape } from "./subscription.ts";

export interface Payload {
  readonly contentType: "application/json" | "application/x-www-form-urlencoded";
  readonly text: string;
  /** Only for the `Twilio` shape, whose signature covers them. */
  readonly parameters?: Readonly<Record<string, string>>;
}

/** Writes an event as the form parameters of payload shape Twilio. */
export type FormWriter = (event: StoredEvent) => Readonly<Record<string, string>>;

export interface Sent {
  readonly method: HttpMethod;
  readonly url: string;
  readonly payload: Payload;
}

/** The URL and the payload as a method sends them: with GET, parameters go into the query. */
export function asSent(url: string, payload: Payload, method: HttpMethod | null | undefined): Sent {
  if (method !== "GET" || !payload.parameters) return { method: "POST", url, payload };
  const [place = "", fragment] = url.split("#", 2);
  const query = `${place}${place.includes("?") ? "&" : "?"}${payload.text}`;
  const sent = fragment === undefined ? query : `${query}#${fragment}`;
  return { method, url: sent, payload: { ...payload, text: "", parameters: {} } };
}

type Json = Readonly<Record<string, unknown>>;

/** Shape B of an inbound message has these and no others. */
export const INBOUND_B = ["Sid", "From", "To", "EventDate", "Text", "SegmentCount", "ConversationMetadata"];

export function payloadOf(event: StoredEvent, shape: PayloadShape, webhookSid: string, writeForm: FormWriter): Payload {
  if (shape === "Twilio") {
    const parameters = writeForm(event);
    const text = new URLSearchParams(parameters).toString();
    return { contentType: "application/x-www-form-urlencoded", text, parameters };
  }
  if (shape === "A" && event.fieldsText !== undefined && event.type !== "InboundMessageReceived") {
    const own = `{"WebhookSid":"${webhookSid}","EventDate":"${isoTime(event.createdOn)}","Sequence":${event.sequence}`;
    return { contentType: "application/json", text: `${own},${event.fieldsText.slice(1)}` };
  }
  const fields = shape === "A" ? { WebhookSid: webhookSid, ...shapeA(event) } : shapeB(event);
  return { contentType: "application/json", text: JSON.stringify(fields) };
}

/** Shape A without the delivery's own sid: what the event log shows. */
export function shapeA(event: StoredEvent): Json {
  const EventDate = isoTime(event.createdOn);
  if (event.type !== "InboundMessageReceived") return { EventDate, Sequence: event.sequence, ...event.fields };
  const { Sid, From, To, AdditionalRecipients, MediaContentTypes: _, ...rest } = event.fields;
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
