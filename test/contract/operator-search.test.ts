// Operators find what a caller can name, over all accounts, and whose a number is. Support does, too; the audit log
// has every search.

import { beforeAll, describe, expect, test } from "vitest";
import { basic, json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import type { TestAccount } from "./account.ts";
import { emulateInbound, listen, newMessenger, newSender, send } from "./messages.ts";
import { answerOf, bringCampaign, type List } from "./numbers.ts";
import { problemOf } from "./problem.ts";

interface Found {
  readonly numbers: readonly string[];
  readonly phones: readonly { number: string; accountSid: string; accountName: string; status: string }[];
  readonly accounts: readonly { sid: string; name: string }[];
  readonly messages: readonly { sid: string; direction: string; accountSid: string; accountName: string }[];
  readonly calls: readonly { sid: string; accountSid: string }[];
  readonly records: readonly { kind: string; sid: string; accountSid: string; accountName: string }[];
  readonly refused: readonly { requestId: string; status: number }[];
}

const tandem = useTandem();
const PERSON = "+14154740211";
const NAME = `Lighthouse Bakery ${process.pid}`;
const SUPPORT = `finder-${process.pid}-${Date.now()}`;
let account: TestAccount;
let number: string;
let support: string;
let sid: string;
let received: string;

const asSupport = (path: string) => fetch(tandem.url + path, { headers: basic("operator", support) });
const search = async (text: string) =>
  answerOf<Found>(await asSupport(`/operator/v1/Search?Query=${encodeURIComponent(text)}`), 200);
const nothing = { phones: [], accounts: [], messages: [], calls: [], records: [], refused: [] };

beforeAll(async () => {
  const made = await tandem.operator("/operator/v1/Tokens", json("POST", { name: SUPPORT, role: "support" }));
  support = (await answerOf<{ token: string }>(made, 201)).token;
  account = await newMessenger(tandem, { name: NAME, features: ["voice"] });
  ({ number } = await newSender(tandem, tandem.database, account));
  const ear = await listen(account);
  ({ sid } = await send(account, { From: number, To: PERSON, Text: "Your bread is ready" }));
  await emulateInbound(account, { from: PERSON, to: [number], text: "On my way" });
  await ear.statusesUntil(sid, "Delivered");
  await ear.inboundUntil(({ Text }) => Text === "On my way");
  await ear.leave();
  const texts = await answerOf<List<{ sid: string }>>(await account.call("/v1/InboundMessages"), 200);
  received = texts.items[0]?.sid ?? "";
});

describe("a search finds", () => {
  test.each(["+14154740211", "(415) 474-0211", "1 415 474 0211", "tel:+1-415-474-0211"])(
    "texts by the number of a person, written %s",
    async (text) => {
      const found = await search(text);
      expect(found.numbers).toContain(PERSON);
      const own = found.messages.filter(({ accountSid }) => accountSid === account.sid);
      expect(own).toHaveLength(2);
      expect(own).toContainEqual(expect.objectContaining({ sid, direction: "Outbound", accountName: NAME }));
      expect(own).toContainEqual(expect.objectContaining({ sid: received, direction: "Inbound", status: null }));
      expect(JSON.stringify(found)).not.toMatch(/bread|way/);
    },
  );

  test("the account that has a number", async () => {
    const owner = { number, accountSid: account.sid, accountName: NAME, status: "Active" };
    expect((await search(number)).phones).toMatchObject([owner]);
    const whose = await asSupport(`/operator/v1/Phones?Number=${encodeURIComponent(number)}`);
    expect(await answerOf<List<object>>(whose, 200)).toMatchObject({ items: [owner] });
    expect(await answerOf(await asSupport("/operator/v1/Phones?Number=%2B12025550987"), 200)).toEqual({ items: [] });
  });

  test("calls by the number at either end", async () => {
    const order = json("POST", { from: "+14154740212", to: "+14154740213", callerId: number });
    const call = await answerOf<{ sid: string }>(await account.call("/v1/Voice/Calls", order), 201);
    for (const party of ["+14154740212", "415-474-0213"]) {
      const own = (await search(party)).calls.filter(({ accountSid }) => accountSid === account.sid);
      expect(own).toMatchObject([{ sid: call.sid }]);
    }
    expect((await search(call.sid)).records).toMatchObject([{ kind: "Call", sid: call.sid, accountName: NAME }]);
  });

  test("an account by the beginnings of words of its name, and by its sid", async () => {
    const own = { sid: account.sid, name: NAME };
    expect((await search(`light ${process.pid}`)).accounts).toMatchObject([own]);
    expect((await search(account.sid)).accounts).toMatchObject([own]);
    expect(await search("lighthouse-butcher")).toEqual({ numbers: [], ...nothing });
    expect(await search("'); drop table accounts; --")).toMatchObject(nothing);
  });

  test("anything by its sid, a campaign by its id, and a request by its id", async () => {
    const kindsOf = async (id: string) => (await search(id)).records.map(({ kind }) => kind);
    expect(await kindsOf(sid)).toEqual(["Message"]);
    expect(await kindsOf(received)).toEqual(["InboundMessage"]);
    const { tcrCampaignId } = await bringCampaign(tandem.database, account.sid);
    expect(await kindsOf(tcrCampaignId)).toEqual(["Campaign"]);
    const refused = await account.call("/v1/Webhooks/WS1", { headers: { "X-Request-Id": `search-${process.pid}` } });
    await problemOf(refused, 404);
    await expect.poll(async () => (await search(`search-${process.pid}`)).refused, { timeout: 60_000 }).toHaveLength(1);
  });
});

test("what is no search is refused, and so is an account", async () => {
  await problemOf(await asSupport("/operator/v1/Search"), 400);
  await problemOf(await asSupport(`/operator/v1/Search?Query=${"x".repeat(201)}`), 400);
  await problemOf(await account.call("/operator/v1/Search?Query=bread"), 401);
});

test("the audit log has every search", async () => {
  await search("+14154740299");
  await asSupport("/operator/v1/Phones?Number=%2B14154740299");
  const path = `/operator/v1/AuditLog?Operator=${SUPPORT}&PageSize=2`;
  const { items } = await answerOf<List<{ action: string; details: object }>>(await tandem.operator(path), 200);
  expect(items).toMatchObject([
    { action: "findPhone", details: { Number: "+14154740299" } },
    { action: "search", details: { Query: "+14154740299" } },
  ]);
});
