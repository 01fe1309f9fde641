// docs/events.md: every event with a sample of each payload shape, printed from the table that makes them.

import { EVENT_SAMPLES, EVENT_TYPES, type StoredEvent } from "../src/domain/events.ts";
import { payloadOf } from "../src/domain/webhooks/index.ts";

const INTRODUCTION = `# Events

Subscribe with \`POST /v1/Webhooks { "type": …, "url": … }\`; read everything that happened, subscribed or not, with \`GET /v1/Events\` or as a stream with \`GET /v1/Events/stream\` (\`tandem listen\` does that).

A delivery is a POST with these headers:

| Header | |
|---|---|
| \`webhook-id\` | the delivery; the same on every attempt, so that you can tell a repeat |
| \`webhook-timestamp\`, \`webhook-signature\` | [Standard Webhooks](https://www.standardwebhooks.com): \`v1,\` and the base64 of HMAC-SHA256 over id, timestamp and body, keyed by the subscription's secret; two signatures for a day after \`rotateSecret\` |
| \`X-Event-Type\` | the type |
| \`Authorization\` | \`Bearer …\`, when the subscription has one |

Answer 2xx within 15 seconds. Otherwise the backup URL is tried at once, and then both again after 5 s, 30 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, each ±20 %; \`Retry-After\` is honoured up to 24 hours. 410 switches the subscription off, and so do five days of nothing but failures. Redirects are not followed. Events arrive at least once; those of one resource arrive in order and carry \`Sequence\`, counted from 1 (a later one waits for one that is being retried for a minute at most).

This page is generated: \`npm run generate\`.
`;

export function eventsPage(): string {
  const sections = EVENT_TYPES.map((type) => {
    const event: StoredEvent = {
      accountSid: "AC01935f1e4c7b7000a3c41f0e5d9b2a00",
      type,
      resourceSid: "",
      sequence: 1,
      fields: EVENT_SAMPLES[type] as unknown as Record<string, unknown>,
      createdOn: new Date("2026-01-31T12:00:00.000Z"),
    };
    const shape = (name: "A" | "B") => {
      const { text } = payloadOf(event, name, "WH01935f1e4c7b7000a3c41f0e5d9b2a0f");
      return `Shape ${name}:\n\n\`\`\`json\n${JSON.stringify(JSON.parse(text), null, 2)}\n\`\`\`\n`;
    };
    return `## ${type}\n\n${shape("A")}\n${shape("B")}`;
  });
  return `${INTRODUCTION}\n${sections.join("\n")}`;
}
