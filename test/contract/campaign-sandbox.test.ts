// Campaigns and their activation in the stock sandbox, driven by the test kit.

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Database } from "../../src/adapters/store/engine/database.ts";
import { newDatabase } from "../shared-database.ts";
import { forgetTandem, json, startTandem, type Tandem, type TandemOrder } from "../tandem.ts";
import { databaseOf } from "../tandem-database.ts";
import { newAccount, type TestAccount } from "./account.ts";
import {
  answerOf,
  type List,
  newCampaignId,
  newConfig,
  newNumber,
  type PhoneBody,
  take,
  toldOf,
  WIDE,
} from "./numbers.ts";
import { problemOf } from "./problem.ts";

const SOON = { timeout: 120_000, interval: 100 };
const ENVIRONMENT = {
  TANDEM_LOG_LEVEL: "warn",
  TANDEM_SANDBOX_ACCEPTANCE_SECONDS: "0.5",
  // So long that only a test ends it.
  TANDEM_ACTIVATION_SECONDS: "3600",
};

let kept: Required<Pick<TandemOrder, "dataDir" | "databaseUrl">>;
let tandem: Tandem;
let database: Database;

beforeAll(async () => {
  kept = { dataDir: mkdtempSync(join(tmpdir(), "tandem-sandbox-")), databaseUrl: await newDatabase() };
  tandem = await startTandem({ ...kept, environment: ENVIRONMENT });
  database = databaseOf(tandem);
});
afterAll(async () => {
  await database?.close();
  await tandem?.stop();
  forgetTandem(kept.dataDir);
});

const limits = { read: WIDE, write: WIDE, send: WIDE };
const someAccount = () => newAccount(tandem, { features: ["campaignMigration"], limits });

const migrate = (account: TestAccount, tcrCampaignId: string, outcome?: string) =>
  account.call("/testkit/v1/Emulate/campaign-migration", json("POST", { tcrCampaignId, outcome }));

async function outcomesOf({ call }: TestAccount): Promise<readonly string[]> {
  const { items } = await answerOf<List<{ type: string; payload: { LinkOutcome: string } }>>(
    await call("/v1/Events?PageSize=1000"),
    200,
  );
  return items.filter(({ type }) => type === "TcrCampaignImported").map(({ payload }) => payload.LinkOutcome);
}

const phoneOf = async (account: TestAccount, number: string) =>
  answerOf<PhoneBody>(await account.call(`/v1/Phones/${number}`), 200);

/** Ends the time that adding the number to its campaign takes. */
async function activate(account: TestAccount, number: string): Promise<void> {
  const due = "update phones set activate_at = now() where number = $1 and activate_at is not null returning number";
  expect(await database.query(due, [number])).toHaveLength(1);
  await vi.waitFor(async () => expect(await phoneOf(account, number)).toMatchObject({ status: "Active" }), SOON);
}

const send = (account: TestAccount, from: string, more: object = {}) =>
  account.call("/messaging/v1/OutboundMessages", json("POST", { From: from, To: "+14155550100", Text: "Hi", ...more }));

test("the demo's numbers wait for nothing", async () => {
  const { items } = await answerOf<List<PhoneBody>>(await tandem.get("/v1/Phones"), 200);
  expect(items.map(({ status, statusReason }) => [status, statusReason])).toStrictEqual(
    Array(4).fill(["Active", null]),
  );
});

test("a campaign that is migrated to an account by the test kit is its own, whatever its configs are called", async () => {
  const account = await someAccount();
  const id = newCampaignId();
  expect(await answerOf(await migrate(account, id.toLowerCase()), 200)).toStrictEqual({ done: true });
  await vi.waitFor(async () => expect(await outcomesOf(account)).toStrictEqual(["NoMatch"]), SOON);
  const { upstreamCnpId } = await answerOf<{ upstreamCnpId: string }>(await account.call("/v1/Account"), 200);
  expect(upstreamCnpId).toMatch(/^S[A-Z2-9]{6}$/);
  expect(await problemOf(await migrate(account, id), 409)).toMatchObject({
    detail: "Operation declined. The campaign is with this partner already.",
  });
  const other = await someAccount();
  expect(await problemOf(await migrate(other, id), 409)).toMatchObject({ detail: `${id} is another account's.` });
});

test("an account that asks for another's campaign does not learn whose it is", async () => {
  const { items } = await answerOf<List<{ tcrCampaignId: string }>>(await tandem.get("/v1/TcrCampaigns"), 200);
  const id = items[0]?.tcrCampaignId as string;
  const { detail } = await problemOf(await migrate(await someAccount(), id), 409);
  expect(detail).toBe(`${id} is another account's.`);
  expect((await tandem.get(`/v1/TcrCampaigns/${id}`)).status).toBe(200);
});

test("an account without the feature has no campaign migrated to it by the test kit", async () => {
  const barred = await newAccount(tandem, { limits });
  const id = newCampaignId();
  await newConfig(barred, { name: id });
  expect(await problemOf(await migrate(barred, id), 403)).toMatchObject({
    code: "feature-off",
    detail: expect.stringContaining("campaignMigration"),
  });
  const followed = "select 1 from registry_campaigns where tcr_campaign_id = $1";
  expect(await database.query(followed, [id])).toStrictEqual([]);
  await barred.change({ features: ["campaignMigration"] });
  expect((await migrate(barred, id)).status).toBe(200);
  await vi.waitFor(async () => expect(await outcomesOf(barred)).toStrictEqual(["Linked"]), SOON);
});

test("a number waits while it is added to its campaign, and what was held for it goes then", async () => {
  const account = await someAccount();
  const id = newCampaignId();
  const config = await newConfig(account, { name: `Shop ${id}` });
  const { number } = await take(account, await newNumber(tandem), { messagingConfigSid: config });
  expect(await phoneOf(account, number)).toMatchObject({
    statusReason: "Its MessagingConfig is linked to no campaign.",
  });
  const held = await answerOf<{ sid: string }>(await send(account, number, { HoldUntilActive: true }), 200);
  await migrate(account, id);
  await vi.waitFor(
    async () =>
      expect(await phoneOf(account, number)).toMatchObject({
        status: "PendingTcrCampaignAdd",
        statusReason: "It is being added to its campaign.",
      }),
    SOON,
  );
  await vi.waitFor(async () => expect(await outcomesOf(account)).toStrictEqual(["Linked"]), SOON);
  expect(await problemOf(await send(account, number), 400)).toMatchObject({ errorCode: 4 });
  await activate(account, number);
  expect(await toldOf(account)).toStrictEqual([
    `${number}: none → PendingTcrCampaignAdd`,
    `${number}: PendingTcrCampaignAdd → Active`,
  ]);
  const sent = async () => answerOf(await account.call(`/messaging/v1/OutboundMessages/${held.sid}`), 200);
  await vi.waitFor(async () => expect(await sent()).toMatchObject({ status: "Delivered" }), SOON);

  // A change to another campaign takes time, too.
  const next = newCampaignId();
  await migrate(account, next);
  await vi.waitFor(async () => expect(await outcomesOf(account)).toHaveLength(2), SOON);
  const linked = await account.call(`/v1/MessagingConfigs/${config}`, json("PATCH", { tcrCampaignId: next }));
  expect(linked.status).toBe(200);
  expect(await phoneOf(account, number)).toMatchObject({ status: "PendingTcrCampaignChange" });
  expect(await problemOf(await send(account, number), 400)).toMatchObject({ errorCode: 5 });
  await activate(account, number);
  // So does a number that is added to a config which already has its campaign.
  const late = await take(account, await newNumber(tandem), { messagingConfigSid: config });
  expect(late).toMatchObject({
    status: "PendingTcrCampaignAdd",
    statusReason: "It is being added to its campaign.",
  });
  await activate(account, late.number);
});

test("a number that needs no campaign waits for none", async () => {
  const account = await someAccount();
  const config = await newConfig(account);
  const phone = await take(account, await newNumber(tandem, "+1888556"), { messagingConfigSid: config });
  expect(phone).toMatchObject({ status: "Active", statusReason: null });
});

test("a migration that came to nothing may be tried again", async () => {
  const account = await someAccount();
  const id = newCampaignId();
  await answerOf(await migrate(account, id, "Decline"), 200);
  await vi.waitFor(async () => expect((await migrate(account, id, "cancel")).status).toBe(200), SOON);
  await vi.waitFor(async () => expect((await migrate(account, id)).status).toBe(200), SOON);
  await vi.waitFor(async () => expect(await outcomesOf(account)).toStrictEqual(["NoMatch"]), SOON);
});

test.each([
  [{ tcrCampaignId: "nonsense" }, "tcrCampaignId"],
  [{}, "tcrCampaignId"],
  [{ tcrCampaignId: "CABC123", outcome: "explode" }, "outcome"],
])("%o is no migration", async (body, field) => {
  const answer = await tandem.get("/testkit/v1/Emulate/campaign-migration", json("POST", body));
  expect(Object.keys((await problemOf(answer, 400)).errors ?? {})).toStrictEqual([field]);
});

test("a server that is killed while a number waits goes on where it was, and tells once", async () => {
  const account = await someAccount();
  const { upstreamCnpId } = await answerOf<{ upstreamCnpId: string }>(await account.call("/v1/Account"), 200);
  const id = newCampaignId();
  const config = await newConfig(account, { name: id });
  const { number } = await take(account, await newNumber(tandem), { messagingConfigSid: config });
  await migrate(account, id);
  await vi.waitFor(async () => expect(await outcomesOf(account)).toStrictEqual(["Linked"]), SOON);
  await database.close();
  await tandem.kill();
  tandem = await startTandem({ ...kept, environment: ENVIRONMENT });
  database = databaseOf(tandem);
  const again = { ...account, call: (path: string, init?: RequestInit) => callAs(account, path, init) };
  await activate(again, number);
  expect(await outcomesOf(again)).toStrictEqual(["Linked"]);
  expect(await answerOf(await again.call("/v1/Account"), 200)).toMatchObject({ upstreamCnpId });
  expect(await problemOf(await migrate(again, id), 409)).toMatchObject({ code: "conflict" });
});

function callAs({ sid, token }: TestAccount, path: string, init?: RequestInit): Promise<Response> {
  const Authorization = `Basic ${Buffer.from(`${sid}:${token}`).toString("base64")}`;
  return fetch(tandem.url + path, { ...init, headers: { Authorization, ...init?.headers } });
}
