// The account's numbers by plain HTTP: taking one, its status, where its calls go, giving it back.

import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { newDatabase } from "../shared-database.ts";
import { forgetTandem, json, startTandem, type TandemApi } from "../tandem.ts";
import { startBeside } from "../tandem-database.ts";
import { useTandem } from "../use-tandem.ts";
import { newAccount, type TestAccount } from "./account.ts";
import {
  answerOf,
  bringCampaign,
  type List,
  newConfig,
  newNumber,
  type PhoneBody,
  take,
  toldOf,
  WIDE,
} from "./numbers.ts";
import { problemOf } from "./problem.ts";

const UNKNOWN_CONFIG = `MC${"0".repeat(32)}`;

const tandem = useTandem({});
/** New for every test, so that lists hold only what the test created. */
let account: TestAccount;

beforeEach(async () => {
  account = await newAccount(tandem, { limits: { read: WIDE, write: WIDE }, features: ["voice"] });
});

const get = async <Body>(path: string) => answerOf<Body>(await account.call(path), 200);
const patch = async (number: string, body: object) =>
  answerOf<PhoneBody>(await account.call(`/v1/Phones/${number}`, json("PATCH", body)), 200);
const statusOf = async (number: string) => (await get<PhoneBody>(`/v1/Phones/${number}`)).status;
const available = async (query: string) =>
  (await get<List<{ number: string }>>(`/v1/Phones/Available?${query}`)).items.map(({ number }) => number);

describe("a number", () => {
  test.each(["/v1", "/messaging/v1"])("is found, taken, named and given back under %s", async (mount) => {
    const number = await newNumber(tandem);
    const digits = number.slice(1);
    expect(await available(`Contains=${digits}`)).toStrictEqual([number]);

    const taken = await answerOf<PhoneBody>(
      await account.call(`${mount}/Phones`, json("POST", { phone: digits, name: "Front desk" })),
      201,
    );
    expect(taken).toStrictEqual({
      number,
      name: "Front desk",
      status: "PendingMessagingConfigAdd",
      statusReason: "It belongs to no MessagingConfig.",
      messagingConfigSid: null,
      portOrderSid: null,
      features: ["SMS", "MMS", "VOICE"],
      createdOn: expect.stringMatching(/Z$/),
      updatedOn: taken.createdOn,
    });
    expect(await available(`Contains=${digits}`)).toStrictEqual([]);
    for (const spelling of [number, `%2B${digits}`, digits]) {
      expect(await get(`${mount}/Phones/${spelling}`)).toStrictEqual(taken);
    }
    expect(await get(`${mount}/Phones`)).toStrictEqual({ items: [taken] });

    const renamed = await patch(number, { name: null });
    expect(renamed).toMatchObject({ name: null, status: taken.status });

    await answerOf(await account.call(`${mount}/Phones/${digits}`, { method: "DELETE" }), 204);
    expect(await available(`Contains=${digits}`)).toStrictEqual([number]);
    expect(await get(`${mount}/Phones`)).toStrictEqual({ items: [] });
    const removed = await get<PhoneBody>(`${mount}/Phones/${number}`);
    expect(removed).toMatchObject({ status: "Removed", statusReason: "It was removed by its account." });
    expect(await get(`${mount}/Phones?Status=removed`)).toStrictEqual({ items: [removed] });
    expect(await toldOf(account)).toStrictEqual([
      `${number}: none → PendingMessagingConfigAdd`,
      `${number}: PendingMessagingConfigAdd → Removed`,
    ]);
  });

  test("that was given back can be taken again, by anyone, and is new then", async () => {
    const number = await newNumber(tandem);
    await take(account, number, { name: "Old" });
    await answerOf(
      await account.call(`/v1/Phones/${number}/voice`, json("PUT", { callsForwardedTo: "+14155550199" })),
      200,
    );
    await answerOf(await account.call(`/v1/Phones/${number}`, { method: "DELETE" }), 204);
    const other = await newAccount(tandem);
    await take(other, number);
    await answerOf(await other.call(`/v1/Phones/${number}`, { method: "DELETE" }), 204);
    expect(await take(account, number)).toMatchObject({ name: null, status: "PendingMessagingConfigAdd" });
    expect(await get(`/v1/Phones/${number}/voice`)).toStrictEqual({
      callsForwardedTo: null,
      recordInboundCalls: false,
    });
    expect((await get<List<PhoneBody>>("/v1/Phones")).items).toHaveLength(1);
    expect((await get<List<PhoneBody>>("/v1/Phones?Status=Removed")).items).toHaveLength(1);
  });

  test("goes to one account, however many want it at once", async () => {
    const number = await newNumber(tandem);
    const accounts = await Promise.all([1, 2, 3, 4].map(() => newAccount(tandem)));
    const answers = await Promise.all(
      [...accounts, ...accounts].map(async (one) => {
        const response = await one.call("/v1/Phones", json("POST", { phone: number }));
        await response.body?.cancel();
        return response.status;
      }),
    );
    expect(answers.sort()).toStrictEqual([201, 409, 409, 409, 409, 409, 409, 409]);
    const problem = await problemOf(await account.call("/v1/Phones", json("POST", { phone: number })), 409);
    expect(problem).toMatchObject({ code: "conflict", detail: `${number} serves another account.` });
    for (const { sid } of accounts) expect(JSON.stringify(problem)).not.toContain(sid);
  });

  test("that is the account's own is refused as that", async () => {
    const number = await newNumber(tandem);
    await take(account, number);
    const problem = await problemOf(await account.call("/v1/Phones", json("POST", { phone: number })), 409);
    expect(problem).toMatchObject({ code: "conflict", detail: `${number} is yours already.` });
  });

  test("of another account is nothing here", async () => {
    const number = await newNumber(tandem);
    await take(await newAccount(tandem), number);
    const body = json("PATCH", { name: "Mine" });
    await problemOf(await account.call(`/v1/Phones/${number}`), 404);
    await problemOf(await account.call(`/v1/Phones/${number}`, body), 404);
    await problemOf(await account.call(`/v1/Phones/${number}`, { method: "DELETE" }), 404);
    await problemOf(await account.call(`/v1/Phones/${number}/voice`), 404);
    await problemOf(await account.call(`/v1/Phones/${number}/voice`, json("PUT", {})), 404);
  });

  test("that was removed can be looked at and nothing else", async () => {
    const number = await newNumber(tandem);
    await take(account, number);
    await answerOf(await account.call(`/v1/Phones/${number}`, { method: "DELETE" }), 204);
    await problemOf(await account.call(`/v1/Phones/${number}`, json("PATCH", { name: "x" })), 404);
    await problemOf(await account.call(`/v1/Phones/${number}`, { method: "DELETE" }), 404);
    await problemOf(await account.call(`/v1/Phones/${number}/voice`), 404);
    await problemOf(await account.call(`/v1/Phones/${number}/voice`, json("PATCH", {})), 404);
  });

  test("that cannot be had is refused with everything that is wrong", async () => {
    const order = { phone: "+13035569999", messagingConfigSid: UNKNOWN_CONFIG };
    const problem = await problemOf(await account.call("/v1/Phones", json("POST", order)), 400);
    expect(problem.errors).toStrictEqual({
      phone: ["+13035569999 is not in the inventory: see GET /v1/Phones/Available."],
      messagingConfigSid: [`There is no MessagingConfig ${UNKNOWN_CONFIG}.`],
    });
    const none = await problemOf(await account.call("/v1/Phones", json("POST", { phone: "pizza" })), 400);
    expect(none.errors).toHaveProperty("phone");
    await problemOf(await account.call("/v1/Phones/pizza"), 400);
    const number = await newNumber(tandem);
    await take(account, number);
    const change = json("PATCH", { messagingConfigSid: UNKNOWN_CONFIG, name: "not this either" });
    expect((await problemOf(await account.call(`/v1/Phones/${number}`, change), 400)).errors).toHaveProperty(
      "messagingConfigSid",
    );
    expect(await get(`/v1/Phones/${number}`)).toMatchObject({ name: null });
  });

  test("that is being ported in goes with its port order", async () => {
    const number = await newNumber(tandem);
    await take(account, number);
    await tandem.database.query("update phones set status = 'PendingPortIn', features = '{}' where number = $1", [
      number,
    ]);
    const config = await newConfig(account);
    expect(await patch(number, { messagingConfigSid: config })).toMatchObject({ status: "PendingPortIn" });
    const problem = await problemOf(await account.call(`/v1/Phones/${number}`, { method: "DELETE" }), 409);
    expect(problem.detail).toContain("port order");
  });

  test("stays in the operator's inventory while it serves a user", async () => {
    const number = await newNumber(tandem);
    await take(account, number);
    await problemOf(await tandem.operator(`/operator/v1/Numbers/${number}`, { method: "DELETE" }), 409);
    await answerOf(await account.call(`/v1/Phones/${number}`, { method: "DELETE" }), 204);
    await answerOf(await tandem.operator(`/operator/v1/Numbers/${number}`, { method: "DELETE" }), 204);
    await problemOf(await tandem.operator(`/operator/v1/Numbers/${number}`, { method: "DELETE" }), 404);
    await problemOf(await account.call("/v1/Phones", json("POST", { phone: number })), 400);
  });

  test("of ours is looked up as Active when it is", async () => {
    const number = await newNumber(tandem);
    const lookUp = async () => await answerOf<object>(await tandem.get(`/carrierLookup/v1/Numbers/${number}`), 200);
    const info = { number, type: "VoIP", carrierName: "Tandem" };
    expect(await lookUp()).toStrictEqual({ ...info, status: "Inactive" });
    await take(account, number);
    expect(await lookUp()).toStrictEqual({ ...info, status: "Inactive" });
    const { tcrCampaignId } = await bringCampaign(tandem.database, account.sid);
    await patch(number, { messagingConfigSid: await newConfig(account, { tcrCampaignId }) });
    expect(await lookUp()).toStrictEqual({ ...info, status: "Active" });
    await answerOf(await account.call(`/v1/Phones/${number}`, { method: "DELETE" }), 204);
    expect(await lookUp()).toStrictEqual({ ...info, status: "Inactive" });
  });
});

describe("a number that the operator gives to an account", () => {
  const give = (number: string, order: object) =>
    tandem.operator(`/operator/v1/Numbers/${number}/assign`, json("POST", order));

  test("is the account's as if it had taken it, with the same event and an audit entry", async () => {
    const number = await newNumber(tandem);
    const { tcrCampaignId } = await bringCampaign(tandem.database, account.sid);
    const messagingConfigSid = await newConfig(account, { tcrCampaignId });
    const order = { accountSid: account.sid, name: "Given", messagingConfigSid };
    const given = await answerOf<PhoneBody>(await give(number.slice(1), order), 201);
    expect(given).toMatchObject({ number, name: "Given", status: "Active", messagingConfigSid });
    expect(await get(`/v1/Phones/${number}`)).toStrictEqual(given);
    expect(await available(`Contains=${number.slice(1)}`)).toStrictEqual([]);
    expect(await toldOf(account)).toStrictEqual([`${number}: none → Active`]);
    const path = `/operator/v1/AuditLog?Subject=${number.slice(1)}`;
    const { items } = await answerOf<List<object>>(await tandem.operator(path), 200);
    expect(items).toMatchObject([{ action: "assignNumber", details: order }]);
  });

  test("is refused when it is taken, not in the inventory, or meant for nobody", async () => {
    const number = await newNumber(tandem);
    const unknown = await problemOf(await give(number, { accountSid: "AC1" }), 400);
    expect(unknown.errors).toStrictEqual({ accountSid: ["There is no account AC1."] });
    const strange = await newConfig(await newAccount(tandem));
    const order = { accountSid: account.sid, messagingConfigSid: strange };
    expect((await problemOf(await give(number, order), 400)).errors).toStrictEqual({
      messagingConfigSid: [`There is no MessagingConfig ${strange}.`],
    });
    const absent = await problemOf(await give("+13035569999", { accountSid: account.sid }), 404);
    expect(absent.detail).toBe("There is no inventory number +13035569999.");
    await answerOf(await give(number, { accountSid: account.sid }), 201);
    const { sid: accountSid } = await newAccount(tandem);
    expect(await problemOf(await give(number, { accountSid }), 409)).toMatchObject({
      detail: `${number} serves ${account.sid} already.`,
    });
  });
});

describe("the numbers that can be had", () => {
  test("are some from the start in the sandbox", async () => {
    const [first = "", ...more] = await available("AreaCode=212");
    expect(more.length).toBeGreaterThan(5);
    expect(await take(account, first)).toMatchObject({ number: first, features: ["SMS", "MMS", "VOICE"] });
    expect(await available("AreaCode=212")).toStrictEqual(more);
  });

  test("are found by area code and digits, so many as asked for", async () => {
    const numbers = [];
    for (let n = 0; n < 12; n++) numbers.push(await newNumber(tandem, "+1907557"));
    numbers.sort();
    expect(await available("AreaCode=907")).toStrictEqual(numbers.slice(0, 10));
    expect(await available("areacode=907&quantity=12")).toStrictEqual(numbers);
    expect(await available("AreaCode=907&Quantity=3")).toStrictEqual(numbers.slice(0, 3));
    expect(await available(`AreaCode=907&Contains=${numbers[4]?.slice(-7)}`)).toStrictEqual([numbers[4]]);
    expect(await available("AreaCode=205")).toStrictEqual([]);
  });

  test.each(["Quantity=0", "Quantity=101", "AreaCode=1234", "AreaCode=011", "Contains=%25", "Contains=x", "City=Rome"])(
    "are not found by %s",
    async (query) => {
      await problemOf(await account.call(`/v1/Phones/Available?${query}`), 400);
    },
  );
});

describe("the status of a number", () => {
  test("follows its config and the config's campaign, and every change is reported once", async () => {
    const { tcrCampaignId } = await bringCampaign(tandem.database, account.sid);
    const number = await newNumber(tandem);
    const config = await newConfig(account);
    expect(await take(account, number, { messagingConfigSid: config })).toMatchObject({
      status: "PendingTcrCampaignAdd",
      statusReason: "Its MessagingConfig is linked to no campaign.",
    });
    await answerOf(await account.call(`/v1/MessagingConfigs/${config}`, json("PATCH", { tcrCampaignId })), 200);
    expect(await get(`/v1/Phones/${number}`)).toMatchObject({ status: "Active", statusReason: null });
    // Nothing changes, and no event is sent.
    await answerOf(await account.call(`/v1/MessagingConfigs/${config}`, json("PATCH", { tcrCampaignId })), 200);
    await patch(number, { messagingConfigSid: config, name: "Again" });
    expect(await patch(number, { messagingConfigSid: null })).toMatchObject({ status: "PendingMessagingConfigAdd" });
    expect(await patch(number, { messagingConfigSid: config })).toMatchObject({ status: "Active" });
    expect(await toldOf(account)).toStrictEqual([
      `${number}: none → PendingTcrCampaignAdd`,
      `${number}: PendingTcrCampaignAdd → Active`,
      `${number}: Active → PendingMessagingConfigAdd`,
      `${number}: PendingMessagingConfigAdd → Active`,
    ]);
  });

  test.each([
    ["a toll-free number", "+1888555", "Active"],
    ["a British number", "+44740012", "Active"],
    ["a Canadian number", "+1250556", "PendingTcrCampaignAdd"],
    ["a Jamaican number", "+1876556", "PendingTcrCampaignAdd"],
  ])("of %s with a config and no campaign", async (_name, prefix, status) => {
    const config = await newConfig(account);
    const number = await newNumber(tandem, prefix);
    expect(await take(account, number, { messagingConfigSid: config })).toMatchObject({ status });
  });

  test("goes through a change when the number comes under another campaign", async () => {
    const [first, second] = [
      await bringCampaign(tandem.database, account.sid),
      await bringCampaign(tandem.database, account.sid),
    ];
    const from = await newConfig(account, { tcrCampaignId: first.tcrCampaignId });
    const to = await newConfig(account, { tcrCampaignId: second.tcrCampaignId });
    const number = await newNumber(tandem);
    expect(await take(account, number, { messagingConfigSid: from })).toMatchObject({ status: "Active" });
    expect(await patch(number, { messagingConfigSid: to })).toMatchObject({ status: "Active", messagingConfigSid: to });
    expect(await toldOf(account)).toStrictEqual([
      `${number}: none → Active`,
      `${number}: Active → PendingTcrCampaignChange`,
      `${number}: PendingTcrCampaignChange → Active`,
    ]);
  });

  test("is right whoever changes what at the same time", async () => {
    const { tcrCampaignId } = await bringCampaign(tandem.database, account.sid);
    const config = await newConfig(account);
    const numbers = [await newNumber(tandem), await newNumber(tandem)];
    for (const number of numbers) await take(account, number);
    for (let round = 0; round < 10; round++) {
      const link = (body: object) => account.call(`/v1/MessagingConfigs/${config}`, json("PATCH", body));
      const add = (number: string, sid: string | null) =>
        account.call(`/v1/Phones/${number}`, json("PATCH", { messagingConfigSid: sid }));
      const all = (list: readonly Promise<Response>[]) =>
        Promise.all(list.map(async (response) => answerOf(await response, 200)));
      await all([link({ tcrCampaignId }), ...numbers.map((number) => add(number, config))]);
      expect(await Promise.all(numbers.map(statusOf))).toStrictEqual(["Active", "Active"]);
      await all([link({ tcrCampaignId: null }), ...numbers.map((number) => add(number, null))]);
      expect(await Promise.all(numbers.map(statusOf))).toStrictEqual(Array(2).fill("PendingMessagingConfigAdd"));
    }
    // Every event begins where the one before it ended.
    for (const number of numbers) {
      const told = (await toldOf(account)).filter((line) => line.startsWith(number)).map((line) => line.split(": ")[1]);
      const steps = told.map((line) => line?.split(" → ") as [string, string]);
      expect(steps.slice(1).map(([from]) => from)).toStrictEqual(steps.slice(0, -1).map(([, to]) => to));
      expect(steps.every(([from, to]) => from !== to)).toBe(true);
    }
  });

  test("that becomes Active lets go of the messages held for it, of its account alone", async () => {
    const { tcrCampaignId } = await bringCampaign(tandem.database, account.sid);
    const number = await newNumber(tandem);
    await take(account, number);
    const later = new Date(Date.now() + 3_600_000);
    const hold = async (sid: string, accountSid: string, sendAt: Date | null) => {
      await tandem.database.query(
        `insert into outbound_messages (account_sid, sid, from_number, to_number, text, status, segment_count, encoding, priority,
           created_at, send_at, expires_at)
         values ($1, $2, $3, '+14155550100', 'Hi', 'Queued', 1, 'GSM7', 2, now(), $4, now() + interval '1 day')`,
        [accountSid, sid, number, sendAt],
      );
      await tandem.database.query(
        `insert into outbound_queue (sid, account_sid, from_number, priority, due_at, expires_at)
         values ($1, $2, $3, 2, 'infinity', now() + interval '1 day')`,
        [sid, accountSid, number],
      );
    };
    await hold(`held-1-${number}`, account.sid, null);
    await hold(`held-2-${number}`, account.sid, later);
    await hold(`held-3-${number}`, tandem.accountSid, null);
    const dueOf = async (sid: string) => {
      const [row] = await tandem.database.query<{ due: string }>(
        "select case when due_at = 'infinity' then 'held' when due_at <= now() then 'due' else 'later' end as due from outbound_queue where sid = $1",
        [sid],
      );
      return row?.due ?? "gone";
    };
    await patch(number, { messagingConfigSid: await newConfig(account, { tcrCampaignId }) });
    // A message that is due may have been sent already.
    expect(["due", "gone"]).toContain(await dueOf(`held-1-${number}`));
    expect(await dueOf(`held-2-${number}`)).toBe("later");
    // A message for a number that its account does not have may have failed already; it was not released.
    expect(["held", "gone"]).toContain(await dueOf(`held-3-${number}`));
    const [other] = await tandem.database.query(
      "select status, messaging_config_sid from outbound_messages where sid = $1",
      [`held-3-${number}`],
    );
    expect(other).toMatchObject({ status: expect.stringMatching(/^(Queued|Failed)$/), messaging_config_sid: null });
  });
});

describe("the demo account", () => {
  const numbersOf = async (demo: TandemApi) => {
    const path = "/v1/Phones?OrderByDirection=Ascending";
    const { items } = await answerOf<List<PhoneBody>>(await demo.get(path), 200);
    expect(items.map(({ status }) => status)).toStrictEqual(Array(4).fill("Active"));
    return items.map(({ number }) => number);
  };
  const campaignsOf = async (demo: TandemApi) =>
    (await answerOf<List<object>>(await demo.get("/v1/TcrCampaigns"), 200)).items;

  test("has four numbers that can send, and keeps them from one start to the next", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "tandem-demo-"));
    const databaseUrl = await newDatabase();
    const first = await startTandem({ dataDir, databaseUrl });
    const numbers = await numbersOf(first);
    const told = `TANDEM_NUMBER=${numbers[0]}\n`;
    expect(readFileSync(join(dataDir, "demo.env"), "utf8")).toContain(told);
    await first.stop();
    const second = await startTandem({ dataDir, databaseUrl });
    expect(await numbersOf(second)).toStrictEqual(numbers);
    expect(await campaignsOf(second)).toHaveLength(1);
    expect(readFileSync(join(dataDir, "demo.env"), "utf8")).toContain(told);
    await second.stop();
    forgetTandem(dataDir);
  });

  test("of another server on the same database has others", async () => {
    const beside = await startBeside(tandem);
    const theirs = await numbersOf(beside);
    expect(new Set([...theirs, ...(await numbersOf(tandem))]).size).toBe(8);
    expect(await campaignsOf(tandem)).toMatchObject([{ tcrCampaignId: "CDEMO01" }]);
    expect(await campaignsOf(beside)).toMatchObject([{ tcrCampaignId: "CDEMO02" }]);
    await beside.stop();
  });
});

test("lists are paged and filtered", async () => {
  const config = await newConfig(account);
  const numbers: string[] = [];
  for (let n = 0; n < 5; n++) {
    const number = await newNumber(tandem);
    await take(account, number, n % 2 === 0 ? { messagingConfigSid: config } : {});
    numbers.push(number);
  }
  const seen: string[] = [];
  let searchId = "";
  do {
    const page: List<PhoneBody> = await get(`/v1/Phones?PageSize=2${searchId}`);
    seen.push(...page.items.map(({ number }) => number));
    searchId = page.searchId === undefined ? "" : `&SearchId=${page.searchId}`;
  } while (searchId !== "");
  expect(seen).toStrictEqual(numbers.toReversed());
  const filtered = async (query: string) =>
    (await get<List<PhoneBody>>(`/v1/Phones?OrderByDirection=Ascending&${query}`)).items.map(({ number }) => number);
  expect(await filtered(`MessagingConfigSid=${config}`)).toStrictEqual(numbers.filter((_, index) => index % 2 === 0));
  expect(await filtered("Status=PendingMessagingConfigAdd")).toStrictEqual(
    numbers.filter((_, index) => index % 2 === 1),
  );
  expect(await filtered("Status=Active")).toStrictEqual([]);
  await problemOf(await account.call("/v1/Phones?Status=Asleep"), 400);
});

describe("where a number's calls go", () => {
  let number: string;
  beforeEach(async () => {
    number = await newNumber(tandem);
    await take(account, number);
  });
  const voice = (method: "PUT" | "PATCH", body: object) =>
    account.call(`/v1/Phones/${number}/voice`, json(method, body));

  test("is nowhere at first, is replaced as a whole, and changed in part", async () => {
    const path = `/v1/Phones/${number}/voice`;
    expect(await get(path)).toStrictEqual({ callsForwardedTo: null, recordInboundCalls: false });
    const both = { callsForwardedTo: "+14155550199", recordInboundCalls: true };
    expect(await answerOf(await voice("PUT", { ...both, callsForwardedTo: "1 (415) 555-0199" }), 200)).toStrictEqual(
      both,
    );
    const uri = "sip:alice@example.com:5061;transport=TLS?X-Tenant=7&X-Desk=front%20desk";
    expect(await answerOf(await voice("PATCH", { callsForwardedTo: uri }), 200)).toStrictEqual({
      callsForwardedTo: uri,
      recordInboundCalls: true,
    });
    expect(await answerOf(await voice("PATCH", {}), 200)).toStrictEqual(await get(path));
    expect(await answerOf(await voice("PUT", { recordInboundCalls: true }), 200)).toStrictEqual({
      callsForwardedTo: null,
      recordInboundCalls: true,
    });
    expect(await answerOf(await voice("PUT", {}), 200)).toStrictEqual({
      callsForwardedTo: null,
      recordInboundCalls: false,
    });
    expect(await toldOf(account)).toHaveLength(1);
  });

  test.each([
    "alice",
    "sip:alice",
    "sips:alice@example.com",
    "sip:a@b;maddr=127.0.0.1",
    "sip:a@b?Route=x",
    "",
    "x".repeat(600),
  ])("is not %j", async (callsForwardedTo) => {
    const problem = await problemOf(await voice("PUT", { callsForwardedTo }), 400);
    expect(problem.errors).toHaveProperty("callsForwardedTo");
  });

  test("is refused to numbers without VOICE, and can be read", async () => {
    await tandem.database.query("update phones set features = '{SMS,MMS}' where number = $1", [number]);
    for (const method of ["PUT", "PATCH"] as const) {
      const problem = await problemOf(await voice(method, { recordInboundCalls: true }), 409);
      expect(problem.detail).toContain("VOICE");
    }
    expect(await get(`/v1/Phones/${number}/voice`)).toMatchObject({ recordInboundCalls: false });
  });

  test("is a matter for accounts that have voice", async () => {
    await account.change({ features: [] });
    const problem = await problemOf(await voice("PUT", {}), 403);
    expect(problem).toMatchObject({ code: "feature-off", detail: expect.stringContaining("voice") });
    await get(`/v1/Phones/${number}/voice`);
  });
});
