import { expect, test } from "vitest";
import type { Migration } from "../../../../sdk/src/index.ts";
import { changesBetween, duration, migrationText } from "./migration-text.ts";

const PLANNED: Migration = {
  tcrCampaignId: "CABC123",
  status: "Planned",
  dryRun: true,
  upstreamCnpId: "STANDEM",
  registry: null,
  messagingConfigSid: "MC1",
  linked: false,
  numberCounts: [],
  blockers: [],
  nextSteps: [{ who: "You", says: "Order the numbers." }],
  preflight: [
    { check: "Feature", number: null, passed: true, says: "On." },
    { check: "Number", number: "+1", passed: false, says: "Not portable." },
  ],
  campaign: null,
  linkOutcome: null,
  messagingConfigs: [],
  portOrders: [],
  numbers: [],
  times: [],
};

const entry = (status: "PendingPortIn" | "PendingTcrCampaignAdd" | "Active") => ({
  at: "2026-01-31T12:00:00.000Z",
  status,
  previousStatus: null,
  reason: null,
});

const number = (name: string, ...statuses: readonly Parameters<typeof entry>[0][]) => ({
  number: name,
  status: statuses.at(-1) ?? ("PendingPortIn" as const),
  statusReason: null,
  portOrderSid: "PO1",
  portStatus: "Completed" as const,
  portReason: null,
  messagingMovedOn: null,
  activatesOn: null,
  timeline: statuses.map(entry),
});

const MOVING: Migration = {
  ...PLANNED,
  status: "Blocked",
  dryRun: false,
  registry: { standing: "Declined", reason: "Too\u001bvague.", since: "2026-01-31", seenOn: "2026-01-31" },
  portOrders: [{ sid: "PO1", status: "Submitted", reason: null, focOn: null, numberCount: 1, createdOn: "2026-01-31" }],
  numbers: [number("+1", "PendingPortIn")],
  blockers: [{ code: "Declined", says: "It was declined.", todo: "Put it right.", numbers: ["+1"] }],
  nextSteps: [{ who: "LosingCarrier", says: "Lets go." }],
  times: [
    {
      step: "PortIn",
      expectedSeconds: { from: 86_400, to: 172_800 },
      startedOn: "",
      endedOn: null,
      seconds: 3 * 86_400,
      late: true,
    },
  ],
};

test("a plan shows what was found and what to do", () => {
  expect(migrationText(PLANNED, false)).toBe(`CABC123: Planned (nothing was submitted yet)

✓ feature: On.
✗ +1: Not portable.

Registry: not seen yet; our id there is STANDEM
Config: MC1, not linked

→ Order the numbers.
`);
});

test("a migration that goes on shows orders, numbers, times, and what blocks it; what strangers wrote steers no terminal", () => {
  const text = migrationText(MOVING, false);
  expect(text).toContain("Registry: Declined since 2026-01-31. Too�vague.");
  expect(text).toContain("Port order PO1: Submitted, 1 numbers");
  expect(text).toMatch(/\+1 +PendingPortIn +2026-01-31T12:00:00.000Z +Completed +-/);
  expect(text).toContain("Port-in: 3 days so far (typically 24 h to 2 days, late)");
  expect(text).toContain("✗ It was declined. [+1]");
  expect(text).toContain("→ (the losing carrier) Lets go.");
});

test("what is new is reported once, numbers that moved alike together", () => {
  expect(changesBetween(PLANNED, PLANNED)).toEqual([]);
  expect(changesBetween(PLANNED, MOVING)).toEqual([
    "registry: Declined",
    "port order PO1: Submitted",
    "PendingPortIn: +1",
    "✗ It was declined.",
    "→ Put it right.",
  ]);
  const names = Array.from({ length: 7 }, (_, at) => `+${at + 1}`);
  const done: Migration = {
    ...MOVING,
    registry: { standing: "Ours", reason: null, since: "", seenOn: "" },
    linkOutcome: "NoMatch",
    linked: true,
    numbers: names.map((name) => number(name, "PendingPortIn", "PendingTcrCampaignAdd", "Active")),
  };
  expect(changesBetween(MOVING, done)).toEqual([
    "registry: Ours",
    "CABC123 has come: NoMatch",
    "CABC123 is linked to MC1",
    "PendingPortIn: +2, +3, +4, +5, +6 and 1 more",
    "PendingTcrCampaignAdd: +1, +2, +3, +4, +5 and 2 more",
    "Active: +1, +2, +3, +4, +5 and 2 more",
  ]);
});

test.each([
  [90, "90 s"],
  [600, "10 min"],
  [86_400, "24 h"],
  [172_800, "2 days"],
])("%i seconds are %s", (seconds, words) => expect(duration(seconds)).toBe(words));
