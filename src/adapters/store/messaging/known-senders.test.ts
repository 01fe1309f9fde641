import { expect, test } from "vitest";
import type { SenderState } from "../../../domain/messaging/index.ts";
import { KnownSenders } from "./known-senders.ts";

const ACTIVE: SenderState = {
  status: "Active",
  messagingConfigSid: "MC1",
  tcrCampaignId: "CT00001",
  campaignStatus: "Active",
  defaultExpirySeconds: null,
  sendingTimes: null,
  sendsSms: true,
  sendsMms: false,
};

test("a sender is known from when it was read until its account changes", () => {
  const senders = new KnownSenders(() => true);
  const hold = senders.holder();
  for (const account of ["AC1", "AC2"]) hold(account, "+1", ACTIVE);
  expect(senders.find("AC1", "+1")).toEqual(ACTIVE);
  expect(senders.find("AC1", "+2")).toBeUndefined();
  senders.changed("AC1");
  expect(senders.find("AC1", "+1")).toBeUndefined();
  expect(senders.find("AC2", "+1")).toEqual(ACTIVE);
  senders.clear();
  expect(senders.find("AC2", "+1")).toBeUndefined();
});

test("what was read while something changed is not held", () => {
  for (const change of [
    (senders: KnownSenders) => senders.changed("AC1"),
    (senders: KnownSenders) => senders.clear(),
  ]) {
    const senders = new KnownSenders(() => true);
    const hold = senders.holder();
    change(senders);
    hold("AC1", "+1", ACTIVE);
    expect(senders.find("AC1", "+1")).toBeUndefined();
    senders.holder()("AC1", "+1", ACTIVE);
    expect(senders.find("AC1", "+1")).toEqual(ACTIVE);
  }
});

test("nothing is known while notifications may be missed", () => {
  let isCurrent = true;
  const senders = new KnownSenders(() => isCurrent);
  senders.holder()("AC1", "+1", ACTIVE);
  isCurrent = false;
  expect(senders.find("AC1", "+1")).toBeUndefined();
  isCurrent = true;
  expect(senders.find("AC1", "+1")).toEqual(ACTIVE);
});

test.each<Partial<SenderState>>([
  { status: "PendingPortIn" },
  { status: "PendingMessagingConfigAdd" },
  { status: "PendingTcrCampaignAdd" },
  { status: "PendingTcrCampaignChange" },
  { campaignStatus: "Suspended" },
  { campaignStatus: "Expired" },
  { sendsSms: false },
])("a sender with %o, which may not send, is asked for every time", (more) => {
  const senders = new KnownSenders(() => true);
  senders.holder()("AC1", "+1", { ...ACTIVE, ...more });
  expect(senders.find("AC1", "+1")).toBeUndefined();
});

test("a sender without a campaign is held", () => {
  const senders = new KnownSenders(() => true);
  const free = { ...ACTIVE, tcrCampaignId: null, campaignStatus: null };
  senders.holder()("AC1", "+1", free);
  expect(senders.find("AC1", "+1")).toEqual(free);
});

test("an account with very many numbers costs no other account its own", () => {
  const senders = new KnownSenders(() => true);
  const hold = senders.holder();
  hold("AC1", "+1", ACTIVE);
  for (let at = 0; at < 250_000; at++) hold("AC2", `+${at}`, ACTIVE);
  expect(senders.find("AC1", "+1")).toEqual(ACTIVE);
  expect(senders.find("AC2", "+249999")).toEqual(ACTIVE);
  expect(senders.find("AC2", "+1")).toBeUndefined();
});

test("very many accounts are held in bounded memory", () => {
  const senders = new KnownSenders(() => true);
  for (let at = 0; at < 120_000; at++) senders.holder()(`AC${at}`, "+1", ACTIVE);
  const held = Array.from({ length: 120_000 }, (_, at) => senders.find(`AC${at}`, "+1")).filter(Boolean).length;
  expect(held).toBeGreaterThan(0);
  expect(held).toBeLessThanOrEqual(100_000);
  expect(senders.find("AC119999", "+1")).toEqual(ACTIVE);
});
