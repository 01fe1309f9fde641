import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { secretBox } from "../../../../test/fakes/secret-box.ts";
import { silent } from "../../../../test/fakes/silent-log.ts";
import { connectionTo, dropDatabase, newDatabase } from "../../../../test/shared-database.ts";
import { systemClock } from "../../../base/clock.ts";
import { makeIds } from "../../../base/ids.ts";
import { createAccount } from "../../../domain/accounts/index.ts";
import { type CampaignQueue, EXPIRY_SECONDS } from "../../../domain/campaigns/index.ts";
import { tokenMaker } from "../../secrets.ts";
import { type OpenStore, openStore } from "../store.ts";
import { campaignQueue } from "./followed-campaigns.ts";

const NOW = new Date("2026-03-01T12:00:00.000Z");
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
const FACTS = { tcrBrandId: "B1", name: "Shop", status: "Active", throughput: [] } as const;
/** A single maker: sids of two makers in the same millisecond have no order. */
const sids = makeIds(systemClock);
const ids = (count: number) => Array.from({ length: count }, (_, index) => `C${String(index).padStart(6, "0")}`);

let url: string;
let store: OpenStore;
let queue: CampaignQueue;

beforeAll(async () => {
  url = await newDatabase();
  const box = secretBox(randomBytes(32));
  store = await openStore({ settings: connectionTo(url), box, activationMs: 0, clock: systemClock, log: silent });
});
afterAll(async () => {
  await store.close();
  await dropDatabase(url);
});
beforeEach(async () => {
  await store.db.query("truncate registry_campaigns");
  queue = campaignQueue(store.db, "STANDEM");
});

const list = (campaigns: readonly string[], shownAs = "provisional Pending Active", now = NOW) =>
  queue.noteListed(
    campaigns.map((tcrCampaignId) => ({ tcrCampaignId, shownAs, facts: FACTS })),
    now,
  );

const claim = (now = NOW, countMax = 100) => queue.claimDue(now, new Date(now.getTime() + 60_000), countMax);

async function newAccount(features: readonly "campaignMigration"[]): Promise<string> {
  const deps = { tokens: tokenMaker, ids: sids, now: NOW };
  const order = { name: "Test", features, limitChanges: {}, allowedCountries: null, country: null };
  const rights = { signs: false, toolWrites: false };
  const made = await store.transaction(({ accounts }) => createAccount({ ...deps, accounts }, order, rights));
  return made.account.sid;
}

async function newConfig(accountSid: string, name: string): Promise<void> {
  await store.messagingConfigs.insert({
    sid: sids.sid("MC"),
    accountSid,
    name,
    tcrCampaignId: null,
    sendingTimes: null,
    defaultExpirySeconds: EXPIRY_SECONDS.default,
    optOutReply: null,
    optInReply: null,
    helpReply: null,
    optOutKeywords: [],
    optInKeywords: [],
    helpKeywords: [],
    createdOn: NOW,
  });
}

/** How PostgreSQL would plan a statement if its tables were large. */
async function planOf(text: string): Promise<string> {
  const rows = await store.db.transaction(async (unit) => {
    await unit.query("set local enable_seqscan = off");
    return unit.query<{ "QUERY PLAN": string }>(`explain ${text}`);
  });
  return rows.map((row) => row["QUERY PLAN"]).join("\n");
}

test("what a list shows is news once, and again when it is shown otherwise", async () => {
  expect(await list(["C000001", "C000002", "C000001"])).toBe(2);
  expect(await list(["C000001", "C000002", "C000003"])).toBe(1);
  expect(await claim()).toHaveLength(3);
  expect(await list(["C000001", "C000002"], "primary Accepted Active", later(1))).toBe(2);
  expect((await claim(later(1))).map(({ tcrCampaignId }) => tcrCampaignId).sort()).toStrictEqual([
    "C000001",
    "C000002",
  ]);
});

test("what is due is claimed by one, however many ask", async () => {
  await list(ids(90));
  const claims = (await Promise.all(Array.from({ length: 30 }, () => claim(NOW, 4)))).flat();
  expect(claims).toHaveLength(90);
  expect(new Set(claims.map(({ tcrCampaignId }) => tcrCampaignId))).toHaveProperty("size", 90);
  expect(await claim()).toStrictEqual([]);
});

test("a claim that no one ends comes due by itself", async () => {
  await list(["C000001"]);
  await claim();
  expect(await claim(later(59))).toStrictEqual([]);
  expect(await claim(later(60))).toMatchObject([{ tcrCampaignId: "C000001", standing: "Unknown", facts: FACTS }]);
});

test("what becomes due under a claim is due when the claim has ended", async () => {
  await queue.noteUpdate("C000001", NOW);
  const [first] = await claim();
  if (!first) throw new Error("nothing was due");
  await queue.noteUpdate("C000001", later(1));
  const outcome = { standing: "Ours", reason: null, standingSince: NOW, facts: FACTS, accountSid: null } as const;
  await store.followedCampaigns.settle(first, { ...outcome, askOn: later(3600) });
  const [second] = await claim(later(2));
  if (!second) throw new Error("nothing was due");
  await queue.noteUpdate("C000001", later(3));
  await queue.giveBack(second, { askOn: later(3600), failures: 1 });
  const [third] = await claim(later(4));
  expect(third).toMatchObject({ standing: "Ours", failures: 0 });
  await queue.giveBack(third as NonNullable<typeof third>, { askOn: later(3600), failures: 1 });
  expect(await claim(later(5))).toStrictEqual([]);
  expect(await claim(later(3600))).toMatchObject([{ failures: 1 }]);
});

test("a campaign that is not to be asked about any more is not, until there is news", async () => {
  await list(["C000001"]);
  const [first] = await claim();
  if (!first) throw new Error("nothing was due");
  const outcome = {
    standing: "Cancelled",
    reason: "Why not?",
    standingSince: NOW,
    facts: null,
    accountSid: null,
  } as const;
  await store.followedCampaigns.settle(first, { ...outcome, askOn: null });
  expect(await claim(later(1e9))).toStrictEqual([]);
  expect(await list(["C000001"])).toBe(1);
  expect(await claim()).toMatchObject([{ standing: "Cancelled", reason: "Why not?" }]);
});

test("another registry's campaigns are not asked about here, unless they are shown here", async () => {
  await list(["C000001"]);
  queue = campaignQueue(store.db, "SOTHERS");
  expect(await claim()).toStrictEqual([]);
  await list(["C000001"]);
  expect(await claim()).toHaveLength(1);
});

test("a name wakes only what nobody owns", async () => {
  const account = await newAccount([]);
  await list(["C000001", "C000002"]);
  for (const found of await claim()) {
    const outcome = { standing: "Ours", reason: null, standingSince: NOW, facts: FACTS } as const;
    const accountSid = found.tcrCampaignId === "C000001" ? account : null;
    await store.followedCampaigns.settle(found, { ...outcome, accountSid, askOn: later(3600) });
  }
  await store.followedCampaigns.wake(["C000001", "C000002", "C000003"], later(1));
  expect((await claim(later(1))).map(({ tcrCampaignId }) => tcrCampaignId)).toStrictEqual(["C000002"]);
});

test("configs are found by an id anywhere in their names, in any case, and by an index", async () => {
  const [may, barred] = [await newAccount(["campaignMigration"]), await newAccount([])];
  await newConfig(may, "Shop cxyz123");
  await newConfig(barred, "éCXYZ123 / 2");
  await newConfig(may, "ⒸCXYZ123");
  await newConfig(may, "CXYZ1234");
  await newConfig(may, "CcXyZ123ß");
  await newConfig(may, "CXYZ12 3");
  await newConfig(may, "çXYZ123");
  const naming = await store.followedCampaigns.configsNaming("CXYZ123");
  expect(naming).toStrictEqual([
    { accountSid: may, name: "Shop cxyz123", mayMigrate: true },
    { accountSid: barred, name: "éCXYZ123 / 2", mayMigrate: false },
    { accountSid: may, name: "ⒸCXYZ123", mayMigrate: true },
    { accountSid: may, name: "CXYZ1234", mayMigrate: true },
    { accountSid: may, name: "CcXyZ123ß", mayMigrate: true },
  ]);
  const plan = await planOf("select 1 from messaging_configs where campaign_ids_in(name) @> array['CXYZ123']");
  expect(plan).toContain("messaging_configs_ids");
});

test("looking for what is due reads what is due", async () => {
  const plan = await planOf(
    "select 1 from registry_campaigns where cnp_id = 'STANDEM' and ask_at <= now() order by ask_at",
  );
  expect(plan).toContain("registry_campaigns_due");
  expect(await planOf("select 1 from phones where activate_at <= now() order by activate_at")).toContain(
    "phones_activating",
  );
});
