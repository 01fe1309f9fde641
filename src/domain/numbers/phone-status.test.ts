import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  needsCampaign,
  nextStatus,
  PHONE_MOVES,
  PHONE_STATUSES,
  type PhoneStanding,
  type PhoneStatus,
} from "./phone-status.ts";

const NUMBER = "+14155550190";
const TOLL_FREE = "+18885550190";

const standing = (more: Partial<PhoneStanding>): PhoneStanding => ({
  number: NUMBER,
  status: "none",
  messagingConfigSid: "MC1",
  tcrCampaignId: "C1",
  registeredCampaignId: null,
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

// Everything that can be, by status: no config, config alone, the campaign it is registered with, another campaign.
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
    const found = LACKS.map((links) => nextStatus(standing({ status, ...links }))?.to);
    expect(found).toStrictEqual(EXPECTED[status]);
  },
);

test("a number that needs no campaign cares for none", () => {
  const free = { number: TOLL_FREE, tcrCampaignId: null };
  expect(nextStatus(standing({ ...free }))?.to).toBe("Active");
  expect(nextStatus(standing({ ...free, status: "Active", registeredCampaignId: "C1" }))).toBeUndefined();
});

test("whatever a number belongs to, it settles after two steps at most", () => {
  const id = fc.constantFrom(null, "C1", "C2");
  const start = fc.record({
    number: fc.constantFrom(NUMBER, TOLL_FREE),
    status: fc.constantFrom(...PHONE_STATUSES),
    messagingConfigSid: fc.constantFrom(null, "MC1"),
    tcrCampaignId: id,
    registeredCampaignId: id,
  });
  fc.assert(
    fc.property(start, (from) => {
      let now: PhoneStanding = from;
      for (let steps = 0; ; steps++) {
        const next = nextStatus(now);
        if (!next) return;
        expect(steps).toBeLessThan(2);
        expect(PHONE_MOVES[now.status][next.move]).toBe(next.to);
        now = { ...now, status: next.to, registeredCampaignId: next.to === "Active" ? now.tcrCampaignId : null };
      }
    }),
  );
});
