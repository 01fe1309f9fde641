// Short codes: added to the inventory by the operator, taken, sent from and received on. They are not numbers: no
// message can be sent to one, and lookups do not find them.

import { beforeEach, describe, expect, test } from "vitest";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { newAccount, type TestAccount } from "./account.ts";
import { type Ear, emulateInbound, listen, type MessageBody, newMessenger, SEND, send } from "./messages.ts";
import { answerOf, type List, newConfig, type PhoneBody, take } from "./numbers.ts";
import { problemOf } from "./problem.ts";

const SOMEBODY = "+14155550100";

const tandem = useTandem();
let account: TestAccount;
let made = 0;

beforeEach(async () => {
  account = await newMessenger(tandem, { features: ["voice"] });
});

const stock = (numbers: readonly string[], more: object) =>
  tandem.operator("/operator/v1/Numbers", json("POST", { numbers, ...more }));

/** A new code. */
async function newCode(): Promise<string> {
  const code = String(72_000 + ++made);
  await answerOf(await stock([code], { country: "us" }), 201);
  return code;
}

/** A code of the account that may send. */
async function activeCode(): Promise<string> {
  const code = await newCode();
  expect(await take(account, code, { messagingConfigSid: await newConfig(account) })).toMatchObject({
    ...{ number: code, status: "Active", statusReason: null, features: ["SMS", "MMS"] },
  });
  return code;
}

describe("the operator's inventory", () => {
  test("takes short codes with their country, each once, and nothing else with one", async () => {
    const code = String(72_000 + ++made);
    const lacking = await problemOf(await stock([code], {}), 400);
    expect(lacking.errors?.["numbers[0]"]?.at(-1)).toBe("A short code is given with its country.");
    const wrong = await problemOf(await stock(["12", "123456789", "+14155550123", code], { country: "XX" }), 400);
    expect(wrong.errors).toStrictEqual({
      country: ["There is no country XX."],
      ...Object.fromEntries([0, 1, 2].map((at) => [`numbers[${at}]`, ["A short code has 3 to 8 digits."]])),
    });
    expect(await answerOf(await stock([code, "123"], { country: "us" }), 201)).toMatchObject({
      added: expect.arrayContaining([code]),
    });
    const again = await stock([code], { country: "CA" });
    expect(await answerOf(again, 201)).toStrictEqual({ added: [], alreadyHere: [code] });
    const { items } = await answerOf<List<object>>(await tandem.operator("/operator/v1/Numbers?PageSize=100"), 200);
    expect(items).toContainEqual({
      ...{ number: code, country: "US", features: ["SMS", "MMS"], createdOn: expect.stringMatching(/Z$/) },
    });
    const given = json("POST", { accountSid: account.sid });
    const assigned = await tandem.operator(`/operator/v1/Numbers/${code}/assign`, given);
    expect(await answerOf(assigned, 201)).toMatchObject({ number: code });
    await answerOf(await account.call(`/v1/Phones/${code}`, { method: "DELETE" }), 204);
    await answerOf(await tandem.operator(`/operator/v1/Numbers/${code}`, { method: "DELETE" }), 204);
    await problemOf(await tandem.operator(`/operator/v1/Numbers/${code}`, { method: "DELETE" }), 404);
  });
});

describe("a short code", () => {
  test("is taken, belongs to a config, and is Active without a campaign", async () => {
    const code = await newCode();
    const { items } = await answerOf<List<object>>(await account.call(`/v1/Phones/Available?Contains=${code}`), 200);
    expect(items).toStrictEqual([{ number: code, features: ["SMS", "MMS"] }]);
    expect(await take(account, code)).toMatchObject({ number: code, status: "PendingMessagingConfigAdd" });
    const other = await newAccount(tandem);
    await problemOf(await other.call("/v1/Phones", json("POST", { phone: code })), 409);
    await problemOf(await other.call(`/v1/Phones/${code}`), 404);
    const config = await newConfig(account);
    const change = (verb: string) =>
      account.call(`/v1/MessagingConfigs/${config}/${verb}`, json("PATCH", { phones: [code, "99"] }));
    expect(await answerOf(await change("addPhones"), 200)).toMatchObject({
      ...{ success: [code], failed: [{ number: "99" }] },
    });
    expect(await answerOf(await account.call(`/v1/Phones/${code}`), 200)).toMatchObject({ status: "Active" });
    expect(await answerOf(await change("deletePhones"), 200)).toMatchObject({ success: [code] });
    const named = await account.call(`/v1/Phones/${code}`, json("PATCH", { name: "Alerts" }));
    expect(await answerOf(named, 200)).toMatchObject({ name: "Alerts" });
    await problemOf(await account.call(`/v1/Phones/${code}/voice`, json("PUT", {})), 409);
  });

  test("sends, within its country, and cannot be sent to", async () => {
    const code = await activeCode();
    const ear: Ear = await listen(account);
    const message = await send(account, { From: code, To: SOMEBODY, Text: "Your code is 1234" });
    expect(message).toMatchObject({ from: code, status: "Queued", tcrCampaignId: null });
    expect(await ear.statusesUntil(message.sid, "Delivered", "Failed")).toEqual(["Sent", "Delivered"]);
    await ear.leave();
    const listed = await account.call(`${SEND}?From=${code}`);
    expect((await answerOf<List<MessageBody>>(listed, 200)).items.map(({ sid }) => sid)).toEqual([message.sid]);
    const refuse = async (order: object) =>
      (await problemOf(await account.call(SEND, json("POST", { Text: "Hi", ...order })), 400)) as object;
    expect(await refuse({ From: code, To: code })).toMatchObject({
      ...{ errorCode: 1001, errors: { To: [expect.stringContaining("cannot be sent to")] } },
    });
    expect(await refuse({ From: code, To: "+442079460123" })).toMatchObject({ errorCode: 1005 });
    expect(await refuse({ From: await newCode(), To: SOMEBODY })).toMatchObject({ errorCode: 2 });
    expect(await refuse({ From: "12", To: SOMEBODY })).toMatchObject({ errorCode: 1 });
  });

  test("is written to: what comes is stored and told, and STOP is heeded", async () => {
    const code = await activeCode();
    const ear: Ear = await listen(account);
    const order = { type: "InboundMessageReceived", url: "https://receiver.example/", phone: code, enabled: false };
    const subscription = await account.call("/v1/Webhooks", json("POST", order));
    expect(await answerOf(subscription, 201)).toMatchObject({ phone: code });
    await emulateInbound(account, { from: SOMEBODY, to: [code], text: "STOP" });
    expect(await ear.inboundUntil(({ To }) => To === code)).toMatchObject({ From: SOMEBODY, Text: "STOP" });
    await ear.leave();
    const inbound = await answerOf<List<object>>(await account.call(`/v1/InboundMessages?To=${code}`), 200);
    expect(inbound.items).toMatchObject([{ from: SOMEBODY, to: code, text: "STOP" }]);
    const optOuts = async () =>
      (await answerOf<List<object>>(await account.call(`/v1/OptOuts?Scope=${code}`), 200)).items;
    expect(await optOuts()).toMatchObject([{ number: SOMEBODY, scope: code, keyword: "STOP" }]);
    const path = `/v1/OptOuts?Number=${encodeURIComponent(SOMEBODY)}&ScopeType=SenderPhoneNumber&Scope=${code}`;
    await answerOf(await account.call(path, { method: "DELETE" }), 204);
    expect(await optOuts()).toEqual([]);
    const added = { number: SOMEBODY, scopeType: "SenderPhoneNumber", scope: code };
    expect(await answerOf(await account.call("/v1/OptOuts", json("POST", added)), 201)).toMatchObject(added);
    const strange = { ...added, scope: await newCode() };
    await problemOf(await account.call("/v1/OptOuts", json("POST", strange)), 400);
    const narrowed = { ...order, phone: strange.scope };
    await problemOf(await account.call("/v1/Webhooks", json("POST", narrowed)), 400);
  });

  test("comes before a number of the same digits, for its owner and for no one else", async () => {
    // A number of Saint Helena.
    const digits = "29012345";
    await account.change({ allowedCountries: ["SH"] });
    await answerOf(await stock([`+${digits}`], {}), 201);
    await answerOf(await stock([digits], { country: "US" }), 201);
    const messagingConfigSid = await newConfig(account);
    await take(account, `+${digits}`, { messagingConfigSid });
    const numberAt = async (path: string) =>
      (await answerOf<PhoneBody>(await account.call(`/v1/Phones/${path}`), 200)).number;
    expect(await numberAt(digits)).toBe(`+${digits}`);
    expect((await send(account, { From: digits, To: "+29067890", Text: "Hi" })).from).toBe(`+${digits}`);
    await take(account, digits, { messagingConfigSid });
    expect(await numberAt(digits)).toBe(digits);
    expect(await numberAt(`%2B${digits}`)).toBe(`+${digits}`);
    expect((await send(account, { From: digits, To: "+29067890", Text: "Hi" })).from).toBe(digits);
    const ear = await listen(account);
    await emulateInbound(account, { from: SOMEBODY, to: [digits], text: "To the code" });
    await emulateInbound(account, { from: SOMEBODY, to: [`+${digits}`], text: "To the number" });
    expect(await ear.inboundUntil(({ Text }) => Text === "To the code")).toMatchObject({ To: digits });
    expect(await ear.inboundUntil(({ Text }) => Text === "To the number")).toMatchObject({ To: `+${digits}` });
    await ear.leave();
    const looked = await account.call(`/carrierLookup/v1/Numbers/${digits}`);
    expect(await answerOf(looked, 200)).toMatchObject({ number: `+${digits}` });
    await problemOf(await account.call(`/carrierLookup/v1/Numbers/${await newCode()}`), 400);
  });
});
