import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  activationOf,
  needsCampaign,
  nextStatus,
  PHONE_MOVES,
  PHONE_STATUSES,
  type PhoneState,
  type PhoneStatus,
} from "./phone-status.ts";

const NUMBER = "+14155550190";
const TOLL_FREE = "+18885550190";

const NOW = new Date("2026-01-31T12:00:00.000Z");
const AT_ONCE = { now: NOW, activationMs: 0 };
const SLOWLY = { now: NOW, activationMs: 3000 };
const DONE = new Date(NOW.getTime() + 3000);

const phone = (more: Partial<PhoneState>): PhoneState => ({
  number: NUMBER,
  status: "none",
  messagingConfigSid: "MC1",
  tcrCampaignId: "C1",
  registeredCampaignId: null,
  activation: null,
  ...more,
});

describe("a campaign", () => {
  test.each(["+14155550190", "+12505550190", "+18765550190"])("is needed of %s", (number) =>
    expect(needsCampaign(number)).toBe(true),
  );
  test.each(["+18005550190", "+18335550190", "+18885550190", "+447400123456", "+12345", "12345", ""])(
    "is not needed of %j",
    (number) => expect(needsCampaign(number)).toBe(false),
  );
});

// Every combination for each status: no config, config alone, the campaign it is registered with, another campaign.
const LACKS = [
  { messagingConfigSid: null, tcrCampaignId: null },
  { tcrCampaignId: null },
  { tcrCampaignId: "C1", registeredCampaignId: "C1" },
  { tcrCampaignId: "C2", registeredCampaignId: "C1" },
] as const;

const EXPECTED: Readonly<Record<PhoneStatus | "none", readonly (PhoneStatus | undefined)[]>> = {
  none: ["PendingMessagingConfigAdd", "PendingTcrCampaignAdd", "Active", "Active"],
  PendingPortIn: [undefined, undefined, undefined, undefined],
  PendingMessagingConfigAdd: [undefined, "PendingTcrCampaignAdd", "Active", "Active"],
  PendingTcrCampaignAdd: ["PendingMessagingConfigAdd", undefined, "Active", "Active"],
  PendingTcrCampaignChange: ["PendingMessagingConfigAdd", "PendingTcrCampaignAdd", "Active", "Active"],
  Active: ["PendingMessagingConfigAdd", "PendingTcrCampaignAdd", undefined, "PendingTcrCampaignChange"],
  Removed: [undefined, undefined, undefined, undefined],
};

test.each(["none", ...PHONE_STATUSES] as const)(
  "a number that is %s goes where what it belongs to calls for",
  (status) => {
    const found = LACKS.map((links) => nextStatus(phone({ status, ...links }), AT_ONCE)?.to);
    expect(found).toStrictEqual(EXPECTED[status]);
  },
);

test("a number whose messaging has moved leaves its port, first to where its campaign is added", () => {
  const moved = { status: "PendingPortIn", messagingMoved: true } as const;
  const found = LACKS.map((links) => nextStatus(phone({ ...moved, ...links }), AT_ONCE)?.to);
  expect(found).toStrictEqual([
    "PendingMessagingConfigAdd",
    "PendingTcrCampaignAdd",
    "PendingTcrCampaignAdd",
    "PendingTcrCampaignAdd",
  ]);
  expect(nextStatus(phone({ ...moved, number: TOLL_FREE }), SLOWLY)?.to).toBe("Active");
});

test("a number that needs no campaign cares for none", () => {
  const free = { number: TOLL_FREE, tcrCampaignId: null };
  expect(nextStatus(phone({ ...free }), SLOWLY)?.to).toBe("Active");
  expect(nextStatus(phone({ ...free, status: "Active", registeredCampaignId: "C1" }), SLOWLY)).toBeUndefined();
});

describe("where adding a number to a campaign takes a while, the number", () => {
  test.each(["none", "PendingMessagingConfigAdd"] as const)("waits for it from %s on", (status) => {
    expect(nextStatus(phone({ status }), SLOWLY)).toStrictEqual({
      move: "activationAwaited",
      to: "PendingTcrCampaignAdd",
    });
  });

  test("goes on waiting for the same campaign, and begins again for another", () => {
    const begun = { campaignId: "C1", on: new Date(NOW.getTime() + 1) };
    const waiting = phone({ status: "PendingTcrCampaignAdd", activation: begun });
    expect(activationOf(waiting, SLOWLY)).toBe(begun);
    expect(activationOf({ ...waiting, tcrCampaignId: "C2" }, SLOWLY)).toStrictEqual({ campaignId: "C2", on: DONE });
  });

  test("becomes Active when it is done, and not when another one is", () => {
    const activation = { campaignId: "C1", on: NOW };
    const waiting = phone({ status: "PendingTcrCampaignAdd", activation });
    expect(nextStatus(waiting, SLOWLY)).toStrictEqual({ move: "nothingLacking", to: "Active" });
    expect(nextStatus({ ...waiting, tcrCampaignId: "C2" }, SLOWLY)).toBeUndefined();
  });

  test.each([
    { messagingConfigSid: null },
    { tcrCampaignId: null },
    { status: "Active", registeredCampaignId: "C1" },
    { status: "PendingPortIn" },
    { number: TOLL_FREE },
  ] as const)("waits for nothing with %o", (more) => {
    expect(activationOf(phone({ status: "PendingTcrCampaignAdd", ...more }), SLOWLY)).toBeNull();
  });
});

test("whatever a number belongs to, it settles after two steps at most", () => {
  const id = fc.constantFrom(null, "C1", "C2");
  const start = fc.record({
    number: fc.constantFrom(NUMBER, TOLL_FREE),
    status: fc.constantFrom(...PHONE_STATUSES),
    messagingConfigSid: fc.constantFrom(null, "MC1"),
    messagingMoved: fc.boolean(),
    tcrCampaignId: id,
    registeredCampaignId: id,
    activation: fc.constantFrom(null, { campaignId: "C1", on: NOW }, { campaignId: "C2", on: DONE }),
  });
  fc.assert(
    fc.property(start, fc.constantFrom(AT_ONCE, SLOWLY), (from, terms) => {
      let now: PhoneState = from;
      for (let steps = 0; ; steps++) {
        const next = nextStatus(now, terms);
        if (!next) return;
        expect(steps).toBeLessThan(2);
        expect(PHONE_MOVES[now.status][next.move]).toBe(next.to);
        now = { ...now, status: next.to, registeredCampaignId: next.to === "Active" ? now.tcrCampaignId : null };
      }
    }),
  );
});
