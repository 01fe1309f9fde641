// Campaigns that come from the registry, by plain HTTP: a registry that really responds and notifies, and two servers
// on one database that are configured for it as for the real one.

import { createHmac } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { canonicalJson } from "../../src/base/jcs.ts";
import { SandboxRegistry } from "../../src/sandbox/registry/sandbox-registry.ts";
import { silent } from "../fakes/silent-log.ts";
import { startReceiver } from "../journeys/listen-receiver.ts";
import { basic, json, type Tandem } from "../tandem.ts";
import { startBeside } from "../tandem-database.ts";
import { useTandem } from "../use-tandem.ts";
import { newAccount, type TestAccount } from "./account.ts";
import { answerOf, type List, newCampaignId, newConfig, newNumber, take, toldOf, WIDE } from "./numbers.ts";
import { problemOf } from "./problem.ts";

const OURS = { apiKey: "our-key", secret: "our-secret" };
const SOON = { timeout: 120_000, interval: 100 };

let scratch: string;
let registry: SandboxRegistry;
let two: Tandem;

const one = useTandem(async () => {
  scratch = mkdtempSync(join(tmpdir(), "tandem-campaigns-"));
  registry = await SandboxRegistry.listen({
    port: 0,
    ourCnpId: "STANDEM",
    ours: OURS,
    acceptanceMs: 0,
    notifyRetryMs: 50,
    log: silent,
  });
  const config = join(scratch, "config.json");
  const { baseUrl, dcaId: shareWithCnpId } = registry;
  const settings = { upstreamCnpId: "STANDEM", shareWithCnpId, baseUrl, ...OURS, pollSeconds: 4, requestsPerSecond: 9 };
  writeFileSync(config, JSON.stringify({ registry: settings }));
  return { environment: { TANDEM_CONFIG: config } };
});
beforeAll(async () => {
  two = await startBeside(one, { TANDEM_CONFIG: join(scratch, "config.json") });
  // Of a migration that is cancelled at once nothing but a notification tells.
  await vi.waitFor(async () => expect(await subscriptions()).toHaveLength(1), SOON);
});

async function subscriptions(): Promise<readonly object[]> {
  const headers = basic(OURS.apiKey, OURS.secret);
  return answerOf(await fetch(`${registry.baseUrl}/webhook/subscription`, { headers }), 200);
}

afterAll(async () => {
  await two?.stop();
  await registry?.close();
  rmSync(scratch, { recursive: true });
});
/** An account of its own for each test, to which campaigns may be migrated. */
const migrant = () => newAccount(one, { features: ["campaignMigration"], limits: { read: WIDE, write: WIDE } });

interface Imported {
  readonly TcrCampaignId: string;
  readonly TcrBrandId: string;
  readonly MessagingConfigSid: string | null;
  readonly LinkOutcome: string;
  readonly LinkHint?: string;
}

/** The account's events of imported campaigns, oldest first. */
async function importsOf({ call }: TestAccount): Promise<readonly Imported[]> {
  const path = "/v1/Events?PageSize=1000&OrderByDirection=Ascending";
  const { items } = await answerOf<List<{ type: string; payload: Imported }>>(await call(path), 200);
  return items.filter(({ type }) => type === "TcrCampaignImported").map(({ payload }) => payload);
}

/** The only import event of a campaign. */
async function importOf(owner: TestAccount, id: string): Promise<Imported> {
  const about = async () => (await importsOf(owner)).filter(({ TcrCampaignId }) => TcrCampaignId === id);
  await vi.waitFor(async () => expect(await about()).toHaveLength(1), SOON);
  return (await about())[0] as Imported;
}

interface Unassigned {
  readonly tcrCampaignId: string;
  readonly standing: string;
  readonly namedBy: readonly string[];
}

async function unassigned(id: string): Promise<Unassigned | undefined> {
  const path = "/operator/v1/Campaigns/unassigned?PageSize=1000";
  const { items } = await answerOf<List<Unassigned>>(await one.operator(path), 200);
  return items.find(({ tcrCampaignId }) => tcrCampaignId === id);
}

/** Waits until the campaign is ours but assigned to no account. */
async function waiting(id: string): Promise<Unassigned> {
  await vi.waitFor(async () => expect(await unassigned(id)).toMatchObject({ standing: "Ours" }), SOON);
  return (await unassigned(id)) as Unassigned;
}

const assign = (id: string, accountSid: string) =>
  one.operator(`/operator/v1/Campaigns/${id}/assign`, json("POST", { accountSid }));

const campaignOf = async (owner: TestAccount, id: string) =>
  answerOf<{ status: string; messagingConfigSid: string | null }>(await owner.call(`/v1/TcrCampaigns/${id}`), 200);

const standingOf = async (id: string) => {
  const [row] = await one.database.query<{ standing: string; reason: string | null }>(
    "select standing, reason from registry_campaigns where tcr_campaign_id = $1",
    [id],
  );
  return row;
};

test("no campaign comes from a simulated registry beside the one that is configured, and the banner says so", async () => {
  expect(one.output()).toContain("not simulated by the sandbox: campaign registry.\n");
  const account = await migrant();
  const id = newCampaignId();
  const migration = json("POST", { tcrCampaignId: id });
  const emulated = await problemOf(await account.call("/testkit/v1/Emulate/campaign-migration", migration), 409);
  expect(emulated.detail).toContain("not a simulated one");
  // A migration that the test kit refuses is not started.
  expect(await standingOf(id)).toBeUndefined();
});

/** A number on a config that is named after a campaign of ours. */
async function migrated(account: TestAccount): Promise<{ id: string; config: string; number: string }> {
  const id = newCampaignId();
  const config = await newConfig(account, { name: `Shop ${id}` });
  const { number } = await take(account, await newNumber(one), { messagingConfigSid: config });
  registry.migrate(id);
  await importOf(account, id);
  return { id, config, number };
}

const send = (account: TestAccount, from: string) =>
  account.call("/messaging/v1/OutboundMessages", json("POST", { From: from, To: "+14155550100", Text: "Hello" }));

const statusOf = async (account: TestAccount, number: string) =>
  (await answerOf<{ status: string }>(await account.call(`/v1/Phones/${number}`), 200)).status;

describe.concurrent("a campaign that is migrated to us", () => {
  test("is reported once, linked to the config that names it, and its numbers become Active", async () => {
    const account = await migrant();
    const receiver = await startReceiver();
    const order = { type: "TcrCampaignImported", url: receiver.url };
    const { secret } = await answerOf<{ secret: string }>(await account.call("/v1/Webhooks", json("POST", order)), 201);
    receiver.state.secret = secret;
    const id = newCampaignId();
    const config = await newConfig(account, { name: `Marketing[x${id}9]` });
    const { number, status } = await take(account, await newNumber(one), { messagingConfigSid: config });
    expect(status).toBe("PendingTcrCampaignAdd");
    registry.migrate(id);
    const fields = {
      TcrCampaignId: id,
      TcrBrandId: `B${id.slice(1)}`,
      MessagingConfigSid: config,
      LinkOutcome: "Linked",
    };
    expect(await importOf(account, id)).toMatchObject(fields);
    await receiver.until(1);
    expect(receiver.received).toMatchObject([{ type: "TcrCampaignImported", event: fields }]);
    expect(await answerOf(await account.call(`/v1/TcrCampaigns/${id}`), 200)).toMatchObject({
      tcrCampaignId: id,
      tcrBrandId: `B${id.slice(1)}`,
      status: "Active",
      source: "Registry",
      messagingConfigSid: config,
      throughput: [
        { operator: "AT&T", smsPerMinute: expect.any(Number) },
        { operator: "T-Mobile", brandTier: expect.any(String) },
      ],
    });
    expect(await toldOf(account)).toStrictEqual([
      `${number}: none → PendingTcrCampaignAdd`,
      `${number}: PendingTcrCampaignAdd → Active`,
    ]);
    expect((await send(account, number)).status).toBe(200);
    await receiver.close();
  });

  test("is not linked when several configs of its account name it", async () => {
    const account = await migrant();
    const id = newCampaignId();
    for (const name of [`a ${id}`, `${id}-b`]) await newConfig(account, { name });
    registry.migrate(id);
    expect(await importOf(account, id)).toMatchObject({ LinkOutcome: "SeveralMatches", MessagingConfigSid: null });
    expect(await campaignOf(account, id)).toMatchObject({ messagingConfigSid: null });
  });

  test("is not linked to a config that has a campaign, though that one tells whose it is", async () => {
    const account = await migrant();
    const { config } = await migrated(account);
    const id = newCampaignId();
    await account.call(`/v1/MessagingConfigs/${config}`, json("PATCH", { name: `Also ${id}` }));
    registry.migrate(id);
    expect(await importOf(account, id)).toMatchObject({ LinkOutcome: "NoMatch", MessagingConfigSid: null });
  });

  test.each([
    ["decline", "Declined", "The partner above us declined it (OTHER): Declined in the sandbox."],
    ["cancel", "Cancelled", "Cancelled by the campaign's owner."],
    ["expire", "Expired", expect.stringMatching(/^It was not settled before 20.*Z\.$/)],
  ] as const)("but %s: that is remembered, and it may come again", async (outcome, standing, reason) => {
    const account = await migrant();
    const id = newCampaignId();
    await newConfig(account, { name: id });
    registry.migrate(id, outcome);
    await vi.waitFor(async () => expect(await standingOf(id)).toStrictEqual({ standing, reason }), SOON);
    expect(await importsOf(account)).toStrictEqual([]);
    expect(registry.migrate(id)).toMatchObject({ ok: true });
    await importOf(account, id);
    expect(await standingOf(id)).toStrictEqual({ standing: "Ours", reason: null });
  });

  test("comes once however many come at a time, and whichever process sees it first", async () => {
    const account = await migrant();
    const ids = Array.from({ length: 6 }, newCampaignId);
    for (const id of ids) await newConfig(account, { name: id });
    for (const id of ids) registry.migrate(id);
    for (const id of ids) expect(await importOf(account, id)).toMatchObject({ LinkOutcome: "Linked" });
    expect(await importsOf(account)).toHaveLength(ids.length);
  });
});

describe.concurrent("whose a campaign is", () => {
  test("is found by its id inside a longer word only where no account has the whole word", async () => {
    const [account, other] = [await migrant(), await migrant()];
    const id = newCampaignId();
    await newConfig(account, { name: `X${id}` });
    const config = await newConfig(other, { name: `Shop ${id}` });
    registry.migrate(id);
    expect(await importOf(other, id)).toMatchObject({ LinkOutcome: "Linked", MessagingConfigSid: config });
    expect(await importsOf(account)).toStrictEqual([]);
  });

  test("is not found by its id in another case", async () => {
    const account = await migrant();
    const id = newCampaignId();
    const config = await newConfig(account, { name: `Shop ${id.toLowerCase()}` });
    registry.migrate(id);
    expect(await waiting(id)).toMatchObject({ tcrCampaignId: id, namedBy: [] });
    expect((await assign(id, account.sid)).status).toBe(200);
    expect(await importOf(account, id)).toMatchObject({
      LinkOutcome: "NoMatch",
      MessagingConfigSid: null,
      LinkHint: expect.stringContaining(config),
    });
  });

  test("is said again by the operator: the campaign moves, and the numbers of both accounts follow", async () => {
    const [account, other] = [await migrant(), await migrant()];
    const { id, number } = await migrated(account);
    const config = await newConfig(other, { name: `Ours is ${id}` });
    const { number: late } = await take(other, await newNumber(one), { messagingConfigSid: config });
    expect(await answerOf(await assign(id, other.sid), 200)).toMatchObject({ accountSid: other.sid });
    expect(await importOf(other, id)).toMatchObject({ LinkOutcome: "Linked", MessagingConfigSid: config });
    expect(await campaignOf(other, id)).toMatchObject({ messagingConfigSid: config, status: "Active" });
    expect(await statusOf(other, late)).toBe("Active");
    expect((await account.call(`/v1/TcrCampaigns/${id}`)).status).toBe(404);
    expect(await statusOf(account, number)).toBe("PendingTcrCampaignAdd");
    expect(await problemOf(await send(account, number), 400)).toMatchObject({ errorCode: 4 });
    // It stays there: later notifications of the registry change it for its new owner.
    registry.suspend(id);
    await vi.waitFor(async () => expect(await campaignOf(other, id)).toMatchObject({ status: "Suspended" }), SOON);
    expect((await assign(id, other.sid)).status).toBe(200);
    expect(await importsOf(other)).toHaveLength(1);
  });

  test("is said by the operator where two accounts name it, and then it is imported at once", async () => {
    const account = await migrant();
    const other = await migrant();
    const id = newCampaignId();
    for (const owner of [account, other]) await newConfig(owner, { name: `x-${id}` });
    registry.migrate(id);
    const { namedBy } = await waiting(id);
    expect([...namedBy].sort()).toStrictEqual([account.sid, other.sid].sort());
    expect(await answerOf(await assign(id.toLowerCase(), other.sid), 200)).toMatchObject({
      tcrCampaignId: id,
      accountSid: other.sid,
      standing: "Ours",
    });
    expect(await campaignOf(other, id)).toMatchObject({ source: "Registry" });
    expect(await importOf(other, id)).toMatchObject({ LinkOutcome: "Linked" });
    expect(await unassigned(id)).toBeUndefined();
    expect(await importsOf(account)).toStrictEqual([]);
    expect((await assign(id, other.sid)).status).toBe(200);
    expect(await importsOf(other)).toHaveLength(1);
    const audit = await one.operator(`/operator/v1/AuditLog?Subject=${id}`);
    // Both entries, although one request used lower case.
    const entry = { action: "assignCampaign", subject: id };
    expect(await answerOf<List<object>>(audit, 200)).toMatchObject({ items: [entry, entry] });
  });

  test("can be said before it comes", async () => {
    const account = await migrant();
    const id = newCampaignId();
    expect(await answerOf(await assign(id, account.sid), 200)).toMatchObject({ standing: "Unknown", name: null });
    registry.migrate(id);
    expect(await importOf(account, id)).toMatchObject({ LinkOutcome: "NoMatch" });
  });

  test("shows when a config is named after it later", async () => {
    const account = await migrant();
    const id = newCampaignId();
    const config = await newConfig(account, { name: "Later" });
    registry.migrate(id);
    await waiting(id);
    await account.call(`/v1/MessagingConfigs/${config}`, json("PATCH", { name: `Now ${id}` }));
    expect(await importOf(account, id)).toMatchObject({ LinkOutcome: "Linked", MessagingConfigSid: config });
  });

  test("shows when the account may have campaigns migrated", async () => {
    const barred = await newAccount(one, { limits: { read: WIDE } });
    const id = newCampaignId();
    await newConfig(barred, { name: id });
    registry.migrate(id);
    expect(await waiting(id)).toMatchObject({ namedBy: [barred.sid] });
    await barred.change({ features: ["campaignMigration"] });
    expect(await importOf(barred, id)).toMatchObject({ LinkOutcome: "Linked" });
  });

  test.each([
    ["CABC123", "AC0123456789abcdef0123456789abcdef", 400, "accountSid"],
    ["nonsense", undefined, 400, "tcrCampaignId"],
  ])("cannot be said of %s and %s", async (id, sid, status, field) => {
    const account = await migrant();
    const { errors } = await problemOf(await assign(id, sid ?? account.sid), status);
    expect(Object.keys(errors ?? {})).toStrictEqual([field]);
  });
});

describe.concurrent("an imported campaign", () => {
  test("is linked elsewhere, unlinked and linked again, and its numbers follow", async () => {
    const account = await migrant();
    const { id, config, number } = await migrated(account);
    const other = await newConfig(account, { name: "Other" });
    const link = (messagingConfigSid: string | null) =>
      account.call(`/v1/TcrCampaigns/${id}`, json("PATCH", { messagingConfigSid }));
    await answerOf(await link(other), 200);
    expect(await statusOf(account, number)).toBe("PendingTcrCampaignAdd");
    expect(await problemOf(await send(account, number), 400)).toMatchObject({ errorCode: 4 });
    await answerOf(await link(config), 200);
    expect(await statusOf(account, number)).toBe("Active");
    await answerOf(await link(null), 200);
    expect(await statusOf(account, number)).toBe("PendingTcrCampaignAdd");
  });

  test("that is suspended sends nothing until it is not", async () => {
    const account = await migrant();
    const receiver = await startReceiver();
    const order = { type: "tcrCampaignStatusChangedWebhook", url: receiver.url };
    const { secret } = await answerOf<{ secret: string }>(await account.call("/v1/Webhooks", json("POST", order)), 201);
    receiver.state.secret = secret;
    const { id, config, number } = await migrated(account);
    registry.suspend(id);
    await vi.waitFor(async () => expect(await campaignOf(account, id)).toMatchObject({ status: "Suspended" }), SOON);
    expect(await problemOf(await send(account, number), 400)).toMatchObject({
      errorCode: 3015,
      code: "campaign-suspended",
    });
    expect(await answerOf(await account.call(`/v1/Phones/${number}`), 200)).toMatchObject({
      status: "Active",
      statusReason: "Its campaign is suspended: messages are refused.",
    });
    registry.unsuspend(id);
    await vi.waitFor(async () => expect(await campaignOf(account, id)).toMatchObject({ status: "Active" }), SOON);
    expect((await send(account, number)).status).toBe(200);
    expect(await answerOf(await account.call(`/v1/Phones/${number}`), 200)).toMatchObject({ statusReason: null });
    expect(await importsOf(account)).toHaveLength(1);
    const about = { TcrCampaignId: id, MessagingConfigSid: config };
    await receiver.until(2);
    expect(receiver.received.map(({ event }) => event)).toMatchObject([
      { ...about, Status: "Suspended", PreviousStatus: "Active", Sequence: 2 },
      { ...about, Status: "Active", PreviousStatus: "Suspended", Sequence: 3 },
    ]);
    await receiver.close();
  });

  test("that expires sends nothing any more", async () => {
    const account = await migrant();
    const { id, number } = await migrated(account);
    registry.expire(id);
    await vi.waitFor(async () => expect(await campaignOf(account, id)).toMatchObject({ status: "Expired" }), SOON);
    expect(await answerOf(await account.call(`/v1/Phones/${number}`), 200)).toMatchObject({
      statusReason: expect.stringContaining("expired"),
    });
    expect(await problemOf(await send(account, number), 400)).toMatchObject({
      errorCode: 3017,
      code: "campaign-expired",
    });
  });

  test("that goes to another partner sends nothing from here, until it comes back", async () => {
    const account = await migrant();
    const { id, number } = await migrated(account);
    registry.migrateAway(id);
    await vi.waitFor(async () => expect(await campaignOf(account, id)).toMatchObject({ status: "Expired" }), SOON);
    expect(await problemOf(await send(account, number), 400)).toMatchObject({ errorCode: 3017 });
    registry.migrate(id);
    await vi.waitFor(async () => expect(await campaignOf(account, id)).toMatchObject({ status: "Active" }), SOON);
    expect(await importsOf(account)).toHaveLength(1);
  });
});

describe("a campaign comes once", () => {
  afterEach(() => registry.setFaults({}));

  test("when no notification tells of it", async () => {
    const account = await migrant();
    registry.setFaults({ loseNotifications: true });
    const { number } = await migrated(account);
    expect(await statusOf(account, number)).toBe("Active");
  });

  test("when everything is reported twice", async () => {
    const account = await migrant();
    registry.setFaults({ duplicateNotifications: true });
    await migrated(account);
    expect(await importsOf(account)).toHaveLength(1);
  });

  test("when the registry is there again", async () => {
    const account = await migrant();
    const id = newCampaignId();
    await newConfig(account, { name: id });
    const lastRun = async () => {
      const { items } = await answerOf<List<{ name: string; outcome: string; details: object }>>(
        await one.operator("/operator/v1/Reconciles"),
        200,
      );
      return items.find(({ name }) => name === "import-campaigns");
    };
    for (const answer of [500, "garbage", "down"] as const) {
      registry.setFaults({ answer });
      await expect
        .poll(lastRun, SOON)
        .toMatchObject({ outcome: "Failed", details: { reason: expect.stringMatching(REASONS[answer]) } });
    }
    registry.migrate(id);
    registry.setFaults({});
    await importOf(account, id);
    await expect.poll(lastRun, SOON).toMatchObject({ outcome: "Done" });
  });
});

const REASONS = { 500: /^failing: /, garbage: /^unreadable: /, down: /^unreachable: / };

describe("the registry's notifications", () => {
  const PATH = "/registry/v1/notifications";
  const share = (campaignId: string) => ({ eventType: "CAMPAIGN_SHARE_ADD", campaignId });

  const signed = (body: object, secret: string) =>
    createHmac("sha1", secret)
      .update(`${two.url.replace("127.0.0.1", "localhost")}${PATH}${canonicalJson(body)}`)
      .digest("base64");

  const tell = (text: string, headers: Readonly<Record<string, string>>) =>
    fetch(two.url + PATH, { method: "POST", body: text, headers: { "Content-Type": "application/json", ...headers } });

  test("are taken once, and a repeat is answered as the first was", async () => {
    const id = newCampaignId();
    const body = share(id);
    const headers = { "X-Registry-Signature": signed(body, OURS.secret) };
    for (let times = 0; times < 3; times++) {
      const answer = await tell(JSON.stringify(body), headers);
      expect(answer.status).toBe(204);
      expect(answer.headers.get("x-request-id")).toMatch(/./);
    }
    // No CNP has shared it with us, so the only effect was a query to the registry.
    await vi.waitFor(
      async () => expect(await standingOf(id)).toStrictEqual({ standing: "NotOurs", reason: null }),
      SOON,
    );
  });

  test("that are forged, unsigned, unreadable or too large are refused, and nothing comes of them", async () => {
    const id = newCampaignId();
    const text = JSON.stringify(share(id));
    const forged = await tell(text, { "X-Registry-Signature": signed(share(id), "guessed") });
    expect(await problemOf(forged, 401)).toMatchObject({ code: "unauthorized" });
    expect(await problemOf(await tell(text, {}), 401)).toMatchObject({ code: "unauthorized" });
    const good = { "X-Registry-Signature": signed(share(id), OURS.secret) };
    expect(await problemOf(await tell(JSON.stringify(share(newCampaignId())), good), 401)).toBeDefined();
    expect(await problemOf(await tell("[", good), 400)).toMatchObject({ code: "validation" });
    expect(await problemOf(await tell("", good), 400)).toMatchObject({ code: "validation" });
    const large = JSON.stringify({ ...share(id), description: "x".repeat(70_000) });
    expect(await problemOf(await tell(large, good), 413)).toMatchObject({ code: "body-too-large" });
    expect(await standingOf(id)).toBeUndefined();
  });

  test("of anything but campaigns, and those sent to try the way, change nothing", async () => {
    const id = newCampaignId();
    for (const body of [
      { eventType: "BRAND_ADD", brandId: "BABC123" },
      { ...share(id), mock: true },
    ]) {
      const answer = await tell(JSON.stringify(body), { "X-Registry-Signature": signed(body, OURS.secret) });
      expect(answer.status).toBe(204);
    }
    expect(await standingOf(id)).toBeUndefined();
  });
});
