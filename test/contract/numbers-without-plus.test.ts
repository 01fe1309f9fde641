// Numbers without a plus, by plain HTTP: in bodies, forms and filters they are read in the account's country, in paths
// they are E.164 digits, and answers show E.164.

import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { newAccount, type TestAccount } from "./account.ts";
import { form, type MessageBody, newSender, SEND } from "./messages.ts";
import { answerOf, type List, newNumber, take, WIDE } from "./numbers.ts";
import { problemOf } from "./problem.ts";

const tandem = useTandem();
const WIDE_LIMITS = { read: WIDE, write: WIDE, send: WIDE, call: WIDE, lookup: WIDE };

const countryOf = async ({ call }: TestAccount) =>
  (await answerOf<{ country: string | null }>(await call("/v1/Account"), 200)).country;

describe("the country of an account", () => {
  let account: TestAccount;
  beforeEach(async () => {
    account = await newAccount(tandem, { limits: WIDE_LIMITS });
  });

  test("is that of its oldest number, as long as it serves the account", async () => {
    expect(await countryOf(account)).toBeNull();
    const british = await newNumber(tandem, "+44207946");
    await take(account, british);
    expect(await countryOf(account)).toBe("GB");
    await take(account, await newNumber(tandem));
    expect(await countryOf(account)).toBe("GB");
    await answerOf(await account.call(`/v1/Phones/${british}`, { method: "DELETE" }), 204);
    expect(await countryOf(account)).toBe("US");
  });

  test("is that of a short code, where that is the oldest", async () => {
    const code = `7${String(Date.now() % 10_000).padStart(4, "0")}`;
    const order = json("POST", { numbers: [code], country: "CA" });
    await answerOf(await tandem.operator("/operator/v1/Numbers", order), 201);
    await take(account, code);
    expect(await countryOf(account)).toBe("CA");
  });

  test("is what the operator says, until the operator takes that back", async () => {
    await take(account, await newNumber(tandem));
    await account.change({ country: "de" });
    expect(await countryOf(account)).toBe("DE");
    await account.change({ country: null });
    expect(await countryOf(account)).toBe("US");
    const made = await newAccount(tandem, { country: "FR" });
    expect(await countryOf(made)).toBe("FR");
  });

  test("is one that exists", async () => {
    const changed = await tandem.operator(`/operator/v1/Accounts/${account.sid}`, json("PATCH", { country: "XX" }));
    expect((await problemOf(changed, 400)).errors).toEqual({ country: ["There is no country XX."] });
  });
});

describe("an American account", () => {
  let account: TestAccount;
  let number: string;
  beforeAll(async () => {
    account = await newAccount(tandem, { features: ["voice"], limits: { ...WIDE_LIMITS, sendToRecipient: WIDE } });
    ({ number } = await newSender(tandem, tandem.database, account));
  });

  test.each(["2025550143", "(202) 555-0143", "12025550143", "+1 202 555 0143"])(
    "forwards the calls of a number to %s",
    async (callsForwardedTo) => {
      for (const method of ["PUT", "PATCH"]) {
        const set = await account.call(`/v1/Phones/${number}/voice`, json(method, { callsForwardedTo }));
        expect(await answerOf(set, 200)).toMatchObject({ callsForwardedTo: "+12025550143" });
      }
    },
  );

  test.each([
    ["+5371234567", "country-not-allowed", "which this account may not call"],
    ["sip:alice@10.0.0.1", "validation", "not public"],
  ])("cannot forward the calls of a number to %s", async (callsForwardedTo, code, reason) => {
    for (const method of ["PUT", "PATCH"]) {
      const set = await account.call(`/v1/Phones/${number}/voice`, json(method, { callsForwardedTo }));
      const problem = await problemOf(set, 400);
      expect([problem.code, problem.errors]).toEqual([code, { callsForwardedTo: [expect.stringContaining(reason)] }]);
    }
  });

  test("cannot forward the calls of a number to itself", async () => {
    const set = await account.call(`/v1/Phones/${number}/voice`, json("PUT", { callsForwardedTo: number }));
    expect((await problemOf(set, 400)).errors).toEqual({ callsForwardedTo: [expect.stringContaining("itself")] });
  });

  test("writes from and to numbers as Americans do, in a form and in JSON, and finds the message by them", async () => {
    const own = number.slice(2);
    const order = { From: own, To: "202-555-0143", Text: "Hello" };
    for (const request of [form(order), json("POST", order)]) {
      const sent = await answerOf<MessageBody>(await account.call(SEND, request), 200);
      expect(sent).toMatchObject({ from: number, to: "+12025550143" });
    }
    const listed = await answerOf<List<MessageBody>>(await account.call(`${SEND}?From=${own}&To=2025550143`), 200);
    expect(listed.items.map(({ to }) => to)).toEqual(["+12025550143", "+12025550143"]);
    const none = await answerOf<List<MessageBody>>(await account.call(`${SEND}?To=%2B2025550143`), 200);
    expect(none.items).toEqual([]);
  });

  test("calls, opts out, subscribes and looks up as Americans do", async () => {
    const placed = await account.call("/v1/Voice/Calls", json("POST", { from: "2025550143", to: "4155550111" }));
    expect(await answerOf(placed, 201)).toMatchObject({ from: "+12025550143", to: "+14155550111" });
    const calls = await answerOf<List<object>>(await account.call("/v1/Voice/Calls?From=2025550143"), 200);
    expect(calls.items).toHaveLength(1);
    const scope = { scopeType: "SenderPhoneNumber", scope: number.slice(2) };
    const optedOut = await account.call("/v1/OptOuts", json("POST", { number: "2025550199", ...scope }));
    expect(await answerOf(optedOut, 201)).toMatchObject({ number: "+12025550199", scope: number });
    const found = await answerOf<List<object>>(await account.call("/v1/OptOuts?Number=2025550199"), 200);
    expect(found.items).toHaveLength(1);
    const hook = { type: "InboundMessageReceived", url: "https://example.com/", phone: number.slice(2) };
    const subscribed = await account.call("/v1/Webhooks", json("POST", hook));
    expect(await answerOf(subscribed, 201)).toMatchObject({ phone: number });
    const looked = await account.call(
      "/carrierLookup/v1/Numbers",
      json("POST", { numbers: ["2025550143", "442079460958"] }),
    );
    expect(await answerOf(looked, 200)).toMatchObject({
      items: [{ number: "+12025550143" }, { number: "+442079460958" }],
    });
  });

  test("names E.164 digits in a path", async () => {
    const looked = await account.call("/carrierLookup/v1/Numbers/2025550143");
    expect(await answerOf(looked, 200)).toMatchObject({ number: "+2025550143" });
    const phone = await account.call(`/v1/Phones/${number.slice(2)}`);
    expect(phone.status).not.toBe(200);
  });

  test("compares what is no number as it stands", async () => {
    expect(await answerOf(await account.call("/v1/Voice/Calls?To=1001"), 200)).toEqual({ items: [] });
  });

  test("is told all faults of a request in its own country's words", async () => {
    const order = { from: "2025550143", to: "12", callerId: "x" };
    const refused = await account.call("/v1/Voice/Calls", json("POST", order));
    expect(Object.keys((await problemOf(refused, 400)).errors ?? {}).sort()).toEqual(["callerId", "to"]);
  });
});

test("an account without a country reads E.164 digits", async () => {
  const account = await newAccount(tandem, { limits: WIDE_LIMITS });
  const looked = await account.call("/carrierLookup/v1/Numbers", json("POST", { numbers: ["2025550143"] }));
  expect(await answerOf(looked, 200)).toMatchObject({ items: [{ number: "+2025550143" }] });
});
