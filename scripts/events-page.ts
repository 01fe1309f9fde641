// Prints docs/events.md, every event with a sample of each payload shape, and the SDK's types of the events: their
// fields are copied from the domain, and what a payload adds is derived from a sample.

import { readFileSync } from "node:fs";
import { samplePayload } from "../src/adapters/http/routes/webhooks/payload-schemas.ts";
import { TWILIO_FORM, writeTwilioForm } from "../src/adapters/twilio/webhook-parameters.ts";
import { EVENT_SAMPLES, EVENT_TYPES, type EventType } from "../src/domain/events.ts";

const INTRODUCTION = `# Events

Subscribe with \`POST /v1/Webhooks { "types": […], "url": … }\` (\`["*"]\`: all but InboundCallReceivedWebhook, which must be named because it is answered; \`"type": …\` for one); read everything that happened, subscribed or not, with \`GET /v1/Events\` (\`After=<event id>\` goes on from there, the oldest first) or as a stream with \`GET /v1/Events/stream\` (\`./tandem listen\` does that).

A delivery is a POST with these headers:

| Header | |
|---|---|
| \`webhook-id\` | the delivery; the same on every attempt, so that you can tell a repeat |
| \`webhook-timestamp\`, \`webhook-signature\` | [Standard Webhooks](https://www.standardwebhooks.com): \`v1,\` and the base64 of HMAC-SHA256 over id, timestamp and body, keyed by the subscription's secret; after \`rotateSecret\` also one for each secret that was replaced within the last 24 hours |
| \`X-Event-Type\` | the type |
| \`X-Event-Test\` | \`true\` when it is the sample that \`POST /v1/Webhooks/{sid}/test\` sends, or a replay of it; absent otherwise |
| \`Authorization\` | \`Bearer …\`, when the subscription has one |
| \`X-Twilio-Signature\` | in the \`Twilio\` shape alone: the base64 of HMAC-SHA1 over the URL and the sorted parameters, keyed by the account's signing token, or without one by the account's own secret as it was shown (with \`whsec_\`); \`twilio.validateRequest(key, signature, url, params)\` accepts it |

A subscription's \`payloadShape\` says how the body reads: \`A\` (JSON, capitalised names), \`B\` (JSON, lower camel case) or \`Twilio\` (the form parameters of that provider; sids of messages begin with \`SM\`, statuses and error codes are that provider's; see [migrating from Twilio](migrating-from-twilio.md)). A callback URL of a message is posted shape A, or the one that \`CallbackShape\` names; with \`CallbackStatuses: Final\` it is told only how the message ended (Delivered, Failed, Expired, Canceled), which is half as many posts. The end of the URL may say the same: \`#shape=Twilio\`, \`#statuses=final\`, \`#shape=B&statuses=final\`.

What a receiver answers matters in two cases. The inbound-call webhook is answered with a [call script](voice.md), or with TwiML in the \`Twilio\` shape. And in that shape an inbound message may be answered with \`<Response><Message>…</Message></Response>\`: each \`Message\` (10 at most, with \`Body\` and \`Media\` if you like, without attributes) is sent from the number to the sender by the same rules as any other message, once, however often the webhook is repeated or replayed; when it is refused, the attempt in the list of deliveries says why. Senders that are short codes or names get no reply, so that two programs do not write to each other for ever.

Answer 2xx within 15 seconds. Otherwise the backup URL is tried at once, and then both again after 5 s, 30 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, each ±20 %; \`Retry-After\` is honoured up to 24 hours. 410 switches the subscription off, and so do five days of nothing but failures. Redirects are not followed. Events arrive at least once; those of one resource arrive in order and carry \`Sequence\`, counted from 1 (a later one waits for an earlier one that is not delivered yet, at most until a minute after the first attempt at that one).

This page is generated: \`npm run generate\`.
`;

export function eventsPage(): string {
  const sections = EVENT_TYPES.map((type) => {
    const shape = (name: "A" | "B") =>
      `Shape ${name}:\n\n\`\`\`json\n${JSON.stringify(samplePayload(type, name, writeTwilioForm), null, 2)}\n\`\`\`\n`;
    const form = Object.entries(samplePayload(type, "Twilio", writeTwilioForm)).map(
      ([name, value]) => `${name}=${value}\n`,
    );
    return `## ${type}\n\n${shape("A")}\n${shape("B")}\nShape Twilio:\n\n\`\`\`text\n${form.join("")}\`\`\`\n${sometimes(type)}`;
  });
  return `${INTRODUCTION}\n${sections.join("\n")}`;
}

/** Parameters of the form that are missing from the sample. */
function sometimes(type: EventType): string {
  const { sometimes: names = [] } = TWILIO_FORM.ofType[type] ?? {};
  const missing = names.filter((name) => !(name in samplePayload(type, "Twilio", writeTwilioForm)));
  return missing.length === 0 ? "" : `\nWhere they apply, also: ${missing.map((name) => `\`${name}\``).join(", ")}.\n`;
}

export function eventTypes(): string {
  const source = readFileSync(new URL("../src/domain/events.ts", import.meta.url), "utf8");
  const [fields] = /^export interface EventFields \{\n.*?^\}\n/ms.exec(source) ?? [];
  if (fields === undefined) throw new Error("src/domain/events.ts has no EventFields");
  const payloads = EVENT_TYPES.map((type) => {
    const added = Object.entries(samplePayload(type, "A", writeTwilioForm))
      .filter(([name]) => !(name in EVENT_SAMPLES[type]))
      .map(([name, value]) => `readonly ${name}: ${typeof value}`);
    return `  readonly ${type}: EventFields["${type}"] & { ${added.join("; ")} };\n`;
  });
  return [
    `/** What each event tells. */\n${fields}`,
    "/** What a webhook of payload shape A holds; in the event log it is without WebhookSid. */",
    `export interface EventPayloads {\n${payloads.join("")}}\n`,
    "/** The fields that a webhook of each shape always has. */",
    `export const EVENT_FIELD_NAMES = {\n${fieldNames("A")}${fieldNames("B")}} as const;\n`,
  ].join("\n");
}

function fieldNames(shape: "A" | "B"): string {
  const lines = EVENT_TYPES.map(
    (type) => `    ${type}: "${Object.keys(samplePayload(type, shape, writeTwilioForm)).join(" ")}",\n`,
  );
  return `  ${shape}: {\n${lines.join("")}  },\n`;
}
