// Opt-outs by plain HTTP.

import { beforeEach, describe, expect, test } from "vitest";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { newAccount, type TestAccount } from "./account.ts";
import { answerOf, bringCampaign, type List, newConfig, newNumber, SOON, take, WIDE } from "./numbers.ts";
import { problemOf } from "./problem.ts";

const PERSON = "+14155550101";

interface OptOut {
  readonly number: string;
  readonly scopeType: string;
  readonly scope: string;
  readonly [member: string]: unknown;
}

const tandem = useTandem();
let account: TestAccount;
let sender: string;

beforeEach(async () => {
  account = await newAccount(tandem, { limits: { read: WIDE, write: WIDE } });
  sender = await newNumber(tandem);
  await take(account, sender);
});

const list = async (query = "") =>
  (await answerOf<List<OptOut>>(await account.call(`/v1/OptOuts?${query}`), 200)).items;
const post = (order: object) => account.call("/v1/OptOuts", json("POST", order));
const remove = (query: Record<string, string>) =>
  account.call(`/v1/OptOuts?${new URLSearchParams(query)}`, { method: "DELETE" });
const toldOf = async () => {
  const path = "/v1/Events?OrderByDirection=Ascending";
  const { items } = await answerOf<List<{ type: string; resourceSid: string; payload: object }>>(
    await account.call(path),
    200,
  );
  return items.filter(({ type }) => type === "OptOutChanged").map(({ payload }) => payload);
};

test("a number opts out once, however often it is said, and in again", async () => {
  const order = { number: PERSON, scopeType: "senderphonenumber", scope: sender.slice(1) };
  const made = await answerOf<OptOut>(await post(order), 201);
  expect(made).toStrictEqual({
    number: PERSON,
    scopeType: "SenderPhoneNumber",
    scope: sender,
    keyword: null,
    createdOn: expect.stringMatching(/Z$/),
  });
  expect(await answerOf(await post(order), 200)).toStrictEqual(made);
  expect(await list()).toStrictEqual([made]);
  const query = { Number: PERSON, ScopeType: "SenderPhoneNumber", Scope: sender };
  await answerOf(await remove(query), 204);
  await problemOf(await remove(query), 404);
  expect(await list()).toStrictEqual([]);
  const fields = { Number: PERSON, ScopeType: "SenderPhoneNumber", Scope: sender, Keyword: null };
  await expect.poll(toldOf, SOON).toMatchObject([
    { ...fields, Change: "OptedOut", Sequence: 1 },
    { ...fields, Change: "OptedIn", Sequence: 2 },
  ]);
});

test("ten who say it at once are one who says it", async () => {
  const order = { number: PERSON, scopeType: "SenderPhoneNumber", scope: sender };
  const { tcrCampaignId: scope } = await bringCampaign(tandem.database, account.sid);
  const others = { number: PERSON, scopeType: "TcrCampaign", scope };
  const answers = await Promise.all(
    Array.from({ length: 10 }, async (_, index) => {
      const response = await post(index % 2 === 0 ? order : others);
      await response.body?.cancel();
      return response.status;
    }),
  );
  expect(answers.sort()).toStrictEqual([...Array(8).fill(200), 201, 201]);
  await expect.poll(toldOf, SOON).toMatchObject([{ Sequence: 1 }, { Sequence: 2 }]);
});

test("lists are filtered and paged, newest first, and show no one else's", async () => {
  const other = await newAccount(tandem);
  const { tcrCampaignId: theirs } = await bringCampaign(tandem.database, other.sid);
  const { tcrCampaignId: ours } = await bringCampaign(tandem.database, account.sid);
  await answerOf(
    await other.call("/v1/OptOuts", json("POST", { number: PERSON, scopeType: "TcrCampaign", scope: theirs })),
    201,
  );
  const made: OptOut[] = [];
  for (const [number, scopeType, scope] of [
    [PERSON, "SenderPhoneNumber", sender],
    [PERSON, "TcrCampaign", ours.toLowerCase()],
    ["+14155550102", "TcrCampaign", ours],
  ]) {
    made.unshift(await answerOf<OptOut>(await post({ number, scopeType, scope }), 201));
  }
  expect(await list()).toStrictEqual(made);
  expect(await list(`Number=${PERSON}`)).toStrictEqual(made.slice(1));
  expect(await list("Number=14155550102&ScopeType=TcrCampaign")).toStrictEqual(made.slice(0, 1));
  expect(await list(`Scope=${ours.toLowerCase()}`)).toStrictEqual(made.slice(0, 2));
  expect(await list(`Scope=${sender}`)).toStrictEqual(made.slice(2));
  expect(await list(`ScopeType=SenderPhoneNumber&Scope=${ours}`)).toStrictEqual([]);
  const first = await answerOf<List<OptOut>>(await account.call("/v1/OptOuts?PageSize=2"), 200);
  expect(first.items).toStrictEqual(made.slice(0, 2));
  expect(await list(`PageSize=2&SearchId=${first.searchId}`)).toStrictEqual(made.slice(2));
});

test("those who subscribed to the number or to its config hear of it", async () => {
  const { tcrCampaignId } = await bringCampaign(tandem.database, account.sid);
  const messagingConfigSid = await newConfig(account, { tcrCampaignId });
  await answerOf(await account.call(`/v1/Phones/${sender}`, json("PATCH", { messagingConfigSid })), 200);
  const subscribe = async (more: object) => {
    const order = { type: "OptOutChanged", url: "https://receiver.example/", ...more };
    return answerOf<{ sid: string }>(await account.call("/v1/Webhooks", json("POST", order)), 201);
  };
  const byPhone = await subscribe({ phone: sender });
  const byConfig = await subscribe({ messagingConfigSid });
  await answerOf(await post({ number: PERSON, scopeType: "SenderPhoneNumber", scope: sender }), 201);
  await answerOf(await post({ number: PERSON, scopeType: "TcrCampaign", scope: tcrCampaignId }), 201);
  const path = "/v1/Webhooks/deliveries?OrderByDirection=Ascending&Type=OptOutChanged";
  const { items } = await answerOf<List<{ subscriptionSid: string; sequence: number }>>(await account.call(path), 200);
  expect(items).toMatchObject([
    { subscriptionSid: byPhone.sid, sequence: 1 },
    { subscriptionSid: byConfig.sid, sequence: 2 },
  ]);
});

describe("refused", () => {
  test("is an order with everything that is wrong with it", async () => {
    const order = { number: "pizza", scopeType: "TcrCampaign", scope: "+14155550150" };
    expect(Object.keys((await problemOf(await post(order), 400)).errors ?? {})).toStrictEqual(["number", "scope"]);
    await problemOf(await post({ number: PERSON, scopeType: "Everything", scope: sender }), 400);
    await problemOf(await post({ number: PERSON, scopeType: "SenderPhoneNumber", scope: "CABC123" }), 400);
    await problemOf(await post({}), 400);
  });

  test("is a scope that is not the account's: another account's, no one's, or a number given back", async () => {
    const stranger = await newAccount(tandem);
    const { tcrCampaignId: theirs } = await bringCampaign(tandem.database, stranger.sid);
    const theirNumber = await newNumber(tandem);
    await take(stranger, theirNumber);
    const givenBack = await newNumber(tandem);
    await take(account, givenBack);
    await answerOf(await account.call(`/v1/Phones/${givenBack}`, { method: "DELETE" }), 204);
    for (const [scopeType, scope] of [
      ["TcrCampaign", theirs],
      ["TcrCampaign", "CNOBODY"],
      ["SenderPhoneNumber", theirNumber],
      ["SenderPhoneNumber", "+14155550150"],
      ["SenderPhoneNumber", givenBack],
    ]) {
      const { errors } = await problemOf(await post({ number: "pizza", scopeType, scope }), 400);
      expect(errors, scope).toMatchObject({
        number: [expect.any(String)],
        scope: [expect.stringMatching(/^This is not one of your/)],
      });
    }
    expect(await list()).toStrictEqual([]);
  });

  test("is a removal that does not say what", async () => {
    expect(Object.keys((await problemOf(await remove({}), 400)).errors ?? {}).sort()).toStrictEqual([
      "Number",
      "Scope",
      "ScopeType",
    ]);
    const query = { Number: "pizza", ScopeType: "TcrCampaign", Scope: "x" };
    expect(Object.keys((await problemOf(await remove(query), 400)).errors ?? {}).sort()).toStrictEqual([
      "Number",
      "Scope",
    ]);
    await problemOf(await account.call("/v1/OptOuts?Number=pizza"), 400);
  });
});
