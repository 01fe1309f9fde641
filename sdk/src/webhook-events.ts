// The events of webhooks and of the event log, as unions discriminated by `type` (and `shape`).
//
// A webhook names its type in a header that its signature does not cover, so the header is trusted only if the event
// has the fields of that type.

import {
  EVENT_FIELD_NAMES,
  EVENT_TYPES,
  type EventPayloads,
  type EventType,
  type Event as LoggedEvent,
} from "./api.generated.ts";

/** Names in lower camel case, at every depth. */
type LowerCamel<Value> = Value extends readonly (infer Item)[]
  ? readonly LowerCamel<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value as Uncapitalize<Name & string>]: LowerCamel<Value[Name]> }
    : Value;

/** Shape B of an inbound message has no lists, as specified. */
type OnlyInShapeA<Type extends EventType> =
  | "WebhookSid"
  | (Type extends "InboundMessageReceived" ? "AdditionalRecipients" | "MediaUrls" : never);

/** The content of a webhook of payload shape B. */
export type EventPayloadsB = {
  readonly [Type in EventType]: LowerCamel<Omit<EventPayloads[Type], OnlyInShapeA<Type>>>;
};

/** An event of the log, in shape A: `if (event.type === "OptOutChanged") event.payload.Number`. */
export type AccountEvent = {
  readonly [Type in EventType]: Omit<LoggedEvent, "type" | "payload"> & {
    readonly type: Type;
    readonly payload: Omit<EventPayloads[Type], "WebhookSid">;
  };
}[EventType];

/** An event of the log of all accounts, for operators. */
export type OwnedAccountEvent = AccountEvent & { readonly accountSid: string };

/** The event of a webhook: `if (webhook.shape === "A" && webhook.type === "OptOutChanged") webhook.event.Number`. */
export type WebhookEvent =
  | {
      readonly [Type in EventType]:
        | { readonly type: Type; readonly shape: "A"; readonly event: EventPayloads[Type] }
        | { readonly type: Type; readonly shape: "B"; readonly event: EventPayloadsB[Type] };
    }[EventType]
  /** Of a type that is newer than this package, or without a type header. */
  | { readonly type: "Unknown"; readonly shape: "A" | "B"; readonly event: Readonly<Record<string, unknown>> };

/** Undefined when the event does not have the fields of the type. */
export function webhookEventOf(type: string | undefined, event: unknown): WebhookEvent | undefined {
  const fields: object = typeof event === "object" && event !== null ? event : {};
  const shape = "eventDate" in fields ? "B" : "A";
  const known = EVENT_TYPES.find((name) => name === type);
  if (known === undefined) return { type: "Unknown", shape, event: event as Readonly<Record<string, unknown>> };
  const isComplete = EVENT_FIELD_NAMES[shape][known].split(" ").every((name) => name in fields);
  return isComplete ? ({ type: known, shape, event: fields } as WebhookEvent) : undefined;
}
