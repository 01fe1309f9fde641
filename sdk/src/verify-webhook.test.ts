import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { newWebhookSecret, signWebhook, WebhookSecretError } from "./sign-webhook.ts";
import { type VerifyWebhookOrder, verifyWebhook, WebhookVerificationError } from "./verify-webhook.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const OTHER_SECRET = newWebhookSecret();
const NOW = new Date("2026-03-04T05:06:07.890Z");
const PAYLOAD = '{"WebhookSid":"WH1","Text":"Grüße \\u2028 👋"}';

async function signed(secret: string | readonly string[] = SECRET, timestamp = NOW): Promise<VerifyWebhookOrder> {
  const headers = await signWebhook({ id: "WH1", timestamp, payload: PAYLOAD, secret });
  return { payload: PAYLOAD, headers: { ...headers }, secret: SECRET, now: NOW };
}

async function reasonOf(order: VerifyWebhookOrder): Promise<string> {
  const error: unknown = await verifyWebhook(order).then(
    () => "verified",
    (thrown: unknown) => thrown,
  );
  if (error instanceof WebhookVerificationError) return error.reason;
  return String(error);
}

test("a webhook of ours answers its id, its time and the event", async () => {
  expect(await verifyWebhook(await signed())).toEqual({
    id: "WH1",
    timestamp: new Date("2026-03-04T05:06:07.000Z"),
    isTest: false,
    type: "Unknown",
    shape: "A",
    event: { WebhookSid: "WH1", Text: "Grüße \u2028 👋" },
  });
});

test("the body may be bytes, and headers come in any case and kind", async () => {
  const order = await signed();
  const plain = order.headers as Record<string, string>;
  const capital = Object.fromEntries(Object.entries(plain).map(([name, value]) => [name.toUpperCase(), [value]]));
  const payload = new TextEncoder().encode(PAYLOAD);
  for (const headers of [plain, capital, new Headers(plain)]) {
    expect((await verifyWebhook({ ...order, payload, headers })).id).toBe("WH1");
  }
});

describe("with the reference implementation", () => {
  const theirs = new Webhook(SECRET);

  test("what it signs, we verify", async () => {
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(/^[\w-]{1,40}$/), fc.json(), async (id, payload) => {
        const headers = {
          "webhook-id": id,
          "webhook-timestamp": String(Math.floor(NOW.getTime() / 1000)),
          "webhook-signature": theirs.sign(id, NOW, payload),
        };
        const { event } = await verifyWebhook({ payload, headers, secret: SECRET, now: NOW });
        expect(event).toEqual(JSON.parse(payload));
      }),
    );
  });

  test("what we sign, it verifies", async () => {
    const headers = await signWebhook({ id: "WH1", timestamp: new Date(), payload: PAYLOAD, secret: SECRET });
    expect(theirs.verify(PAYLOAD, { ...headers })).toEqual(JSON.parse(PAYLOAD));
  });
});

test("while secrets are exchanged, the old one, the new one and both are good", async () => {
  const both = await signed([OTHER_SECRET, SECRET]);
  for (const secret of [SECRET, OTHER_SECRET, [SECRET, OTHER_SECRET]]) {
    expect(await reasonOf({ ...both, secret })).toBe("verified");
  }
  expect(await reasonOf({ ...(await signed(OTHER_SECRET)), secret: [SECRET, OTHER_SECRET] })).toBe("verified");
  expect(await reasonOf({ ...(await signed(OTHER_SECRET)), secret: SECRET })).toBe("no-match");
});

test("a signature of another version among them does no harm", async () => {
  const { headers, ...order } = await signed();
  const [signature] = [(headers as Record<string, string>)["webhook-signature"]];
  const mixed = { ...headers, "webhook-signature": `v1a,abc v2 ${signature}` };
  expect(await reasonOf({ ...order, headers: mixed })).toBe("verified");
});

test("one changed byte of id, time, body or signature, and it does not verify", async () => {
  const order = await signed();
  const parts = { ...(order.headers as Record<string, string>), payload: PAYLOAD };
  const change = fc.record({
    part: fc.constantFrom(...Object.keys(parts)),
    at: fc.nat(),
    byte: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  });
  await fc.assert(
    fc.asyncProperty(change, async ({ at, byte, part }) => {
      const text = parts[part as keyof typeof parts] as string;
      const place = at % text.length;
      fc.pre(text[place] !== byte);
      const changed = { ...parts, [part]: text.slice(0, place) + byte + text.slice(place + 1) };
      const { payload, ...headers } = changed;
      // Any time is accepted here: only the signature must detect the change.
      const reason = await reasonOf({ ...order, payload, headers, toleranceSeconds: Number.POSITIVE_INFINITY });
      expect(["no-match", "bad-timestamp"]).toContain(reason);
    }),
    { numRuns: 1000 },
  );
});

test("a webhook that is too old or from the future is refused, to the second", async () => {
  const at = (seconds: number) => signed(SECRET, new Date(NOW.getTime() + seconds * 1000));
  expect(await reasonOf(await at(-300))).toBe("verified");
  expect(await reasonOf(await at(-301))).toBe("too-old");
  expect(await reasonOf(await at(300))).toBe("verified");
  expect(await reasonOf(await at(301))).toBe("too-new");
  expect(await reasonOf({ ...(await at(-301)), toleranceSeconds: 600 })).toBe("verified");
});

test.each(["webhook-id", "webhook-timestamp", "webhook-signature"])("without %s it is refused", async (name) => {
  const order = await signed();
  const without = { ...(order.headers as Record<string, string>), [name]: undefined };
  expect(await reasonOf({ ...order, headers: without })).toBe("missing-header");
  expect(await reasonOf({ ...order, headers: { ...without, [name]: "" } })).toBe("missing-header");
});

test.each(["soon", "-1", "1e9", "1700000000.5", " 1700000000", "9".repeat(13)])(
  "%j is no timestamp",
  async (timestamp) => {
    const order = await signed();
    const headers = { ...(order.headers as Record<string, string>), "webhook-timestamp": timestamp };
    expect(await reasonOf({ ...order, headers })).toBe("bad-timestamp");
  },
);

test.each(["", "whsec_", "whsec_?", "whsec_abc", "not base64 at all"])("%j is no secret", async (secret) => {
  expect(await reasonOf({ ...(await signed()), secret })).toBe("bad-secret");
  await expect(signWebhook({ id: "1", timestamp: NOW, payload: "", secret })).rejects.toThrow(WebhookSecretError);
});

test("no secret at all verifies nothing", async () => {
  expect(await reasonOf({ ...(await signed()), secret: [] })).toBe("no-match");
});

test("a signed body that is no JSON is reported apart", async () => {
  const payload = "Body=Hello&From=%2B14155550101";
  const headers = { ...(await signWebhook({ id: "WH1", timestamp: NOW, payload, secret: SECRET })) };
  expect(await reasonOf({ payload, headers, secret: SECRET, now: NOW })).toBe("bad-payload");
});
