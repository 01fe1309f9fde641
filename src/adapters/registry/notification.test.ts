import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { VirtualClock } from "../../../test/fakes/virtual-clock.ts";
import { canonicalJson } from "../../base/jcs.ts";
import {
  NOTIFICATION_BYTES_MAX,
  NotificationReceiver,
  type RegistryNotification,
  verifyRegistryNotification,
} from "./notification.ts";

const KEY = { secret: "0f1e2d3c-account-secret", endpoint: "https://phones.example.com/registry/v1/notifications" };

/** The registry's published example, with its member named twice; the signature was made by another program. */
const SUSPENDED = {
  body: `{
  "cspId" : "SUEKBB",
  "brandName" : "Microsoft",
  "brandName" : "Microsoft",
  "mnoName" : "AT&T",
  "campaignId" : "CRMKK5Y",
  "campaignReferenceId" : "C-00388",
  "brandId" : "BFHXANR",
  "brandReferenceId" : "Q-29393332",
  "mnoId" : 10017,
  "eventType" : "MNO_CAMPAIGN_OPERATION_SUSPENDED",
  "cspName" : "ACME"
}`,
  signature: "8OcEwI1phoVMLuxIh8hJ13ZU6SA=",
};
const SHARED = {
  body: `{"eventType":"CAMPAIGN_SHARE_ADD","campaignId":"C8PWPWB","brandName":"Caf\\u00e9 “Zürich” €","description":"line\\nbreak"}`,
  signature: "MCoXeovxJnQShehrT2hZBOGShwQ=",
};

const bytes = (text: string) => new TextEncoder().encode(text);
const signed = (signature: string) => ({ "x-registry-signature": signature });
const sign = (document: object, { secret, endpoint } = KEY) =>
  createHmac("sha1", secret)
    .update(`${endpoint}${canonicalJson(document)}`)
    .digest("base64");
const verify = (document: object) =>
  verifyRegistryNotification(signed(sign(document)), bytes(JSON.stringify(document)), KEY);

describe("a notification", () => {
  test.each([
    [SUSPENDED, { event: "MNO_CAMPAIGN_OPERATION_SUSPENDED", campaignId: "CRMKK5Y", isMock: false }],
    [SHARED, { event: "CAMPAIGN_SHARE_ADD", campaignId: "C8PWPWB", isMock: false }],
  ])("that the registry signed is taken", ({ body, signature }, value) => {
    expect(verifyRegistryNotification(signed(signature), bytes(body), KEY)).toEqual({ ok: true, value });
  });

  test("is refused when any byte of it was changed", () => {
    const { body, signature } = SHARED;
    const given = bytes(body);
    for (let at = 0; at < given.length; at++) {
      const changed = given.slice();
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(verifyRegistryNotification(signed(signature), changed, KEY)).toMatchObject({ ok: false });
    }
  });

  test.each([
    ["another secret", { ...KEY, secret: "another" }],
    ["another endpoint", { ...KEY, endpoint: `${KEY.endpoint}/` }],
  ])("signed for %s is forged", (_, key) => {
    const document = JSON.parse(SHARED.body);
    const answer = verifyRegistryNotification(signed(sign(document, key)), bytes(SHARED.body), KEY);
    expect(answer).toEqual({ ok: false, refusal: "forged" });
  });

  test.each([
    ["unsigned", {}],
    ["unsigned", signed("")],
    ["unsigned", { "x-registry-signature": ["a", "b"] }],
    ["forged", signed("8OcEwI1phoVMLuxIh8hJ13ZU6SA")],
    ["forged", signed(`${SHARED.signature} `)],
    ["forged", signed("\u20ac".repeat(28))],
    ["forged", signed("x".repeat(1_000_000))],
  ])("is %s with the headers %#", (refusal, headers) => {
    expect(verifyRegistryNotification(headers, bytes(SHARED.body), KEY)).toEqual({ ok: false, refusal });
  });

  test.each([
    ["too-large", bytes(" ".repeat(NOTIFICATION_BYTES_MAX + 1))],
    ["unreadable", bytes("")],
    ["unreadable", bytes("[]")],
    ["unreadable", bytes("null")],
    ["unreadable", bytes('{"eventType":"\\ud800"}')],
    ["unreadable", bytes('{"a":'.repeat(5000))],
    ["unreadable", bytes(`${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`)],
    ["unreadable", new Uint8Array([0x7b, 0xff, 0x7d])],
  ])("is %s whatever its signature", (refusal, body) => {
    expect(verifyRegistryNotification(signed(SHARED.signature), body, KEY)).toEqual({ ok: false, refusal });
  });

  test.each([[{}], [{ eventType: 7 }], [{ eventType: "" }], [{ eventType: "x".repeat(1000) }]])(
    "that says no event is unreadable: %o",
    (document) => expect(verify(document)).toEqual({ ok: false, refusal: "unreadable" }),
  );

  test("names a campaign only where it is one, and says when it is a trial", () => {
    expect(verify({ eventType: "BRAND_ADD", campaignId: null })).toEqual({
      ok: true,
      value: { event: "BRAND_ADD", isMock: false },
    });
    expect(verify({ eventType: "CAMPAIGN_ADD", campaignId: "../x", mock: true, newField: { a: [1] } })).toEqual({
      ok: true,
      value: { event: "CAMPAIGN_ADD", isMock: true },
    });
  });

  test("of any bytes under any signature is refused, and nothing throws", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.string(), (body, signature) => {
        expect(verifyRegistryNotification(signed(signature), body, KEY).ok).toBe(false);
      }),
    );
    fc.assert(
      fc.property(fc.json(), (body) => {
        expect(verifyRegistryNotification(signed(SHARED.signature), bytes(body), KEY).ok).toBe(false);
      }),
    );
  });
});

describe("the door", () => {
  function open(rules = { windowMs: 60_000, rememberedMax: 100 }) {
    const clock = new VirtualClock();
    const heard: RegistryNotification[] = [];
    const door = new NotificationReceiver(KEY, clock, rules);
    const hear = async (notification: RegistryNotification) => void heard.push(notification);
    return {
      heard,
      pass: (ms: number) => {
        clock.nowMs += ms;
      },
      come: ({ body, signature } = SHARED, act = hear) => door.take(signed(signature), bytes(body), act),
      comeAs: (document: object) => door.take(signed(sign(document)), bytes(JSON.stringify(document)), hear),
    };
  }
  const replayed = { ok: false, refusal: "replayed" };

  test("lets a notification in once, however its text is laid out", async () => {
    const { come, heard } = open();
    await expect(come()).resolves.toMatchObject({ ok: true });
    await expect(come()).resolves.toEqual(replayed);
    const spaced = JSON.stringify(JSON.parse(SHARED.body), undefined, 4);
    await expect(come({ ...SHARED, body: spaced })).resolves.toEqual(replayed);
    expect(heard).toHaveLength(1);
  });

  test("lets another one in meanwhile, and the same one when the window is over", async () => {
    const { come, pass, heard } = open();
    await come();
    await expect(come(SUSPENDED)).resolves.toMatchObject({ ok: true });
    pass(59_999);
    await expect(come()).resolves.toEqual(replayed);
    pass(1);
    await expect(come()).resolves.toMatchObject({ ok: true });
    expect(heard).toHaveLength(3);
  });

  test("lets one in again that could not be acted upon", async () => {
    const { come, heard } = open();
    const fail = async () => {
      throw new Error("the store is away");
    };
    await expect(come(SHARED, fail)).rejects.toThrow("the store is away");
    await expect(come()).resolves.toMatchObject({ ok: true });
    expect(heard).toHaveLength(1);
  });

  test("turns away the second of two that come at once", async () => {
    const { come } = open();
    const answers = await Promise.all([come(), come()]);
    expect(answers.map(({ ok }) => ok)).toEqual([true, false]);
  });

  test("remembers no more than it has capacity for, and nothing of forgers", async () => {
    const { comeAs, come, heard } = open({ windowMs: 60_000, rememberedMax: 3 });
    const event = (number: number) => ({ eventType: "CAMPAIGN_UPDATE", number });
    for (const number of [1, 2, 3]) await comeAs(event(number));
    for (let count = 0; count < 10; count++) await come({ ...SHARED, signature: `forged${count}` });
    await expect(comeAs(event(3))).resolves.toEqual(replayed);
    await comeAs(event(4));
    await comeAs(event(1));
    expect(heard).toHaveLength(5);
  });
});
