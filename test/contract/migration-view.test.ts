// The whole migration of a campaign in one response, by plain HTTP, from a name in a config to Active numbers.

import { describe, expect, test } from "vitest";
import { json } from "../tandem.ts";
import { newAccount } from "./account.ts";
import {
  codesOf,
  migrate,
  migrationOf,
  migrationsOf,
  migrationThatIs,
  newMigrant,
  useTandemForMigrations,
} from "./migrations.ts";
import { answerOf, type List, newCampaignId, newConfig, newNumber, take } from "./numbers.ts";
import { decide, orderThatIs, portIn, strangeNumbers } from "./port-orders.ts";
import { problemOf } from "./problem.ts";

const tandem = useTandemForMigrations("0");

describe("before anything is submitted", () => {
  test("a name that differs from the id only in case is shown as the likely slip", async () => {
    const account = await newMigrant(tandem);
    const id = newCampaignId();
    const config = await newConfig(account, { name: `Shop ${id.toLowerCase()}` });
    const before = await migrationOf(account, id);
    expect(before).toMatchObject({ messagingConfigSid: null, messagingConfigs: [], blockers: [{ code: "NoConfig" }] });
    expect(before.blockers[0]?.says).toContain(`The name of ${config} has ${id} in another case`);
    await answerOf(await migrate(account, id), 200);
    const after = await migrationThatIs(account, id, { linkOutcome: "NoMatch" });
    expect(after.blockers).toMatchObject([{ code: "NoConfig", says: expect.stringContaining(config) }]);
  });

  test("a campaign that a config names is a dry run, and numbers are looked at", async () => {
    const account = await newMigrant(tandem);
    const id = newCampaignId();
    const config = await newConfig(account, { name: `Shop (${id})` });
    const taken = await newNumber(tandem);
    await take(account, taken);
    const [free] = strangeNumbers(1) as [string];
    const numbers = [free, "+18885550123", taken, "pizza"].map(encodeURIComponent).join(",");
    const { upstreamCnpId } = await answerOf<{ upstreamCnpId: string }>(await account.call("/v1/Account"), 200);
    const migration = await migrationOf(account, id.toLowerCase(), `?Numbers=${numbers}`);
    expect(migration).toMatchObject({
      tcrCampaignId: id,
      status: "Planned",
      dryRun: true,
      upstreamCnpId,
      registry: null,
      campaign: null,
      linkOutcome: null,
      messagingConfigSid: config,
      linked: false,
      blockers: [],
      portOrders: [],
      numbers: [],
      times: [],
    });
    expect(migration.preflight.map(({ check, number, passed }) => [check, number, passed])).toEqual([
      ["Feature", null, true],
      ["Registry", null, true],
      ["Owner", null, true],
      ["Config", null, true],
      ["Number", free, true],
      ["Number", "+18885550123", true],
      ["Number", taken, false],
      ["Number", "pizza", false],
    ]);
    expect(migration.preflight.find(({ number }) => number === "+18885550123")?.says).toContain("needs no campaign");
    expect(migration.nextSteps).toMatchObject([
      { who: "You", says: expect.stringContaining(config) },
      { who: "You", says: expect.stringContaining(upstreamCnpId) },
    ]);
    expect((await answerOf<List<object>>(await account.call("/v1/Phones/port-in"), 200)).items).toEqual([]);
  });

  test("what is in the way is reported: the feature, and a second config", async () => {
    const account = await newAccount(tandem);
    const id = newCampaignId();
    await newConfig(account, { name: `one ${id}` });
    expect(codesOf(await migrationOf(account, id))).toEqual(["FeatureOff"]);
    await newConfig(account, { name: `two ${id}` });
    expect(codesOf(await migrationOf(account, id))).toEqual(["FeatureOff", "SeveralConfigs"]);
    await account.change({ features: ["campaignMigration"] });
    const migration = await migrationOf(account, id);
    expect(codesOf(migration)).toEqual(["SeveralConfigs"]);
    expect(migration.preflight.map(({ passed }) => passed)).toEqual([true, true, true, false]);
  });

  test("a campaign that is another account's, too, is told to nobody", async () => {
    const [one, other] = [await newMigrant(tandem), await newMigrant(tandem)];
    const id = newCampaignId();
    for (const account of [one, other]) await newConfig(account, { name: id });
    expect(codesOf(await migrationOf(one, id))).toEqual(["Disputed"]);
    await answerOf(await migrate(other, id), 200);
    await migrationThatIs(other, id, { linked: true, registry: { standing: "Ours" }, blockers: [] });
    expect(await migrationOf(one, id)).toMatchObject({ dryRun: true, registry: null, campaign: null, linked: false });
    expect(codesOf(await migrationOf(one, id))).toEqual(["Disputed"]);
  });

  test("what the account has nothing to do with is not there", async () => {
    const account = await newMigrant(tandem);
    const other = await newMigrant(tandem);
    const id = newCampaignId();
    await newConfig(other, { name: id });
    for (const unknown of [id, newCampaignId(), "nonsense", "%20"]) {
      await problemOf(await account.call(`/v1/Migrations/${unknown}`), 404);
    }
    await newConfig(account, { name: `x${id.slice(0, -1)} ${id.slice(1)}99 C-${id.slice(1)}` });
    await problemOf(await account.call(`/v1/Migrations/${id}`), 404);
    expect(await migrationsOf(account)).toEqual([]);
  });

  test("an id inside a longer word does not dispute the whole word of another account", async () => {
    const [account, other] = [await newMigrant(tandem), await newMigrant(tandem)];
    const id = newCampaignId();
    await newConfig(other, { name: `Shop ${id}` });
    await newConfig(account, { name: `x${id}99` });
    expect(codesOf(await migrationOf(account, id))).toEqual(["Disputed"]);
    expect(codesOf(await migrationOf(other, id))).toEqual([]);
  });

  test.each([
    [
      "too many numbers",
      `?Numbers=${Array.from({ length: 101 }, () => "1").join(",")}`,
      "Numbers",
      "100 numbers at most",
    ],
    ["control characters", "?Numbers=%2B1415%07", "Numbers", "Control characters"],
    ["a parameter that nobody knows", "?Colour=red", "Colour", "not known"],
  ])("%s are refused", async (_, query, field, says) => {
    const account = await newMigrant(tandem);
    const id = newCampaignId();
    await newConfig(account, { name: id });
    const problem = await problemOf(await account.call(`/v1/Migrations/${id}${query}`), 400);
    expect(problem.errors).toEqual({ [field]: [expect.stringContaining(says)] });
  });
});

describe("while it goes on", () => {
  test("every step shows, with its times, until all numbers are Active", async () => {
    const account = await newMigrant(tandem);
    const id = newCampaignId();
    const config = await newConfig(account, { name: `Shop ${id}` });
    const numbers = strangeNumbers(2);
    const { sid } = await portIn(account, config, numbers);
    const ordered = await migrationOf(account, id);
    expect(ordered).toMatchObject({
      status: "UnderWay",
      dryRun: false,
      numberCounts: [{ status: "PendingPortIn", count: 2 }],
      portOrders: [{ sid, status: "Submitted", numberCount: 2, focOn: null }],
      times: [{ step: "PortIn", expectedSeconds: { from: 86_400, to: 172_800 }, endedOn: null, late: false }],
    });
    expect(ordered.nextSteps.map(({ who }) => who)).toEqual(["LosingCarrier", "You"]);
    expect(ordered.numbers).toMatchObject(
      numbers.map((number) => ({
        number,
        status: "PendingPortIn",
        portOrderSid: sid,
        portStatus: "Submitted",
        timeline: [{ status: "PendingPortIn", previousStatus: null, reason: "It is being ported in." }],
      })),
    );
    await decide(account, sid, "complete");
    await orderThatIs(account, sid, "Completed");
    const ported = await migrationOf(account, id);
    expect(ported).toMatchObject({ status: "UnderWay", numberCounts: [{ status: "PendingTcrCampaignAdd", count: 2 }] });
    expect(ported.nextSteps.map(({ who }) => who)).toEqual(["You"]);
    await answerOf(await migrate(account, id), 200);
    const done = await migrationThatIs(account, id, { status: "Completed" });
    expect(done).toMatchObject({
      registry: { standing: "Ours", reason: null },
      campaign: { status: "Active", messagingConfigSid: config },
      linkOutcome: "Linked",
      linked: true,
      blockers: [],
      nextSteps: [],
      numberCounts: [{ status: "Active", count: 2 }],
    });
    for (const { timeline, portStatus } of done.numbers) {
      expect(portStatus).toBe("Completed");
      expect(timeline.map(({ status }) => status)).toEqual(["PendingPortIn", "PendingTcrCampaignAdd", "Active"]);
      expect(timeline.map(({ at }) => at)).toEqual([...timeline.map(({ at }) => at)].sort());
    }
    expect(done.times.map(({ step, endedOn }) => [step, endedOn !== null])).toEqual([
      ["PortIn", true],
      ["Acceptance", true],
      ["Activation", true],
      ["OutboundOutage", true],
    ]);
    expect(await migrationsOf(account)).toMatchObject([{ tcrCampaignId: id, status: "Completed" }]);
  });

  test("a port that is held up or fails says why, and what may be done", async () => {
    const account = await newMigrant(tandem);
    const id = newCampaignId();
    const config = await newConfig(account, { name: id });
    const numbers = strangeNumbers(2) as [string, string];
    const { sid } = await portIn(account, config, numbers);
    await decide(account, sid, "exception", "ACCOUNT_NUMBER_MISMATCH");
    const held = await migrationThatIs(account, id, { status: "Blocked" });
    expect(held.blockers).toMatchObject([
      { code: "PortException", numbers, todo: `Answer it with accountNumber: PATCH /v1/Phones/port-in/${sid}.` },
    ]);
    await decide(account, sid, "partial");
    await orderThatIs(account, sid, "PartiallyCompleted");
    await answerOf(await migrate(account, id), 200);
    const done = await migrationThatIs(account, id, { status: "PartiallyCompleted" });
    expect(done.blockers).toMatchObject([{ code: "PortFailed", numbers: [numbers[1]] }]);
    expect(done.numbers).toMatchObject([
      { number: numbers[1], status: "Removed", portStatus: "Failed" },
      { number: numbers[0], status: "Active", portStatus: "Completed" },
    ]);
  });

  test.each([
    ["decline", "Declined", "(OTHER)"],
    ["cancel", "Cancelled", "Cancelled by the campaign's owner."],
    ["expire", "Expired", "It was not settled before"],
  ])("a migration that the registry ends with %s is blocked, with the reason", async (outcome, code, reason) => {
    const account = await newMigrant(tandem);
    const id = newCampaignId();
    await newConfig(account, { name: id });
    await answerOf(await migrate(account, id, outcome), 200);
    const migration = await migrationThatIs(account, id, { status: "Blocked", registry: { standing: code } });
    expect(migration.blockers).toMatchObject([{ code, says: expect.stringContaining(reason) }]);
    expect(migration.nextSteps[0]).toMatchObject({
      who: "You",
      says: expect.stringContaining(String(migration.upstreamCnpId)),
    });
  });

  test("a campaign that came without a config is linked by hand, and its numbers follow", async () => {
    const account = await newMigrant(tandem);
    const id = newCampaignId();
    await answerOf(await migrate(account, id), 200);
    await migrationThatIs(account, id, { status: "Blocked", linkOutcome: "NoMatch", blockers: [{ code: "NoConfig" }] });
    const config = await newConfig(account, { name: `late ${id}` });
    expect(codesOf(await migrationOf(account, id))).toEqual(["NotLinked"]);
    const { sid } = await portIn(account, config, strangeNumbers(1));
    await decide(account, sid, "complete");
    await orderThatIs(account, sid, "Completed");
    await answerOf(await account.call(`/v1/TcrCampaigns/${id}`, json("PATCH", { messagingConfigSid: config })), 200);
    expect(await migrationOf(account, id)).toMatchObject({ status: "Completed", linkOutcome: "NoMatch" });
  });

  test("a number that was taken out of the config is found again", async () => {
    const account = await newMigrant(tandem);
    const id = newCampaignId();
    const config = await newConfig(account, { name: id });
    const [number] = strangeNumbers(1) as [string];
    const { sid } = await portIn(account, config, [number]);
    await answerOf(await account.call(`/v1/Phones/${number}`, json("PATCH", { messagingConfigSid: null })), 200);
    await decide(account, sid, "complete");
    await orderThatIs(account, sid, "Completed");
    expect((await migrationOf(account, id)).blockers).toMatchObject([
      { code: "NumbersWithoutConfig", numbers: [number] },
    ]);
  });
});

test("the list has every campaign once, by id and in pages, and no ordinary words", async () => {
  const account = await newMigrant(tandem);
  const ids = Array.from({ length: 3 }, newCampaignId);
  for (const id of ids) await newConfig(account, { name: `Customer contact ${id}` });
  await newConfig(account, { name: `CABCDEF and again ${ids[0]}` });
  const all = ["CABCDEF", ...ids];
  expect(
    (await migrationsOf(account, "?OrderByDirection=Ascending")).map(({ tcrCampaignId }) => tcrCampaignId),
  ).toEqual(all);
  const seen: string[] = [];
  for (let searchId = ""; ; ) {
    const path = `/v1/Migrations?PageSize=3${searchId && `&SearchId=${searchId}`}`;
    const page = await answerOf<List<{ tcrCampaignId: string }>>(await account.call(path), 200);
    seen.push(...page.items.map(({ tcrCampaignId }) => tcrCampaignId));
    if (page.searchId === undefined) break;
    searchId = page.searchId;
  }
  expect(seen).toEqual([...all].reverse());
  // When requested by name, even an ordinary word is accepted as an id.
  expect(await migrationOf(account, "customer")).toMatchObject({ dryRun: true });
});
