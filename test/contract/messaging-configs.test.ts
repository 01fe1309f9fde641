// MessagingConfigs and campaigns by plain HTTP: settings, the numbers of a config, links, and the import that creates
// one.

import { beforeEach, describe, expect, test } from "vitest";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { newAccount, type TestAccount } from "./account.ts";
import {
  answerOf,
  bringCampaign,
  type List,
  newCampaignId,
  newConfig,
  newNumber,
  type PhoneBody,
  take,
  toldOf,
  WIDE,
  whenListed,
} from "./numbers.ts";
import { problemOf } from "./problem.ts";

interface Config {
  readonly sid: string;
  readonly name: string;
  readonly tcrCampaignId: string | null;
  readonly [member: string]: unknown;
}

const DEFAULTS = {
  tcrCampaignId: null,
  sendingTimes: null,
  defaultExpirySeconds: 14_400,
  optOutReply: null,
  optInReply: null,
  helpReply: null,
  optOutKeywords: [],
  optInKeywords: [],
  helpKeywords: [],
};
const EVERYTHING = {
  name: "Spring sale",
  tcrCampaignId: null,
  sendingTimes: { timeZone: "America/New_York", days: ["Mon", "Tue", "Fri"], from: "09:00", to: "20:00" },
  defaultExpirySeconds: 172_800,
  optOutReply: "Bye.\nReply START to come back.",
  optInReply: "Hello again.",
  helpReply: "Call +1 415 555 0150 ☎",
  optOutKeywords: ["NO MORE", "ENOUGH"],
  optInKeywords: ["JOIN"],
  helpKeywords: ["QUESTION"],
};
const NOBODY = `MC${"0".repeat(32)}`;

const tandem = useTandem();
let account: TestAccount;

beforeEach(async () => {
  account = await newAccount(tandem, { limits: { read: WIDE, write: WIDE } });
});

const get = async <Body>(path: string) => answerOf<Body>(await account.call(path), 200);
const call = (method: string, sid: string, body?: object) =>
  account.call(`/v1/MessagingConfigs/${sid}`, body === undefined ? { method } : json(method, body));
const linkConfig = (sid: string, tcrCampaignId: string | null) => call("PATCH", sid, { tcrCampaignId });
const linkCampaign = (id: string, messagingConfigSid: string | null) =>
  account.call(`/v1/TcrCampaigns/${id}`, json("PATCH", { messagingConfigSid }));
const statusOf = async (number: string) => (await get<PhoneBody>(`/v1/Phones/${number}`)).status;

async function numberOn(messagingConfigSid: string): Promise<string> {
  const number = await newNumber(tandem);
  await take(account, number, { messagingConfigSid });
  return number;
}

describe("a config", () => {
  test.each(["/v1", "/messaging/v1"])(
    "is made, read, listed, changed, replaced and deleted under %s",
    async (mount) => {
      const path = `${mount}/MessagingConfigs`;
      const made = await answerOf<Config>(await account.call(path, json("POST", { name: "Plain" })), 201);
      expect(made).toStrictEqual({
        sid: expect.stringMatching(/^MC[0-9a-f]{32}$/),
        name: "Plain",
        ...DEFAULTS,
        createdOn: expect.stringMatching(/Z$/),
      });
      const full = await answerOf<Config>(await account.call(path, json("POST", EVERYTHING)), 201);
      expect(full).toMatchObject(EVERYTHING);
      expect(await get(`${path}/${full.sid}`)).toStrictEqual(full);
      expect(await get(path)).toStrictEqual({ items: [full, made] });
      expect(await get(`${path}?PageSize=1&OrderByDirection=Ascending`)).toMatchObject({ items: [made] });

      const change = json("PATCH", { helpReply: null, defaultExpirySeconds: 60 });
      const changed = { ...full, helpReply: null, defaultExpirySeconds: 60 };
      expect(await answerOf(await account.call(`${path}/${full.sid}`, change), 200)).toStrictEqual(changed);
      expect(await answerOf(await account.call(`${path}/${full.sid}`, json("PATCH", {})), 200)).toStrictEqual(changed);
      const replacement = json("PUT", { name: "Autumn sale" });
      expect(await answerOf(await account.call(`${path}/${full.sid}`, replacement), 200)).toStrictEqual({
        ...full,
        ...DEFAULTS,
        name: "Autumn sale",
      });
      await answerOf(await account.call(`${path}/${full.sid}`, { method: "DELETE" }), 204);
      await problemOf(await account.call(`${path}/${full.sid}`), 404);
      await problemOf(await account.call(`${path}/${full.sid}`, { method: "DELETE" }), 404);
    },
  );

  test("writes down sending times in one way", async () => {
    const sendingTimes = { timeZone: "america/chicago", days: ["SUN", "mon", "Sun"], from: "21:00", to: "00:00" };
    const sid = await newConfig(account, { sendingTimes });
    expect(await get(`/v1/MessagingConfigs/${sid}`)).toMatchObject({
      sendingTimes: { timeZone: "America/Chicago", days: ["Mon", "Sun"], from: "21:00", to: "00:00" },
    });
  });

  test("writes down keywords as they are compared, each once", async () => {
    const sid = await newConfig(account, {
      optOutKeywords: [" no  more! ", "No More", "stop"],
      helpKeywords: ["¿qué?"],
    });
    expect(await get(`/v1/MessagingConfigs/${sid}`)).toMatchObject({
      optOutKeywords: ["NO MORE", "STOP"],
      helpKeywords: ["QUÉ"],
    });
    const several = {
      helpKeywords: ["!", "Stop"],
      optInKeywords: ["aide"],
      sendingTimes: { ...times, timeZone: "Mars" },
    };
    const problem = await problemOf(await call("PATCH", sid, several), 400);
    expect(problem.errors).toMatchObject({
      "helpKeywords[0]": [expect.any(String)],
      "helpKeywords[1]": ["STOP opts out everywhere."],
      "optInKeywords[0]": ["AIDE asks for help everywhere."],
      "sendingTimes.timeZone": [expect.any(String)],
    });
    expect(Object.keys(problem.errors ?? {})).toHaveLength(4);
  });

  const times = EVERYTHING.sendingTimes;
  test.each([
    ["without a name", {}, "name"],
    ["with an empty name", { name: "" }, "name"],
    ["with a long name", { name: "x".repeat(65) }, "name"],
    ["that expires too soon", { name: "x", defaultExpirySeconds: 59 }, "defaultExpirySeconds"],
    ["that expires too late", { name: "x", defaultExpirySeconds: 172_801 }, "defaultExpirySeconds"],
    ["with a long reply", { name: "x", helpReply: "x".repeat(321) }, "helpReply"],
    ["with an empty reply", { name: "x", optInReply: "" }, "optInReply"],
    ["with a reply of controls", { name: "x", optOutReply: "a\u0007" }, "optOutReply"],
    ["with a bad campaign id", { name: "x", tcrCampaignId: "XABC123" }, "tcrCampaignId"],
    ["with an unknown campaign", { name: "x", tcrCampaignId: "CNOBODY" }, "tcrCampaignId"],
    ["in no time zone", { name: "x", sendingTimes: { ...times, timeZone: "Mars/Base" } }, "sendingTimes.timeZone"],
    ["on no day", { name: "x", sendingTimes: { ...times, days: [] } }, "sendingTimes.days"],
    ["on an unknown day", { name: "x", sendingTimes: { ...times, days: ["Monday"] } }, "sendingTimes.days[0]"],
    ["at no time", { name: "x", sendingTimes: { ...times, from: "20:00" } }, "sendingTimes.to"],
    ["at a time that is none", { name: "x", sendingTimes: { ...times, from: "9:00" } }, "sendingTimes.from"],
    ["with a long keyword", { name: "x", helpKeywords: ["x".repeat(33)] }, "helpKeywords[0]"],
    ["with many keywords", { name: "x", optInKeywords: Array(21).fill("JOIN") }, "optInKeywords"],
    ["with a stranger's member", { name: "x", colour: "red" }, "colour"],
  ])("%s is refused", async (_name, order, field) => {
    const problem = await problemOf(await account.call("/v1/MessagingConfigs", json("POST", order)), 400);
    expect(Object.keys(problem.errors ?? {})).toStrictEqual([field]);
  });

  test("of another account is nothing here", async () => {
    const sid = await newConfig(await newAccount(tandem));
    for (const [method, path, body] of [
      ["GET", "", undefined],
      ["PUT", "", { name: "x" }],
      ["PATCH", "", {}],
      ["DELETE", "", undefined],
      ["GET", "/phones", undefined],
      ["PATCH", "/addPhones", { phones: ["+14155550150"] }],
      ["PATCH", "/deletePhones", { phones: ["+14155550150"] }],
    ] as const) {
      await problemOf(await call(method, `${sid}${path}`, body), 404);
    }
    const number = await newNumber(tandem);
    await problemOf(await account.call("/v1/Phones", json("POST", { phone: number, messagingConfigSid: sid })), 400);
  });

  test("is deleted only when no number belongs to it", async () => {
    const sid = await newConfig(account);
    const number = await numberOn(sid);
    const problem = await problemOf(await call("DELETE", sid), 409);
    expect(problem.detail).toContain("deletePhones");
    await answerOf(await account.call(`/v1/Phones/${number}`, { method: "DELETE" }), 204);
    await answerOf(await call("DELETE", sid), 204);
  });
});

describe("the numbers of a config", () => {
  interface Assigned {
    readonly success: readonly string[];
    readonly failed: readonly { readonly number: string; readonly reason: string }[];
  }
  const assign = async (sid: string, change: "add" | "delete", phones: readonly string[]) =>
    answerOf<Assigned>(await call("PATCH", `${sid}/${change}Phones`, { phones }), 200);
  const phonesOf = async (sid: string) =>
    (await get<List<PhoneBody>>(`/v1/MessagingConfigs/${sid}/phones?OrderByDirection=Ascending`)).items;

  test("are added and taken out, each by itself", async () => {
    const { tcrCampaignId } = await bringCampaign(tandem.database, account.sid);
    const [sid, other] = [await newConfig(account, { tcrCampaignId }), await newConfig(account)];
    const mine = await newNumber(tandem);
    await take(account, mine);
    const elsewhere = await numberOn(other);
    const strangers = await newNumber(tandem);
    await take(await newAccount(tandem), strangers);

    const added = await assign(sid, "add", [mine, elsewhere.slice(1), strangers, "pizza", mine]);
    expect(added.success).toStrictEqual([mine, elsewhere]);
    expect(added.failed).toStrictEqual([
      { number: strangers, reason: "This is not one of your numbers." },
      { number: "pizza", reason: expect.stringContaining("letters") },
    ]);
    expect(await phonesOf(sid)).toMatchObject([
      { number: mine, status: "Active", messagingConfigSid: sid },
      { number: elsewhere, status: "Active", messagingConfigSid: sid },
    ]);
    expect(await phonesOf(other)).toStrictEqual([]);
    expect(await assign(sid, "add", [mine])).toStrictEqual({ success: [mine], failed: [] });

    expect(await assign(sid, "delete", [mine, strangers])).toStrictEqual({
      success: [mine],
      failed: [{ number: strangers, reason: "This number does not belong to this MessagingConfig." }],
    });
    expect(await assign(other, "delete", [elsewhere])).toMatchObject({ success: [], failed: [{ number: elsewhere }] });
    expect(await phonesOf(sid)).toMatchObject([{ number: elsewhere }]);
    expect(await toldOf(account)).toStrictEqual([
      `${mine}: none → PendingMessagingConfigAdd`,
      `${elsewhere}: none → PendingTcrCampaignAdd`,
      `${mine}: PendingMessagingConfigAdd → Active`,
      `${elsewhere}: PendingTcrCampaignAdd → Active`,
      `${mine}: Active → PendingMessagingConfigAdd`,
    ]);
  });

  test.each([{ phones: [] }, { phones: "+14155550150" }, {}, { phones: Array(1001).fill("+14155550150") }])(
    "are not given as %j",
    async (body) => {
      await problemOf(await call("PATCH", `${await newConfig(account)}/addPhones`, body), 400);
    },
  );
});

describe("a campaign", () => {
  test("is listed, read by its id in any case, and shows what the registry says of it", async () => {
    const { tcrCampaignId } = await bringCampaign(tandem.database, account.sid);
    const campaign = {
      tcrCampaignId,
      tcrBrandId: "BTEST01",
      name: "Test campaign",
      status: "Active",
      throughput: [{ operator: "AT&T", messageClass: "A", smsPerMinute: 4500, mmsPerMinute: 2400, brandTier: null }],
      messagingConfigSid: null,
      source: "Registry",
      importedOn: expect.stringMatching(/Z$/),
    };
    expect(await get("/v1/TcrCampaigns")).toStrictEqual({ items: [campaign] });
    expect(await get(`/v1/tcrcampaigns/${tcrCampaignId.toLowerCase()}`)).toStrictEqual(campaign);
    const other = await newAccount(tandem);
    await problemOf(await other.call(`/v1/TcrCampaigns/${tcrCampaignId}`), 404);
    await problemOf(await other.call(`/v1/TcrCampaigns/${tcrCampaignId}`, json("PATCH", {})), 404);
  });

  test.each(["config", "campaign"] as const)("is linked and unlinked from the %s's side", async (side) => {
    const { tcrCampaignId: id } = await bringCampaign(tandem.database, account.sid);
    const sid = await newConfig(account);
    const number = await numberOn(sid);
    const link = (on: boolean) =>
      side === "config" ? linkConfig(sid, on ? id : null) : linkCampaign(id, on ? sid : null);
    await answerOf(await link(true), 200);
    expect(await get(`/v1/TcrCampaigns/${id}`)).toMatchObject({ messagingConfigSid: sid });
    expect(await get(`/v1/MessagingConfigs/${sid}`)).toMatchObject({ tcrCampaignId: id });
    expect(await statusOf(number)).toBe("Active");
    await answerOf(await link(true), 200);
    await answerOf(await link(false), 200);
    expect(await get(`/v1/TcrCampaigns/${id}`)).toMatchObject({ messagingConfigSid: null });
    expect(await get(`/v1/MessagingConfigs/${sid}`)).toMatchObject({ tcrCampaignId: null });
    await answerOf(await link(false), 200);
    expect(await toldOf(account)).toStrictEqual([
      `${number}: none → PendingTcrCampaignAdd`,
      `${number}: PendingTcrCampaignAdd → Active`,
      `${number}: Active → PendingTcrCampaignAdd`,
    ]);
  });

  test("is linked by its id in any case, in a body too", async () => {
    const { tcrCampaignId } = await bringCampaign(tandem.database, account.sid);
    const sid = await newConfig(account);
    const linked = await linkConfig(sid, tcrCampaignId.toLowerCase());
    expect(await answerOf(linked, 200)).toMatchObject({ tcrCampaignId });
    await answerOf(await linkConfig(sid, null), 200);
    const order = json("POST", { name: "Lower", tcrCampaignId: tcrCampaignId.toLowerCase() });
    expect(await answerOf(await account.call("/v1/MessagingConfigs", order), 201)).toMatchObject({ tcrCampaignId });
  });

  test("has one config, and a config one campaign", async () => {
    const [one, two] = [
      await bringCampaign(tandem.database, account.sid),
      await bringCampaign(tandem.database, account.sid),
    ];
    const [a, b] = [await newConfig(account, { tcrCampaignId: one.tcrCampaignId }), await newConfig(account)];
    expect((await problemOf(await linkConfig(b, one.tcrCampaignId), 409)).detail).toContain(a);
    expect((await problemOf(await linkCampaign(two.tcrCampaignId, a), 409)).detail).toContain(one.tcrCampaignId);
    const order = json("POST", { name: "Third", tcrCampaignId: one.tcrCampaignId });
    await problemOf(await account.call("/v1/MessagingConfigs", order), 409);
    await problemOf(await linkCampaign(two.tcrCampaignId, NOBODY), 400);
    // The campaign moves from one config to a free one: a change of the campaign may replace its own link.
    await answerOf(await linkCampaign(one.tcrCampaignId, b), 200);
    expect(await get(`/v1/MessagingConfigs/${a}`)).toMatchObject({ tcrCampaignId: null });
    expect(await get(`/v1/MessagingConfigs/${b}`)).toMatchObject({ tcrCampaignId: one.tcrCampaignId });
  });

  test("that takes the place of another is a change for the numbers", async () => {
    const [one, two] = [
      await bringCampaign(tandem.database, account.sid),
      await bringCampaign(tandem.database, account.sid),
    ];
    const sid = await newConfig(account, { tcrCampaignId: one.tcrCampaignId });
    const number = await numberOn(sid);
    await answerOf(await linkConfig(sid, two.tcrCampaignId), 200);
    expect(await toldOf(account)).toStrictEqual([
      `${number}: none → Active`,
      `${number}: Active → PendingTcrCampaignChange`,
      `${number}: PendingTcrCampaignChange → Active`,
    ]);
    expect(await get(`/v1/TcrCampaigns/${one.tcrCampaignId}`)).toMatchObject({ messagingConfigSid: null });
  });

  test("stays with a config that is replaced, unless another one or none is named", async () => {
    const { tcrCampaignId } = await bringCampaign(tandem.database, account.sid);
    const sid = await newConfig(account, { tcrCampaignId, helpReply: "Help" });
    const number = await numberOn(sid);
    expect(await answerOf(await call("PUT", sid, { name: "Replaced" }), 200)).toMatchObject({
      name: "Replaced",
      tcrCampaignId,
      helpReply: null,
    });
    expect(await statusOf(number)).toBe("Active");
    const { tcrCampaignId: other } = await bringCampaign(tandem.database, account.sid);
    const replaced = await call("PUT", sid, { name: "Replaced", tcrCampaignId: other });
    expect(await answerOf(replaced, 200)).toMatchObject({ tcrCampaignId: other });
    expect(await answerOf(await call("PUT", sid, { name: "Replaced", tcrCampaignId: null }), 200)).toMatchObject({
      tcrCampaignId: null,
    });
    expect(await statusOf(number)).toBe("PendingTcrCampaignAdd");
  });

  test("of a config that is deleted or unlinked is free again", async () => {
    const { tcrCampaignId } = await bringCampaign(tandem.database, account.sid);
    const first = await newConfig(account, { tcrCampaignId });
    await answerOf(await call("PUT", first, { name: "Without", tcrCampaignId: null }), 200);
    const second = await newConfig(account, { tcrCampaignId });
    await answerOf(await call("DELETE", second), 204);
    expect(await get(`/v1/TcrCampaigns/${tcrCampaignId}`)).toMatchObject({ messagingConfigSid: null });
  });
});

describe("the import of a campaign", () => {
  const importedEvents = async () => {
    await whenListed(account);
    const { items } = await get<List<{ type: string; payload: object }>>("/v1/Events?OrderByDirection=Ascending");
    return items.filter(({ type }) => type === "TcrCampaignImported").map(({ payload }) => payload);
  };

  test("links it to the one config that names it, whose numbers become Active", async () => {
    const id = newCampaignId();
    await newConfig(account, { name: `Not ${id.toLowerCase()}` });
    const sid = await newConfig(account, { name: `Sale(X${id}X)` });
    const number = await numberOn(sid);
    await bringCampaign(tandem.database, account.sid, id);
    expect(await statusOf(number)).toBe("Active");
    expect(await importedEvents()).toMatchObject([
      { TcrCampaignId: id, TcrBrandId: "BTEST01", MessagingConfigSid: sid, LinkOutcome: "Linked" },
    ]);
    // A repeat changes nothing.
    await answerOf(await linkConfig(sid, null), 200);
    expect(await bringCampaign(tandem.database, account.sid, id)).toMatchObject({ messagingConfigSid: null });
    expect(await importedEvents()).toHaveLength(1);
    expect(await statusOf(number)).toBe("PendingTcrCampaignAdd");
  });

  test("links it to none when none or several name it, or the one has a campaign already", async () => {
    const [none, several, taken] = [newCampaignId(), newCampaignId(), newCampaignId()];
    await newConfig(account, { name: `${several} a` });
    await newConfig(account, { name: `${several} b` });
    const { tcrCampaignId } = await bringCampaign(tandem.database, account.sid);
    await newConfig(account, { name: taken, tcrCampaignId });
    for (const id of [none, several, taken]) await bringCampaign(tandem.database, account.sid, id);
    const outcomes = (await importedEvents()) as { LinkOutcome: string; MessagingConfigSid: string | null }[];
    expect(outcomes.map(({ LinkOutcome }) => LinkOutcome).slice(1)).toStrictEqual([
      "NoMatch",
      "SeveralMatches",
      "NoMatch",
    ]);
    expect(outcomes.every(({ MessagingConfigSid }) => MessagingConfigSid === null)).toBe(true);
  });

  test("gives it to one account", async () => {
    const { tcrCampaignId } = await bringCampaign(tandem.database, account.sid);
    await expect(bringCampaign(tandem.database, tandem.accountSid, tcrCampaignId)).rejects.toThrow("another account");
  });
});
