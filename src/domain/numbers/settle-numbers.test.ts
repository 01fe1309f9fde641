import { expect, test } from "vitest";
import type { NewEvent } from "../events.ts";
import type { PhoneStore, ServedPhone, StatusChange } from "./ports.ts";
import { settleNumbers } from "./settle-numbers.ts";

const NUMBER = "+14155550190";
const NOW = new Date("2026-01-31T12:00:00.000Z");

/** One number, in the state of its last move. */
function world(phone: ServedPhone, activationMs = 0) {
  let now = phone;
  const events: NewEvent[] = [];
  const released: string[] = [];
  const reasons: (string | null)[] = [];
  const phones: Partial<PhoneStore> = {
    states: async () => [now],
    async move(_accountSid, [change]: readonly StatusChange[]) {
      if (!change) return;
      expect(change.from).toBe(now.status);
      const { to: status, registeredCampaignId, activation = null, reason } = change;
      now = { ...now, status, registeredCampaignId, activation, statusReason: reason };
      reasons.push(reason);
    },
  };
  return {
    get now() {
      return now;
    },
    set now(next: ServedPhone) {
      now = next;
    },
    events,
    released,
    reasons,
    settle: (at = NOW) =>
      settleNumbers(
        {
          phones: phones as PhoneStore,
          outbox: { emit: async (list) => void events.push(...list) },
          heldMessages: {
            release: async (_account, numbers) => void released.push(...numbers),
            fail: async () => undefined,
          },
          activationMs,
        },
        "AC1",
        { numbers: [NUMBER] },
        at,
      ),
  };
}

const ACTIVE: ServedPhone = {
  number: NUMBER,
  status: "Active",
  messagingConfigSid: "MC1",
  tcrCampaignId: "C1",
  registeredCampaignId: "C1",
  activation: null,
  statusReason: null,
  campaignStatus: "Active",
  portOrderSid: null,
};

const reported = (events: readonly NewEvent[]) =>
  events.map(({ fields }) => {
    const { PreviousStatus, Status } = fields as { PreviousStatus: string; Status: string };
    return `${PreviousStatus} → ${Status}`;
  });

test("a number that becomes Active is reported once, and what was held for it goes", async () => {
  const place = world({ ...ACTIVE, status: "PendingTcrCampaignAdd", registeredCampaignId: null });
  await place.settle();
  await place.settle();
  expect(place.now).toStrictEqual(ACTIVE);
  expect(place.released).toStrictEqual([NUMBER]);
  expect(place.events).toStrictEqual([
    {
      accountSid: "AC1",
      type: "PhoneNumberStatusChanged",
      resourceSid: NUMBER,
      phone: NUMBER,
      messagingConfigSid: "MC1",
      fields: {
        Number: NUMBER,
        Status: "Active",
        PreviousStatus: "PendingTcrCampaignAdd",
        Reason: null,
        MessagingConfigSid: "MC1",
        PortOrderSid: null,
      },
    },
  ]);
});

test("another campaign is a change, reported on the way out and on the way back", async () => {
  const place = world({ ...ACTIVE, tcrCampaignId: "C2" });
  await place.settle();
  await place.settle();
  expect(reported(place.events)).toStrictEqual([
    "Active → PendingTcrCampaignChange",
    "PendingTcrCampaignChange → Active",
  ]);
  expect(place.now).toStrictEqual({ ...ACTIVE, tcrCampaignId: "C2", registeredCampaignId: "C2" });
});

test("a number that lost its campaign comes back with the same one", async () => {
  const place = world({ ...ACTIVE, tcrCampaignId: null });
  await place.settle();
  expect(place.now).toMatchObject({ status: "PendingTcrCampaignAdd", registeredCampaignId: null });
  expect(place.released).toStrictEqual([]);
  place.now = { ...place.now, tcrCampaignId: "C1" };
  await place.settle();
  expect(reported(place.events)).toStrictEqual(["Active → PendingTcrCampaignAdd", "PendingTcrCampaignAdd → Active"]);
});

test("a number waits until it is added to its campaign, and is reported once", async () => {
  const place = world({ ...ACTIVE, status: "PendingTcrCampaignAdd", registeredCampaignId: null }, 3000);
  const done = new Date(NOW.getTime() + 3000);
  await place.settle();
  await place.settle(new Date(NOW.getTime() + 1000));
  expect(place.now).toMatchObject({ status: "PendingTcrCampaignAdd", activation: { campaignId: "C1", on: done } });
  expect(place.reasons).toStrictEqual(["It is being added to its campaign."]);
  expect(place.events).toStrictEqual([]);
  await place.settle(done);
  expect(place.now).toStrictEqual(ACTIVE);
  expect(reported(place.events)).toStrictEqual(["PendingTcrCampaignAdd → Active"]);
  expect(place.released).toStrictEqual([NUMBER]);
});

test("a number that lost its campaign while it waited waits no longer", async () => {
  const place = world({ ...ACTIVE, status: "PendingTcrCampaignAdd", registeredCampaignId: null }, 3000);
  await place.settle();
  place.now = { ...place.now, tcrCampaignId: null };
  await place.settle(new Date(NOW.getTime() + 5000));
  expect(place.now).toMatchObject({ status: "PendingTcrCampaignAdd", activation: null });
  expect(place.reasons.at(-1)).toBe("Its MessagingConfig is linked to no campaign.");
  expect(place.events).toStrictEqual([]);
});

test("a change of campaign takes its while, and a second one begins it again", async () => {
  const place = world({ ...ACTIVE, tcrCampaignId: "C2" }, 3000);
  await place.settle();
  expect(place.now).toMatchObject({ status: "PendingTcrCampaignChange", registeredCampaignId: "C1" });
  place.now = { ...place.now, tcrCampaignId: "C3" };
  const later = new Date(NOW.getTime() + 2000);
  await place.settle(later);
  await place.settle(new Date(NOW.getTime() + 3000));
  expect(place.now).toMatchObject({ status: "PendingTcrCampaignChange", activation: { campaignId: "C3" } });
  expect(place.reasons).toStrictEqual(["Its campaign is being changed.", "Its campaign is being changed."]);
  await place.settle(new Date(later.getTime() + 3000));
  expect(place.now).toStrictEqual({ ...ACTIVE, tcrCampaignId: "C3", registeredCampaignId: "C3" });
  expect(reported(place.events)).toStrictEqual([
    "Active → PendingTcrCampaignChange",
    "PendingTcrCampaignChange → Active",
  ]);
});

test("a number says that its campaign is suspended, and no longer when it is back, without a change of status", async () => {
  const place = world({ ...ACTIVE, campaignStatus: "Suspended" });
  await place.settle();
  await place.settle();
  place.now = { ...place.now, campaignStatus: "Active" };
  await place.settle();
  expect(place.reasons).toStrictEqual(["Its campaign is suspended: messages are refused.", null]);
  expect(place.now).toStrictEqual(ACTIVE);
  expect(place.events).toStrictEqual([]);
  expect(place.released).toStrictEqual([]);
});

test("a number that becomes Active under an expired campaign says so", async () => {
  const place = world({
    ...ACTIVE,
    status: "PendingTcrCampaignAdd",
    registeredCampaignId: null,
    campaignStatus: "Expired",
  });
  await place.settle();
  expect(place.events).toMatchObject([{ fields: { Status: "Active", Reason: expect.stringContaining("expired") } }]);
});

test("a number that is being ported in waits for its port", async () => {
  const place = world({ ...ACTIVE, status: "PendingPortIn", registeredCampaignId: null });
  await place.settle();
  expect(place.events).toStrictEqual([]);
});
