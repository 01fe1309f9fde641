// Facts about senders in two processes on one database: what is held in memory, and what ends that.

import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { secretBox } from "../../../../test/fakes/secret-box.ts";
import { silent } from "../../../../test/fakes/silent-log.ts";
import { connectionTo, dropDatabase, newDatabase } from "../../../../test/shared-database.ts";
import { systemClock } from "../../../base/clock.ts";
import { makeIds } from "../../../base/ids.ts";
import { createAccount } from "../../../domain/accounts/index.ts";
import type { SenderDirectory } from "../../../domain/messaging/index.ts";
import { tokenMaker } from "../../secrets.ts";
import { type OpenStore, openStore } from "../store.ts";
import { receiveUnitOver } from "./inbox.ts";
import { senderDirectory } from "./sender-directory.ts";

const SOON = { timeout: 120_000 };
const CAMPAIGN = "CT00001";
const TO = "+14155550100";
const ids = makeIds(systemClock);
const now = new Date();

interface Process {
  readonly store: OpenStore;
  readonly directory: SenderDirectory;
}

let url: string;
let one: Process;
let two: Process;
let accountSid: string;
let configSid: string;
let from: string;
let made = 0;

async function open(): Promise<Process> {
  const box = secretBox(new Uint8Array(32));
  const settings = connectionTo(url);
  const store = await openStore({ settings, box, activationMs: 0, clock: systemClock, log: silent });
  const lookup = { countryOf: () => "US", callingCodeOf: () => "1" };
  return { store, directory: senderDirectory(store.db, { ...store, ...lookup }) };
}

beforeAll(async () => {
  url = await newDatabase();
  [one, two] = await Promise.all([open(), open()]);
  const order = { name: "Test", features: [], limitChanges: {}, allowedCountries: null, country: null };
  const campaign = { tcrBrandId: "B000001", name: "Test", source: "Manual", throughput: [], importedOn: now } as const;
  accountSid = await one.store.transaction(async ({ accounts, campaigns }) => {
    const deps = { tokens: tokenMaker, ids, now, accounts };
    const { account } = await createAccount(deps, order, { signs: false, toolWrites: false });
    const linked = { messagingConfigSid: null, status: "Active" } as const;
    await campaigns.insert({ ...campaign, ...linked, accountSid: account.sid, tcrCampaignId: CAMPAIGN });
    return account.sid;
  });
});

afterAll(async () => {
  await Promise.all([one.store.close(), two.store.close()]);
  await dropDatabase(url);
});

beforeEach(async () => {
  configSid = ids.sid("MC");
  from = `+1303555${String(++made).padStart(4, "0")}`;
  const replies = { optOutReply: null, optInReply: null, helpReply: null };
  const keywords = { optOutKeywords: [], optInKeywords: [], helpKeywords: [] };
  const times = { sendingTimes: null, defaultExpirySeconds: 60, createdOn: now };
  await one.store.transaction(async ({ messagingConfigs, phones, campaigns }) => {
    await campaigns.update(CAMPAIGN, { status: "Active" });
    const config = { sid: configSid, accountSid, name: "Test", tcrCampaignId: CAMPAIGN };
    await messagingConfigs.insert({ ...config, ...times, ...replies, ...keywords });
    const names = { number: from, accountSid, name: null, portOrderSid: null, messagingConfigSid: configSid };
    const status = { status: "Active", statusReason: null, createdOn: now, updatedOn: now } as const;
    const voice = { callsForwardedTo: null, recordInboundCalls: false };
    await phones.insert({ ...names, ...status, voice, features: ["SMS"] }, CAMPAIGN);
  });
  return () => one.store.db.query("update messaging_configs set tcr_campaign_id = null");
});

const ask = ({ directory }: Process, recipients: readonly string[] = [TO]) =>
  directory.factsOf({ accountSid, from, recipients });
const isHeld = (process: Process) => !(ask(process) instanceof Promise);
/** Reads it, until no change is announced meanwhile. */
async function hold(process: Process): Promise<void> {
  await expect.poll(async () => (await ask(process)) && isHeld(process), SOON).toBe(true);
}

test("a sender that was read is held, with what was read", async () => {
  await hold(two);
  const sender = {
    ...{ status: "Active", campaignStatus: "Active", messagingConfigSid: configSid, tcrCampaignId: CAMPAIGN },
    ...{ defaultExpirySeconds: 60, sendingTimes: null, sendsSms: true, sendsMms: false },
  };
  expect(ask(two)).toStrictEqual({ sender, optedOut: [] });
});

test("a number of another account, or of none, is asked for every time", async () => {
  await hold(one);
  const stranger = { accountSid: ids.sid("AC"), from, recipients: [TO] };
  for (let time = 0; time < 2; time++) {
    expect(one.directory.factsOf(stranger)).toBeInstanceOf(Promise);
    expect(await one.directory.factsOf(stranger)).toStrictEqual({ sender: undefined, optedOut: [] });
  }
});

type Transaction = Parameters<Parameters<OpenStore["transaction"]>[0]>[0];
const move = (to: "PendingTcrCampaignChange" | "Removed") => (unit: Transaction) =>
  unit.phones.move(accountSid, [{ number: from, from: "Active", to, reason: null, registeredCampaignId: null }], now);

const CHANGES: Readonly<Record<string, readonly [change: (unit: Transaction) => Promise<unknown>, then: unknown]>> = {
  "its config": [
    (unit) => unit.messagingConfigs.change(accountSid, configSid, { defaultExpirySeconds: 90 }),
    expect.objectContaining({ defaultExpirySeconds: 90 }),
  ],
  "its campaign": [
    (unit) => unit.campaigns.update(CAMPAIGN, { status: "Suspended" }),
    expect.objectContaining({ campaignStatus: "Suspended" }),
  ],
  "its features": [
    (unit) => unit.phones.change(accountSid, from, { features: ["SMS", "MMS"] }, now),
    expect.objectContaining({ sendsMms: true }),
  ],
  "the config it belongs to": [
    (unit) => unit.phones.assign(accountSid, [from], null, now),
    expect.objectContaining({ messagingConfigSid: null }),
  ],
  "its status": [move("PendingTcrCampaignChange"), expect.objectContaining({ status: "PendingTcrCampaignChange" })],
  "its owner": [move("Removed"), undefined],
};

test.each(Object.entries(CHANGES))(
  "a change of %s counts at once where it is made, and soon in other processes",
  async (_, [change, sender]) => {
    await hold(one);
    await hold(two);
    await one.store.transaction(change);
    expect((await ask(one)).sender).toEqual(sender);
    await expect.poll(async () => (await ask(two)).sender, SOON).toEqual(sender);
  },
);

test("an opt-out counts at once where it is made, and soon in other processes", async () => {
  const number = "+14155550101";
  const order = {
    accountSid,
    number,
    scopes: [{ scopeType: "SenderPhoneNumber", scope: from }],
    keyword: "STOP",
  } as const;
  await hold(one);
  await hold(two);
  expect(await ask(one, [TO, number])).toMatchObject({ optedOut: [] });
  // As a carrier's message does it.
  const { db, optOutFilter } = one.store;
  await db.transaction((unit) => receiveUnitOver(unit, optOutFilter).optOuts.add(order, now));
  expect(await ask(one, [TO, number])).toMatchObject({ optedOut: [number] });
  expect(isHeld(one)).toBe(true);
  await expect.poll(async () => (await ask(two, [number])).optedOut, SOON).toEqual([number]);
  // A process that starts later knows, too.
  const three = await open();
  await hold(three);
  expect(await ask(three, [number])).toMatchObject({ optedOut: [number] });
  await three.store.close();
  await one.store.transaction((unit) => unit.optOuts.remove(order));
  for (const process of [one, two]) expect(await ask(process, [number])).toMatchObject({ optedOut: [] });
});

test("what a process missed while its listening connection was broken counts once that is noticed", async () => {
  const number = "+14155550102";
  await hold(one);
  await hold(two);
  // Without notifications, as if they had been sent while the connection was broken.
  await one.store.db.query("update messaging_configs set default_expiry_seconds = 120 where sid = $1", [configSid]);
  await one.store.db.query(
    `insert into opt_outs (account_sid, number, scope_type, scope, created_at) values ($1, $2, 'TcrCampaign', $3, $4)`,
    [accountSid, number, CAMPAIGN, now],
  );
  await one.store.db.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'tandem listener %'",
  );
  for (const process of [one, two]) {
    const asked = async () => ask(process, [number]);
    await expect.poll(asked, SOON).toMatchObject({ sender: { defaultExpirySeconds: 120 }, optedOut: [number] });
  }
});
