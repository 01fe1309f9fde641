import { expect, test } from "vitest";
import { type EventPayloadsB, newWebhookSecret, signWebhook, verifyWebhook } from "../../sdk/src/index.ts";
import { writeTwilioForm } from "../../src/adapters/twilio/webhook-parameters.ts";
import { EVENT_SAMPLES, EVENT_TYPES, type EventType, type StoredEvent } from "../../src/domain/events.ts";
import { payloadOf } from "../../src/domain/webhooks/index.ts";

const SECRET = newWebhookSecret();

async function received(type: EventType, shape: "A" | "B", named: string | undefined = type) {
  const event: StoredEvent = {
    accountSid: "AC1",
    type,
    resourceSid: "OM1",
    sequence: 1,
    fields: { ...EVENT_SAMPLES[type] },
    createdOn: new Date("2026-01-31T12:00:00.000Z"),
  };
  const { text: payload } = payloadOf(event, shape, "WH1", writeTwilioForm);
  const signed = await signWebhook({ id: "WH1", timestamp: new Date(), payload, secret: SECRET });
  const headers = { ...signed, "X-Event-Type": named, "X-Event-Test": "true" };
  return { webhook: await verifyWebhook({ payload, headers, secret: SECRET }), payload };
}

test.each(EVENT_TYPES)("the SDK knows %s in both shapes", async (type) => {
  for (const shape of ["A", "B"] as const) {
    const { webhook, payload } = await received(type, shape);
    expect(webhook).toMatchObject({ id: "WH1", type, shape, isTest: true, event: JSON.parse(payload) });
  }
});

test("shape B has in the SDK's types the names that it has", async () => {
  const { webhook } = await received("InboundMessageReceived", "B");
  if (webhook.shape !== "B" || webhook.type !== "InboundMessageReceived") throw new Error("taken for something else");
  const { sid, from, to, eventDate, text, segmentCount } = webhook.event;
  const all: EventPayloadsB["InboundMessageReceived"] = { sid, from, to, eventDate, text, segmentCount };
  expect(webhook.event).toEqual(all);
});

test("an event is not taken for one of another type, whatever the header says, which is not signed", async () => {
  await expect(received("OptOutChanged", "A", "InboundMessageReceived")).rejects.toMatchObject({
    reason: "bad-payload",
  });
  await expect(received("OptOutChanged", "B", "PhoneNumberStatusChanged")).rejects.toMatchObject({
    reason: "bad-payload",
  });
});

test("an event of a type that is newer than the SDK is handed on as it is", async () => {
  const { webhook, payload } = await received("OptOutChanged", "B", "VoicemailReceived");
  expect(webhook).toMatchObject({ type: "Unknown", shape: "B", event: JSON.parse(payload) });
});
