import { describe, expect, test } from "vitest";
import { CAMPAIGN_STANDINGS, type CampaignStanding, nextAskMs, retryAskMs } from "./followed-campaign.ts";

const NOW = new Date("2026-03-01T12:00:00.000Z");
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const next = (standing: CampaignStanding, lastedMs: number, accountSid: string | null = "AC1") =>
  nextAskMs({ standing, accountSid, standingSince: new Date(NOW.getTime() - lastedMs) }, NOW, MINUTE);

describe("without being prompted the registry is asked again", () => {
  test.each(["Unknown", "AwaitingUs", "AwaitingUpstream"] as const)(
    "about one that is %s, ever more rarely",
    (standing) => {
      expect([0, 10 * MINUTE, HOUR, 5 * HOUR, DAY, 400 * DAY].map((lasted) => next(standing, lasted))).toStrictEqual([
        MINUTE,
        MINUTE,
        6 * MINUTE,
        30 * MINUTE,
        HOUR,
        HOUR,
      ]);
    },
  );

  test.each(["NotOurs", "Declined", "Cancelled", "Expired"] as const)(
    "about one that is %s for a month",
    (standing) => {
      expect([0, 20 * DAY, 31 * DAY].map((lasted) => next(standing, lasted))).toStrictEqual([MINUTE, HOUR, undefined]);
    },
  );

  test("about one that is ours once in a while, and oftener while nobody knows whose it is", () => {
    expect([0, 400 * DAY].map((lasted) => next("Ours", lasted))).toStrictEqual([HOUR, HOUR]);
    expect([0, 400 * DAY].map((lasted) => next("Ours", lasted, null))).toStrictEqual([MINUTE, HOUR]);
  });

  test("however a campaign stands, and even if its clock runs ahead", () => {
    for (const standing of CAMPAIGN_STANDINGS) expect(next(standing, -DAY)).toBeGreaterThanOrEqual(MINUTE);
  });
});

test("a campaign of which nothing sensible is answered is asked about ever more rarely, but not never", () => {
  expect([0, 1, 2, 6, 7, 1000].map((failures) => retryAskMs(failures, MINUTE))).toStrictEqual([
    MINUTE,
    2 * MINUTE,
    4 * MINUTE,
    64 * MINUTE,
    64 * MINUTE,
    64 * MINUTE,
  ]);
});
