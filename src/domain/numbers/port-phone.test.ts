import { beforeEach, expect, test } from "vitest";
import type { NewEvent } from "../events.ts";
import type { Phone } from "./phone.ts";
import { expectPhones, followPort, type PortedPhone } from "./port-phone.ts";
import type { PhoneStore, ServedPhone } from "./ports.ts";
import type { SettleDeps } from "./settle-numbers.ts";

const [FIRST, SECOND] = ["+14155550191", "+14155550192"] as const;
const NOW = new Date("2026-01-31T12:00:00.000Z");
const ORDER = { accountSid: "AC1", portOrderSid: "PO1", messagingConfigSid: "MC1" };

let phones: Map<string, Phone>;
let events: NewEvent[];
let ended: string[];

const stateOf = (phone: Phone): ServedPhone => ({
  ...phone,
  tcrCampaignId: null,
  registeredCampaignId: null,
  campaignStatus: null,
  activation: null,
  messagingMoved: phone.features.includes("SMS"),
});

const store: Partial<PhoneStore> = {
  async insert(phone) {
    if (phones.has(phone.number)) return false;
    phones.set(phone.number, phone);
    return true;
  },
  states: async (_account, scope) =>
    [...phones.values()]
      .filter(({ number, status }) => status !== "Removed" && "numbers" in scope && scope.numbers.includes(number))
      .map(stateOf),
  async change(_account, number, { features, statusReason }) {
    const phone = phones.get(number) as Phone;
    const changed = {
      ...phone,
      features: features ?? phone.features,
      statusReason: statusReason ?? phone.statusReason,
    };
    phones.set(number, changed);
    return changed;
  },
  async assign(_account, numbers, messagingConfigSid) {
    for (const number of numbers) phones.set(number, { ...(phones.get(number) as Phone), messagingConfigSid });
    return numbers;
  },
  async move(_account, changes) {
    for (const { number, from, to, reason } of changes) {
      const phone = phones.get(number) as Phone;
      expect(phone.status).toBe(from);
      phones.set(number, { ...phone, status: to, statusReason: reason });
    }
  },
};

const deps: SettleDeps = {
  phones: store as PhoneStore,
  outbox: { emit: async (list) => void events.push(...list) },
  heldMessages: { release: async () => undefined, fail: async (_account, numbers) => void ended.push(...numbers) },
  activationMs: 0,
};

const follow = (more: Partial<PortedPhone>, number: string = FIRST) =>
  followPort(deps, { ...ORDER, phones: [{ number, features: [], hasFailed: false, reason: null, ...more }] }, NOW);
const reported = () =>
  events.map(({ fields }) => {
    const { Number: number, PreviousStatus, Status } = fields as Record<string, string>;
    return `${number}: ${PreviousStatus} → ${Status}`;
  });

beforeEach(async () => {
  phones = new Map();
  events = [];
  ended = [];
  await expectPhones(deps, { ...ORDER, numbers: [SECOND, FIRST] }, NOW);
});

test("numbers that are ordered wait for their port, and each is reported once, in the order given", () => {
  expect(reported()).toStrictEqual([`${SECOND}: null → PendingPortIn`, `${FIRST}: null → PendingPortIn`]);
  expect(phones.get(FIRST)).toMatchObject({ status: "PendingPortIn", features: [], portOrderSid: "PO1" });
});

test("a number that already serves an account is named", async () => {
  const again = await expectPhones(deps, { ...ORDER, numbers: ["+14155550190", FIRST] }, NOW);
  expect(again).toStrictEqual({ ok: false, refusal: FIRST });
});

test("voice that has moved is a feature of a number that goes on waiting", async () => {
  await follow({ features: ["VOICE"] });
  expect(phones.get(FIRST)).toMatchObject({ status: "PendingPortIn", features: ["VOICE"] });
  expect(events).toHaveLength(2);
});

test("a number whose messaging has moved goes where it belongs, once", async () => {
  await follow({ features: ["SMS", "MMS"] });
  await follow({ features: ["SMS", "MMS", "VOICE"] });
  expect(phones.get(FIRST)).toMatchObject({ status: "PendingTcrCampaignAdd", features: ["SMS", "MMS", "VOICE"] });
  expect(reported().slice(2)).toStrictEqual([`${FIRST}: PendingPortIn → PendingTcrCampaignAdd`]);
});

test("what holds a port up is said of its number while it waits", async () => {
  await follow({ reason: "OTHER: A word." });
  expect(phones.get(FIRST)?.statusReason).toBe("It is being ported in. OTHER: A word.");
  await follow({});
  expect(phones.get(FIRST)?.statusReason).toBe("It is being ported in.");
});

test("a number whose port has failed is removed with the reason, belongs to nothing and is reported once", async () => {
  await follow({ hasFailed: true, reason: "OTHER: A word." });
  expect(phones.get(FIRST)).toMatchObject({
    status: "Removed",
    statusReason: "It could not be ported in. OTHER: A word.",
    messagingConfigSid: null,
  });
  expect(await follow({ hasFailed: true, reason: "OTHER: A word." })).toStrictEqual([FIRST]);
  expect(reported().slice(2)).toStrictEqual([`${FIRST}: PendingPortIn → Removed`]);
  expect(ended).toStrictEqual([FIRST]);
});

test("a number that came back by another order is left alone", async () => {
  phones.set(FIRST, { ...(phones.get(FIRST) as Phone), portOrderSid: "PO2" });
  expect(await follow({ features: ["SMS", "MMS", "VOICE"] })).toStrictEqual([FIRST]);
  expect(phones.get(FIRST)).toMatchObject({ status: "PendingPortIn", features: [] });
});
