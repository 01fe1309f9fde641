// An account finds what it has: numbers in any spelling, ids, names, and words of texts as soon as they are sent. It
// finds nothing of others, and operators find no texts.

import { beforeAll, describe, expect, test } from "vitest";
import { twilioMessageSid } from "../../src/adapters/twilio/names.ts";
import { basic, json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import type { TestAccount } from "./account.ts";
import { emulateInbound, listen, newMessenger, newSender, send, UNTIL } from "./messages.ts";
import { answerOf } from "./numbers.ts";
import { problemOf } from "./problem.ts";

interface Text {
  readonly sid: string;
  readonly direction: string;
  readonly text: string;
  readonly status: string | null;
}
interface Found {
  readonly numbers: readonly string[];
  readonly phones: readonly { number: string }[];
  readonly configs: readonly { sid: string; name: string }[];
  readonly messages: readonly Text[];
  readonly calls: readonly { sid: string }[];
  readonly records: readonly { kind: string; sid: string }[];
  readonly refused: readonly { requestId: string }[];
  readonly texts: readonly Text[];
  readonly textsFrom: string;
  readonly searchId?: string;
}

const tandem = useTandem();
const PERSON = "+14154740221";
let account: TestAccount;
let other: TestAccount;
let number: string;
let sent: string;
let received: string;

const find = async (query: object, of = account) =>
  answerOf<Found>(await of.call(`/v1/Search?${new URLSearchParams(query as Record<string, string>)}`), 200);
const sidsOf = (records: readonly { readonly sid: string }[]) => records.map(({ sid }) => sid);

beforeAll(async () => {
  account = await newMessenger(tandem, { features: ["voice"] });
  other = await newMessenger(tandem);
  ({ number } = await newSender(tandem, tandem.database, account));
  const ear = await listen(account);
  ({ sid: sent } = await send(account, { From: number, To: PERSON, Text: "Your crème brûlée is ready" }));
  // Nothing is waited for.
  expect(sidsOf((await find({ Query: "Creme BRUL" })).texts)).toEqual([sent]);
  await emulateInbound(account, { from: PERSON, to: [number], text: "谢谢，我马上过来拿 brulee" });
  await ear.statusesUntil(sent, "Delivered");
  await ear.inboundUntil(({ Text }) => String(Text).includes("brulee"));
  await ear.leave();
  received = (await find({ Query: "马上" })).texts[0]?.sid ?? "";
});

describe("a search finds", () => {
  test("texts by their words, sent and received, the newest first and page by page", async () => {
    const found = await find({ Query: "brulee" });
    expect(found.texts).toMatchObject([
      { sid: received, direction: "Inbound", status: null, text: expect.stringContaining("谢谢") },
      { sid: sent, direction: "Outbound", status: "Delivered", text: "Your crème brûlée is ready" },
    ]);
    expect(found).not.toHaveProperty("searchId");
    const first = await find({ Query: "brulee", PageSize: "1" });
    expect(sidsOf(first.texts)).toEqual([received]);
    const second = await find({ Query: "brulee", PageSize: "1", SearchId: first.searchId });
    expect(sidsOf(second.texts)).toEqual([sent]);
    expect((await find({ Query: "brulee sorbet" })).texts).toEqual([]);
    const past = { CreatedOnFrom: "2026-01-01T00:00:00Z", CreatedOnTo: "2026-01-31T00:00:00Z" };
    expect(await find({ Query: "brulee", ...past })).toMatchObject({
      texts: [],
      textsFrom: "2026-01-01T00:00:00.000Z",
    });
  });

  test.each([PERSON, "(415) 474-0221", "415.474.0221"])("messages and calls by a number, written %s", async (text) => {
    const order = json("POST", { from: PERSON, to: "+14154740213", callerId: number });
    const call = await answerOf<{ sid: string }>(await account.call("/v1/Voice/Calls", order), 201);
    const found = await find({ Query: text });
    expect(found.numbers).toContain(PERSON);
    expect(sidsOf(found.messages).toSorted()).toEqual([sent, received].toSorted());
    expect(sidsOf(found.calls)).toContain(call.sid);
  });

  test("the account's numbers and configs, by their names too", async () => {
    expect((await find({ Query: number })).phones).toMatchObject([{ number }]);
    const renamed = json("PATCH", { name: `Bakery ${process.pid}` });
    await answerOf(await account.call(`/v1/Phones/${encodeURIComponent(number)}`, renamed), 200);
    const made = json("POST", { name: `Oven of the BAKERY ${process.pid}` });
    const { sid } = await answerOf<{ sid: string }>(await account.call("/v1/MessagingConfigs", made), 201);
    const found = await find({ Query: `bakery ${process.pid}` });
    expect(found.phones).toMatchObject([{ number }]);
    expect(found.configs).toMatchObject([{ sid }]);
  });

  test("records by their ids, and what a request made or why it was refused", async () => {
    expect((await find({ Query: sent })).records).toMatchObject([{ kind: "Message", sid: sent }]);
    expect((await find({ Query: received })).records).toMatchObject([{ kind: "InboundMessage", sid: received }]);
    const requestId = `own-search-${process.pid}`;
    await problemOf(await account.call("/v1/Webhooks/WS1", { headers: { "X-Request-Id": requestId } }), 404);
    await expect
      .poll(async () => (await find({ Query: requestId })).refused, { timeout: 60_000 })
      .toMatchObject([{ requestId }]);
  });
});

test("another account finds nothing of it, and operators find no texts", async () => {
  for (const query of ["brulee", sent, received]) {
    const found = await find({ Query: query }, other);
    expect([found.messages, found.texts, found.records, found.calls, found.phones]).toEqual([[], [], [], [], []]);
  }
  expect(await find({ Query: PERSON }, other)).toMatchObject({ messages: [], calls: [], texts: [] });
  const name = `reader-${process.pid}-${Date.now()}`;
  const order = json("POST", { name, role: "support" });
  const { token } = await answerOf<{ token: string }>(await tandem.operator("/operator/v1/Tokens", order), 201);
  const asSupport = (path: string) => fetch(tandem.url + path, { headers: basic("operator", token) });
  const found = await answerOf<object>(await asSupport("/operator/v1/Search?Query=brulee"), 200);
  expect(JSON.stringify(found)).not.toContain(sent);
  await problemOf(await asSupport(`/operator/v1/Accounts/${account.sid}/Search?Query=brulee`), 404);
  await problemOf(await asSupport("/v1/Search?Query=brulee"), 401);
});

test("what is deleted or emptied is found no more", async () => {
  const change = async (word: string, init: RequestInit, status: number) => {
    const { sid } = await send(account, { From: number, To: PERSON, Text: `${word} for you` });
    await expect.poll(async () => (await find({ Query: word })).texts[0]?.status, UNTIL).toBe("Delivered");
    const path = `/2010-04-01/Accounts/${account.sid}/Messages/${twilioMessageSid(sid)}.json`;
    expect((await account.call(path, init)).status).toBe(status);
    expect((await find({ Query: word })).texts).toEqual([]);
  };
  await change("semifreddo", { method: "DELETE" }, 204);
  await change("panforte", { method: "POST", body: new URLSearchParams({ Body: "" }) }, 200);
});

test("what is no search is refused", async () => {
  await problemOf(await account.call("/v1/Search"), 400);
  await problemOf(await account.call(`/v1/Search?Query=${"x".repeat(201)}`), 400);
  await problemOf(await account.call("/v1/Search?Query=x&PageSize=101"), 400);
  await problemOf(await account.call("/v1/Search?Query=x&SearchId=x"), 400);
  const nowhere = Buffer.from("k nowhere").toString("base64url");
  expect((await find({ Query: "brulee", SearchId: nowhere })).texts).toEqual([]);
});
