// Who changed what in an account: its programs by their tokens, and people on pages; not what it sends.

import { beforeAll, expect, test } from "vitest";
import { sweepChanges } from "../../src/adapters/store/accounts/changes.ts";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import type { TestAccount } from "./account.ts";
import { newMessenger, newSender, send } from "./messages.ts";
import { answerOf, type List } from "./numbers.ts";
import { problemOf } from "./problem.ts";

interface Change {
  readonly createdOn: string;
  readonly by: string;
  readonly token: number | null;
  readonly operation: string;
  readonly resource: string | null;
  readonly requestId: string;
}

const tandem = useTandem();
const HOOK = { type: "OutboundMessageStatusChanged", url: "http://127.0.0.1:1/" };
let account: TestAccount;

const changes = async (query = "") =>
  (await answerOf<List<Change>>(await account.call(`/v1/Changes${query}`), 200)).items;
const subscribe = async () =>
  (await answerOf<{ sid: string }>(await account.call("/v1/Webhooks", json("POST", HOOK)), 201)).sid;

beforeAll(async () => {
  account = await newMessenger(tandem);
});

test("a webhook that a person deleted is found, with the token by which they signed in", async () => {
  const sid = await subscribe();
  const order = json("POST", { accountSid: account.sid, token: account.token });
  const page = { "X-Tandem-Session": "1" };
  const opened = await fetch(`${tandem.url}/v1/Session`, { ...order, headers: { ...order.headers, ...page } });
  const headers = { Cookie: (opened.headers.get("Set-Cookie") ?? "").split(";", 1)[0] ?? "", ...page };
  await answerOf(opened, 201);
  const gone = await fetch(`${tandem.url}/v1/Webhooks/${sid}`, { method: "DELETE", headers });
  expect(gone.status).toBe(204);
  const requestId = gone.headers.get("X-Request-Id");
  expect(await changes(`?Resource=${sid}`)).toStrictEqual([
    { createdOn: expect.any(String), by: "Person", token: 1, operation: "deleteWebhook", resource: sid, requestId },
    expect.objectContaining({ by: "Token", token: 1, operation: "createWebhook", resource: sid }),
  ]);
  const seen = await tandem.operator(`/operator/v1/Accounts/${account.sid}/Changes?Operation=deleteWebhook`);
  expect(await answerOf<List<Change>>(seen, 200)).toMatchObject({ items: [{ by: "Person", resource: sid }] });
});

test("what is refused, read or sent is no change", async () => {
  const { number } = await newSender(tandem, tandem.database, account);
  const before = await changes();
  expect(before.map(({ operation }) => operation)).toContain("createPhone");
  await send(account, { From: number, To: "+14155550100", Text: "Hello" });
  await problemOf(await account.call("/v1/Webhooks", json("POST", { ...HOOK, url: "ftp://example.com" })), 400);
  await problemOf(await account.call("/v1/Webhooks/WS1", { method: "DELETE" }), 404);
  await answerOf(await account.call("/v1/Phones"), 200);
  expect(await changes()).toStrictEqual(before);
  expect(await changes("?CreatedOnFrom=2099-01-01T00:00:00Z")).toStrictEqual([]);
});

test("a change is kept for 90 days", async () => {
  const sid = await subscribe();
  const old = new Date(Date.now() - 90 * 24 * 3_600_000 - 60_000);
  await tandem.database.query("update account_changes set created_at = $2 where resource = $1", [sid, old]);
  await sweepChanges(tandem.database, new Date());
  expect(await changes(`?Resource=${sid}`)).toStrictEqual([]);
});
