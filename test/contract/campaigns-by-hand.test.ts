// Campaigns that the operator maintains by hand, by plain HTTP: one server without a registry, and a second on the same
// database with one.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { SandboxRegistry } from "../../src/sandbox/registry/sandbox-registry.ts";
import { silent } from "../fakes/silent-log.ts";
import { runCommand } from "../journeys/tandem-command.ts";
import { json, type Tandem, type TandemApi } from "../tandem.ts";
import { startBeside } from "../tandem-database.ts";
import { useTandem } from "../use-tandem.ts";
import { newAccount, type TestAccount } from "./account.ts";
import { answerOf, type List, newCampaignId, newConfig, newNumber, SOON, take, toldOf, WIDE } from "./numbers.ts";
import { problemOf } from "./problem.ts";

const tandem = useTandem({ environment: { TANDEM_SANDBOX: "off" } });
const migrant = () => newAccount(tandem, { features: ["campaignMigration"], limits: { read: WIDE, write: WIDE } });

const enter = (tcrCampaignId: string, more: object = {}, at: TandemApi = tandem) =>
  at.operator("/operator/v1/Campaigns", json("POST", { tcrCampaignId, tcrBrandId: "BSHOP01", name: "Shop", ...more }));
const change = (id: string, order: object, at: TandemApi = tandem) =>
  at.operator(`/operator/v1/Campaigns/${id}`, json("PATCH", order));
const campaignOf = async (account: TestAccount, id: string) =>
  answerOf<object>(await account.call(`/v1/TcrCampaigns/${id}`), 200);

/** The account's events about campaigns, oldest first. */
async function campaignEventsOf(account: TestAccount): Promise<readonly object[]> {
  await toldOf(account);
  const path = "/v1/Events?PageSize=1000&OrderByDirection=Ascending";
  const { items } = await answerOf<List<{ type: string; payload: object }>>(await account.call(path), 200);
  return items.filter(({ type }) => type.startsWith("TcrCampaign")).map(({ type, payload }) => ({ type, ...payload }));
}

const trySending = (account: TestAccount, From: string) =>
  account.call(
    "/messaging/v1/OutboundMessages",
    json("POST", { From, To: "+14155550100", Text: "Hello", DryRun: true }),
  );

describe("a campaign that is entered by hand", () => {
  test("is linked to the config that names it and told of, and its numbers become Active", async () => {
    const account = await newAccount(tandem);
    const id = newCampaignId();
    const config = await newConfig(account, { name: `Shop ${id}` });
    const { number } = await take(account, await newNumber(tandem), { messagingConfigSid: config });
    const entered = {
      tcrCampaignId: id,
      tcrBrandId: "BSHOP01",
      name: "Shop",
      status: "Active",
      source: "Manual",
      throughput: [],
      messagingConfigSid: config,
      importedOn: expect.stringMatching(/Z$/),
    };
    const owned = { ...entered, accountSid: account.sid };
    expect(await answerOf(await enter(id.toLowerCase(), { accountSid: account.sid }), 201)).toStrictEqual(owned);
    expect(await campaignOf(account, id)).toStrictEqual(entered);
    expect(await answerOf(await tandem.operator(`/operator/v1/Campaigns/${id}`), 200)).toStrictEqual(owned);
    expect(await toldOf(account)).toStrictEqual([
      `${number}: none → PendingTcrCampaignAdd`,
      `${number}: PendingTcrCampaignAdd → Active`,
    ]);
    expect(await campaignEventsOf(account)).toMatchObject([
      { type: "TcrCampaignImported", TcrCampaignId: id, MessagingConfigSid: config, LinkOutcome: "Linked" },
    ]);
  });

  test("is suspended, expires and comes back with the registry's events, and its numbers say so", async () => {
    const account = await newAccount(tandem);
    const id = newCampaignId();
    const config = await newConfig(account, { name: id });
    const { number } = await take(account, await newNumber(tandem), { messagingConfigSid: config });
    await answerOf(await enter(id, { accountSid: account.sid }), 201);
    const reasonOf = async () =>
      (await answerOf<{ statusReason: string | null }>(await account.call(`/v1/Phones/${number}`), 200)).statusReason;
    expect(await answerOf(await change(id, { status: "suspended" }), 200)).toMatchObject({ status: "Suspended" });
    expect(await reasonOf()).toContain("suspended");
    expect(await answerOf(await trySending(account, number), 200)).toMatchObject({ refusals: [{ errorCode: 3015 }] });
    await answerOf(await change(id, { status: "Expired" }), 200);
    expect(await reasonOf()).toContain("expired");
    await answerOf(await change(id, { status: "Active", name: "Shop 2", tcrBrandId: "BSHOP02" }), 200);
    expect(await reasonOf()).toBeNull();
    await answerOf(await change(id, { status: "Active" }), 200);
    expect(await campaignOf(account, id)).toMatchObject({ name: "Shop 2", tcrBrandId: "BSHOP02", status: "Active" });
    const told = (PreviousStatus: string, Status: string) => ({
      type: "TcrCampaignStatusChanged",
      TcrCampaignId: id,
      MessagingConfigSid: config,
      PreviousStatus,
      Status,
    });
    expect((await campaignEventsOf(account)).slice(1)).toMatchObject([
      told("Active", "Suspended"),
      told("Suspended", "Expired"),
      told("Expired", "Active"),
    ]);
    const audit = await tandem.operator(`/operator/v1/AuditLog?Subject=${id}&OrderByDirection=Ascending`);
    const actions = (await answerOf<List<{ action: string }>>(audit, 200)).items.map(({ action }) => action);
    expect(actions).toStrictEqual(Array(4).fill("changeCampaign"));
  });

  test.each(["PATCH", "assign"])("is moved to another account by %s, and the numbers of both follow", async (way) => {
    const [account, other] = [await newAccount(tandem), await newAccount(tandem)];
    const id = newCampaignId();
    const configs = [await newConfig(account, { name: id }), await newConfig(other, { name: id })] as const;
    const phones = [
      await take(account, await newNumber(tandem), { messagingConfigSid: configs[0] }),
      await take(other, await newNumber(tandem), { messagingConfigSid: configs[1] }),
    ] as const;
    await answerOf(await enter(id, { accountSid: account.sid }), 201);
    const order = { accountSid: other.sid };
    const moved =
      way === "PATCH"
        ? await change(id, order)
        : await tandem.operator(`/operator/v1/Campaigns/${id}/assign`, json("POST", order));
    expect(await answerOf(moved, 200)).toMatchObject({ tcrCampaignId: id, name: "Shop", accountSid: other.sid });
    await problemOf(await account.call(`/v1/TcrCampaigns/${id}`), 404);
    expect(await campaignOf(other, id)).toMatchObject({ source: "Manual", messagingConfigSid: configs[1] });
    expect((await toldOf(account)).at(-1)).toBe(`${phones[0].number}: Active → PendingTcrCampaignAdd`);
    expect((await toldOf(other)).at(-1)).toBe(`${phones[1].number}: PendingTcrCampaignAdd → Active`);
    expect(await campaignEventsOf(other)).toMatchObject([{ type: "TcrCampaignImported", LinkOutcome: "Linked" }]);
  });

  test("is by default the one account's that names it and may have campaigns migrated", async () => {
    const [account, other] = [await newAccount(tandem), await migrant()];
    const id = newCampaignId();
    await newConfig(account, { name: id });
    expect(await problemOf(await enter(id), 400)).toMatchObject({ errors: { accountSid: [expect.any(String)] } });
    await newConfig(other, { name: `x ${id}` });
    expect(await answerOf(await enter(id), 201)).toMatchObject({ accountSid: other.sid });
  });

  test("is refused when it is here already, nobody's, or no campaign", async () => {
    const account = await newAccount(tandem);
    const id = newCampaignId();
    const accountSid = account.sid;
    expect(Object.keys((await problemOf(await enter("nonsense", { name: "" }), 400)).errors ?? {})).toStrictEqual([
      "tcrCampaignId",
      "name",
    ]);
    const nobody = { accountSid: "AC0123456789abcdef0123456789abcdef" };
    expect(await problemOf(await enter(id, nobody), 400)).toMatchObject({
      errors: { accountSid: [expect.any(String)] },
    });
    await problemOf(await change(id, { status: "Expired" }), 404);
    await problemOf(await tandem.operator(`/operator/v1/Campaigns/${id}`), 404);
    await answerOf(await enter(id, { accountSid }), 201);
    expect(await problemOf(await enter(id, { accountSid }), 409)).toMatchObject({
      detail: expect.stringContaining(accountSid),
    });
    expect(await problemOf(await change(id, nobody), 400)).toMatchObject({
      errors: { accountSid: [expect.any(String)] },
    });
    expect(await campaignEventsOf(account)).toHaveLength(1);
  });

  test("is found by its account, its status and who keeps it", async () => {
    const account = await newAccount(tandem);
    const ids = [newCampaignId(), newCampaignId()].sort() as [string, string];
    for (const id of ids) await answerOf(await enter(id, { accountSid: account.sid }), 201);
    await answerOf(await change(ids[1], { status: "Expired" }), 200);
    const found = async (filter: string) => {
      const path = `/operator/v1/Campaigns?OrderByDirection=Ascending&AccountSid=${account.sid}&${filter}`;
      const { items } = await answerOf<List<{ tcrCampaignId: string }>>(await tandem.operator(path), 200);
      return items.map(({ tcrCampaignId }) => tcrCampaignId);
    };
    expect(await found("Source=Manual")).toStrictEqual(ids);
    expect(await found("Status=Expired")).toStrictEqual([ids[1]]);
    expect(await found("Source=Registry")).toStrictEqual([]);
  });
});

test("the operator's commands enter, change, move and list", async () => {
  const [account, other] = [await newAccount(tandem), await newAccount(tandem)];
  const id = newCampaignId();
  const environment = { TANDEM_URL: tandem.url, TANDEM_OPERATOR_TOKEN: tandem.operatorToken };
  const run = (...args: readonly string[]) => runCommand(["operator", "campaigns", ...args], { environment });
  const rowOf = (status: string, owner = account.sid) => ({
    code: 0,
    stdout: expect.stringMatching(new RegExp(`^${id} +BSHOP01 +Shop +${status} +Manual +${owner} +- +20\\S+Z$`, "m")),
  });
  const entered = run("enter", id, "--brand", "BSHOP01", "--name", "Shop", "--account", account.sid);
  expect(await entered).toMatchObject(rowOf("Active"));
  expect(await run("suspend", id)).toMatchObject(rowOf("Suspended"));
  expect(await run("activate", id)).toMatchObject(rowOf("Active"));
  expect(await run("expire", id)).toMatchObject(rowOf("Expired"));
  expect(await run("assign", id, other.sid)).toMatchObject({ code: 0, stdout: expect.stringContaining(other.sid) });
  expect(await run("list", "--source", "manual", "--account", other.sid)).toMatchObject(rowOf("Expired", other.sid));
  expect(await run("unassigned", "--json")).toMatchObject({ code: 0, stdout: "[]\n" });
  expect((await run("change", id, "--name", "Shop 2", "--brand", "BSHOP02")).code).toBe(0);
  expect((await run("show", id)).stdout).toMatch(/^Brand +BSHOP02\nName +Shop 2\nStatus +Expired\nSource +Manual$/m);
});

describe("while a registry is connected", () => {
  let scratch: string;
  let registry: SandboxRegistry;
  let beside: Tandem;

  beforeAll(async () => {
    scratch = mkdtempSync(join(tmpdir(), "tandem-by-hand-"));
    const ours = { apiKey: "our-key", secret: "our-secret" };
    const options = { port: 0, ourCnpId: "STANDEM", ours, acceptanceMs: 0, notifyRetryMs: 50, log: silent };
    registry = await SandboxRegistry.listen(options);
    const { baseUrl, dcaId: shareWithCnpId } = registry;
    const settings = { upstreamCnpId: "STANDEM", shareWithCnpId, baseUrl, ...ours, pollSeconds: 1 };
    const config = join(scratch, "config.json");
    writeFileSync(config, JSON.stringify({ registry: settings }));
    beside = await startBeside(tandem, {
      TANDEM_SANDBOX: "off",
      TANDEM_CONFIG: config,
      TANDEM_OPERATOR_TOKEN: tandem.operatorToken,
    });
  });
  afterAll(async () => {
    await beside?.stop();
    await registry?.close();
    rmSync(scratch, { recursive: true });
  });

  test("none is entered, and those that it does not know are kept by hand as before", async () => {
    const account = await newAccount(tandem);
    const [id, late] = [newCampaignId(), newCampaignId()];
    await answerOf(await enter(id, { accountSid: account.sid }), 201);
    expect(await problemOf(await enter(late, { accountSid: account.sid }, beside), 409)).toMatchObject({
      detail: expect.stringContaining("registry is connected"),
    });
    expect(await answerOf(await change(id, { status: "Suspended" }, beside), 200)).toMatchObject({
      source: "Manual",
      status: "Suspended",
    });
  });

  test("it takes over what it calls ours, and is then the only one that changes it", async () => {
    const account = await newAccount(tandem);
    const id = newCampaignId();
    const config = await newConfig(account, { name: id });
    await answerOf(await enter(id, { accountSid: account.sid }), 201);
    await answerOf(await change(id, { status: "Suspended" }), 200);
    registry.migrate(id);
    await vi.waitFor(async () => expect(await campaignOf(account, id)).toMatchObject({ source: "Registry" }), SOON);
    expect(await campaignOf(account, id)).toMatchObject({
      tcrBrandId: `B${id.slice(1)}`,
      status: "Active",
      messagingConfigSid: config,
    });
    expect(await campaignEventsOf(account)).toMatchObject([
      { type: "TcrCampaignImported" },
      { type: "TcrCampaignStatusChanged", Status: "Suspended" },
      { type: "TcrCampaignStatusChanged", Status: "Active", PreviousStatus: "Suspended" },
    ]);
    await problemOf(await change(id, { status: "Expired" }, beside), 409);
    // On the server without the registry the operator may change it again.
    expect(await answerOf(await change(id, { status: "Expired" }), 200)).toMatchObject({
      source: "Manual",
      status: "Expired",
    });
  });
});

test("campaigns are listed in the order in which they came, whatever their ids are", async () => {
  const account = await migrant();
  const [low, middle, high] = [newCampaignId(), newCampaignId(), newCampaignId()];
  const came = [high, low, middle];
  for (const id of came) await answerOf(await enter(id, { accountSid: account.sid }), 201);
  const pages = async (call: (path: string) => Promise<Response>, path: string) => {
    const ids: string[] = [];
    for (let more = ""; ; ) {
      const page = await answerOf<List<{ tcrCampaignId: string }>>(await call(`${path}PageSize=1${more}`), 200);
      ids.push(...page.items.map(({ tcrCampaignId }) => tcrCampaignId));
      if (page.searchId === undefined) return ids;
      more = `&SearchId=${page.searchId}`;
    }
  };
  const own = (path: string) => account.call(path);
  expect(await pages(own, "/v1/TcrCampaigns?OrderByDirection=Ascending&")).toEqual(came);
  expect(await pages(own, "/v1/TcrCampaigns?")).toEqual(came.toReversed());
  const all = (path: string) => tandem.operator(path);
  expect(await pages(all, `/operator/v1/Campaigns?AccountSid=${account.sid}&`)).toEqual(came.toReversed());
});
