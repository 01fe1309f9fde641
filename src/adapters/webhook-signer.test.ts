// Signatures are verified with third-party code, as a customer's receiver would verify them.

import { createHmac } from "node:crypto";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import twilio from "twilio";
import { describe, expect, test } from "vitest";
import { ok, refused } from "../base/result.ts";
import { EVENT_SAMPLES, EVENT_TYPES, type EventType, type StoredEvent } from "../domain/events.ts";
import { type PayloadShape, payloadOf, type SignOrder } from "../domain/webhooks/index.ts";
import { writeTwilioForm } from "./twilio/webhook-parameters.ts";
import { newWebhookSecret, webhookSigner } from "./webhook-signer.ts";

const URL = "https://phone.example.com/hook?tenant=7&x=%20";
const [OLD, NEW] = [newWebhookSecret(), newWebhookSecret()];
const ACCOUNT = "AC01935f1e4c7b7000a3c41f0e5d9b2a17";
/** The account's one key in Twilio's shape. */
const TOKEN = "5tNrGvVbQzq3mYw1Yc7cXo0r6dJtVYl8rVtq8bJq1mA";
const signer = webhookSigner(async (accountSid) => (accountSid === ACCOUNT ? ok(TOKEN) : refused("not sent")));

function storedEvent(type: EventType, fields: object = EVENT_SAMPLES[type]): StoredEvent {
  return {
    accountSid: ACCOUNT,
    type,
    resourceSid: "EV1",
    sequence: 3,
    fields: { ...fields },
    createdOn: new Date("2026-03-04T05:06:07.890Z"),
  };
}

async function headersOf(order: Pick<SignOrder, "payload" | "secrets"> & Partial<SignOrder>) {
  const signed = await signer.sign({ accountSid: ACCOUNT, webhookSid: "WH1", url: URL, now: new Date(), ...order });
  if (!signed.ok) throw new Error(signed.refusal);
  return signed.value;
}

async function signed(event: StoredEvent, shape: PayloadShape, secrets: readonly string[]) {
  const payload = payloadOf(event, shape, "WH1", writeTwilioForm);
  return { payload, headers: await headersOf({ payload, secrets }) };
}

function verifies(secret: string, body: string, headers: Readonly<Record<string, string>>): boolean {
  try {
    new Webhook(secret).verify(body, { ...headers }, { jsonParse: false });
    return true;
  } catch {
    return false;
  }
}

describe("Standard Webhooks", () => {
  const shapes: readonly PayloadShape[] = ["A", "B", "Twilio"];

  test.each(EVENT_TYPES.flatMap((type) => shapes.map((shape) => [type, shape] as const)))(
    "%s in shape %s is verified by the reference implementation",
    async (type, shape) => {
      const { headers, payload } = await signed(storedEvent(type), shape, [NEW]);
      expect(verifies(NEW, payload.text, headers)).toBe(true);
      expect(verifies(OLD, payload.text, headers)).toBe(false);
    },
  );

  test("before, while and after a secret takes the place of another, receivers with the right one verify", async () => {
    const seen = ([[OLD], [NEW, OLD], [NEW]] as const).map(async (secrets) => {
      const { headers, payload } = await signed(storedEvent("OptOutChanged"), "A", secrets);
      return [OLD, NEW].map((secret) => verifies(secret, payload.text, headers));
    });
    expect(await Promise.all(seen)).toEqual([
      [true, false],
      [true, true],
      [false, true],
    ]);
  });

  test("any text is signed as the bytes that are sent", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary" }), async (Text) => {
        const event = storedEvent("InboundMessageReceived", { ...EVENT_SAMPLES.InboundMessageReceived, Text });
        const { headers, payload } = await signed(event, "A", [NEW]);
        const sent = Buffer.from(payload.text).toString();
        expect(verifies(NEW, sent, headers)).toBe(true);
      }),
    );
  });

  test("one changed byte of id, time, body or signature, and it does not verify", async () => {
    const { headers, payload } = await signed(storedEvent("OptOutChanged"), "A", [NEW]);
    const parts: Readonly<Record<string, string>> = { ...headers, body: payload.text };
    const byte = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(parts)), fc.nat(), byte, (part, at, changed) => {
        const text = parts[part] as string;
        const place = at % text.length;
        fc.pre(text[place] !== changed);
        const { body, ...rest } = { ...parts, [part]: text.slice(0, place) + changed + text.slice(place + 1) };
        expect(verifies(NEW, body as string, rest)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  test("a secret of any length signs as OpenSSL's HMAC does", async () => {
    const keys = fc.uint8Array({ minLength: 1, maxLength: 200 });
    const short = fc.string({ unit: "binary" });
    const long = short.map((text) => text.repeat(5_000));
    await fc.assert(
      fc.asyncProperty(keys, fc.oneof({ arbitrary: short, weight: 9 }, long), async (key, text) => {
        const now = new Date(1_700_000_000_000);
        const payload = { contentType: "application/json", text } as const;
        const secret = `whsec_${Buffer.from(key).toString("base64")}`;
        const headers = await headersOf({ payload, secrets: [secret], now });
        const expected = createHmac("sha256", key).update(`WH1.1700000000.${text}`).digest("base64");
        expect(headers["webhook-signature"]).toBe(`v1,${expected}`);
      }),
    );
  });

  test("a secret has 32 bytes of its own", () => {
    expect(Buffer.from(NEW.slice("whsec_".length), "base64")).toHaveLength(32);
    expect(NEW).not.toBe(OLD);
  });
});

describe("the Twilio shape", () => {
  async function isValid(key: string, event: StoredEvent): Promise<boolean> {
    const { headers, payload } = await signed(event, "Twilio", [NEW, OLD]);
    // As a receiver gets it: parsed from the form.
    const parameters = Object.fromEntries(new URLSearchParams(payload.text));
    return twilio.validateRequest(key, headers["x-twilio-signature"] ?? "", URL, parameters);
  }

  test.each(EVENT_TYPES)(
    "%s is verified by that provider's own package with the account's key, and no secret of the webhook",
    async (type) => {
      expect(await isValid(TOKEN, storedEvent(type))).toBe(true);
      expect(await isValid(NEW, storedEvent(type))).toBe(false);
    },
  );

  test("so are pictures and any text", async () => {
    const media = fc.array(fc.webUrl(), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme" }), media, async (Text, MediaUrls) => {
        const fields = { ...EVENT_SAMPLES.InboundMessageReceived, Text, MediaUrls };
        expect(await isValid(TOKEN, storedEvent("InboundMessageReceived", fields))).toBe(true);
      }),
    );
  });

  test("the URL is signed as the receiver sees it", async () => {
    const payload = payloadOf(storedEvent("OptOutChanged"), "Twilio", "WH1", writeTwilioForm);
    const parameters = Object.fromEntries(new URLSearchParams(payload.text));
    for (const [given, seen] of [
      ["https://phone.example.com", "https://phone.example.com/"],
      ["https://phone.example.com/a b?ü=1#shape=Twilio", "https://phone.example.com/a%20b?%C3%BC=1"],
    ] as const) {
      const headers = await headersOf({ url: given, payload, secrets: [NEW] });
      expect(twilio.validateRequest(TOKEN, headers["x-twilio-signature"] ?? "", seen, parameters)).toBe(true);
    }
  });

  test("only that shape is signed so, and no other waits for the account's key", async () => {
    const order = { accountSid: "AC2", webhookSid: "WH1", url: URL, secrets: [NEW], now: new Date() };
    const sign = (shape: PayloadShape) =>
      signer.sign({ ...order, payload: payloadOf(storedEvent("OptOutChanged"), shape, "WH1", writeTwilioForm) });
    expect(await sign("A")).toStrictEqual(ok(expect.not.objectContaining({ "x-twilio-signature": expect.anything() })));
    expect(await sign("Twilio")).toStrictEqual(refused("not sent"));
  });
});
