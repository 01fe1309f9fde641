import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  arrived,
  at,
  campaign,
  config,
  exception,
  FIRST,
  facts,
  ID,
  number,
  order,
  ported,
  refusal,
  SECOND,
  standing,
  TERMS,
} from "../../../test/fakes/migration-facts.ts";
import { CAMPAIGN_STANDINGS, CAMPAIGN_STATUSES } from "../campaigns/index.ts";
import { PHONE_STATUSES } from "../numbers/index.ts";
import { PORT_ORDER_STATUSES } from "../porting/index.ts";
import type { MigrationFacts } from "./migration.ts";
import { BLOCKER_CODES, type ViewTerms } from "./migration-blockers.ts";
import { preflight, viewMigration } from "./migration-view.ts";

interface Row {
  readonly when: string;
  readonly facts: MigrationFacts;
  readonly terms?: Partial<ViewTerms>;
  readonly status: string;
  readonly blockers?: readonly string[];
  /** Who has to act, and a part of the text. */
  readonly next: readonly (readonly [who: string, says: string])[];
}

const MIGRATE = ["You", "choose STANDEM as the new CNP of CABC123"] as const;
const ORDER = ["You", "POST /v1/Phones/port-in with messagingConfigSid MC1"] as const;

const BEFORE: readonly Row[] = [
  { when: "a config names the campaign", facts: facts(), status: "Planned", next: [ORDER, MIGRATE] },
  {
    when: "the feature is off",
    facts: facts(),
    terms: { mayMigrate: false },
    status: "Planned",
    blockers: ["FeatureOff"],
    next: [["You", '{ "feature": "campaignMigration" }'], ORDER],
  },
  {
    when: "there is no registry",
    facts: facts(),
    terms: { upstreamCnpId: null },
    status: "Planned",
    blockers: ["NoRegistry"],
    next: [["Support", "Ask support"], ORDER],
  },
  {
    when: "another account names it, too",
    facts: facts({ isDisputed: true }),
    status: "Planned",
    blockers: ["Disputed"],
    next: [["Support", "assign it to your account"], ORDER],
  },
  {
    when: "two configs name it",
    facts: facts({ configs: [config("MC1"), config("MC2")] }),
    status: "Planned",
    blockers: ["SeveralConfigs"],
    next: [["You", "Take CABC123 out of the names of all but one"], MIGRATE],
  },
  {
    when: "the config that names it has another campaign",
    facts: facts({ configs: [config("MC1", "CXYZ789")] }),
    status: "Planned",
    blockers: ["NoConfig"],
    next: [["You", "Make a MessagingConfig with CABC123 anywhere in its name"], MIGRATE],
  },
  {
    when: "a config names it in another case",
    facts: facts({ configs: [], otherCase: ["MC1"] }),
    status: "Planned",
    blockers: ["NoConfig"],
    next: [["You", "Write CABC123 in capitals in the name of MC1"], MIGRATE],
  },
  {
    when: "the registry was only asked about it",
    facts: facts({ registry: standing("NotOurs") }),
    status: "Planned",
    next: [ORDER, MIGRATE],
  },
];

const UNDER_WAY: readonly Row[] = [
  {
    when: "the numbers are ordered",
    facts: facts({ orders: [order("Submitted")], numbers: [number("PendingPortIn")] }),
    status: "UnderWay",
    next: [["LosingCarrier", "confirms a date for port order PO1; a port takes 1-2 days"], MIGRATE],
  },
  {
    when: "the losing carrier has agreed to a date",
    facts: facts({
      orders: [order("FocConfirmed", { phase: { kind: "foc", sequence: 1, on: at(60) } })],
      numbers: [number("PendingPortIn")],
    }),
    status: "UnderWay",
    next: [["LosingCarrier", "go on 2026-01-31 13:00 UTC"], MIGRATE],
  },
  {
    when: "the campaign was shared with us first",
    facts: facts({ registry: standing("AwaitingUs") }),
    status: "UnderWay",
    next: [ORDER, ["Us", "is being accepted"]],
  },
  {
    when: "the partner above us has to accept",
    facts: facts({
      registry: standing("AwaitingUpstream"),
      orders: [ported()],
      numbers: [number("PendingTcrCampaignAdd")],
    }),
    status: "UnderWay",
    next: [["Registry", "a few minutes"]],
  },
  {
    when: "the campaign is ours and not imported yet",
    facts: facts({ registry: standing("Ours"), orders: [ported()], numbers: [number("PendingTcrCampaignAdd")] }),
    status: "UnderWay",
    next: [["Us", "is being imported"]],
  },
  {
    when: "the numbers are being added to the campaign",
    facts: arrived({ numbers: [number("PendingTcrCampaignAdd")] }),
    status: "UnderWay",
    next: [["Us", "1 number is being added to CABC123, typically within 5-10 minutes"]],
  },
  {
    when: "the campaign has come and the port goes on",
    facts: arrived({ orders: [order("Submitted")], numbers: [number("PendingPortIn")] }),
    status: "UnderWay",
    next: [["LosingCarrier", "confirms a date"]],
  },
  {
    when: "its owner cancelled the port",
    facts: arrived({ orders: [order("Cancelled")], numbers: [number("Removed")] }),
    status: "UnderWay",
    next: [ORDER],
  },
  {
    when: "the campaign has come without numbers",
    facts: arrived({ orders: [], numbers: [] }),
    status: "UnderWay",
    next: [ORDER],
  },
];

const BLOCKED: readonly Row[] = [
  {
    when: "the migration was declined",
    facts: facts({ registry: standing("Declined", "The partner above us declined it (SAMPLE_MESSAGE): Too vague.") }),
    status: "Blocked",
    blockers: ["Declined"],
    next: [["You", "Put right what it says, then choose STANDEM"], ORDER],
  },
  {
    when: "its owner cancelled the migration",
    facts: facts({ registry: standing("Cancelled", "Not now.") }),
    status: "Blocked",
    blockers: ["Cancelled"],
    next: [["You", "If it is to come, choose STANDEM"], ORDER],
  },
  {
    when: "the migration was not settled in time",
    facts: facts({ registry: standing("Expired") }),
    status: "Blocked",
    blockers: ["Expired"],
    next: [["You", "Cancel it in the registry, then choose STANDEM"], ORDER],
  },
  {
    when: "the campaign came to an account without a config for it",
    facts: facts({
      registry: standing("Ours"),
      campaign: campaign("Active", null),
      linkOutcome: "NoMatch",
      configs: [],
    }),
    status: "Blocked",
    blockers: ["NoConfig"],
    next: [["You", '"tcrCampaignId": "CABC123"']],
  },
  {
    when: "the config was made after the campaign had come",
    facts: arrived({ campaign: campaign("Active", null), linkOutcome: "NoMatch", configs: [config()] }),
    status: "Blocked",
    blockers: ["NotLinked"],
    next: [["You", "PATCH /v1/TcrCampaigns/CABC123 with the messagingConfigSid of MC1"]],
  },
  {
    when: "several configs named the campaign when it came",
    facts: arrived({
      campaign: campaign("Active", null),
      linkOutcome: "SeveralMatches",
      configs: [config("MC1"), config("MC2")],
    }),
    status: "Blocked",
    blockers: ["SeveralConfigs"],
    next: [["You", "Link it by hand"]],
  },
  {
    when: "the campaign is suspended",
    facts: arrived({ campaign: campaign("Suspended") }),
    status: "Blocked",
    blockers: ["CampaignSuspended"],
    next: [["You", "Settle it with the operator"]],
  },
  {
    when: "the campaign has expired",
    facts: arrived({ campaign: campaign("Expired") }),
    status: "Blocked",
    blockers: ["CampaignExpired"],
    next: [["You", "Renew it"]],
  },
  {
    when: "the campaign has gone to another partner",
    facts: arrived({ campaign: campaign("Expired"), registry: standing("NotOurs") }),
    status: "Blocked",
    blockers: ["CampaignLeft"],
    next: [["You", "If it is to come back, choose STANDEM"]],
  },
  {
    when: "the losing carrier wants another PIN",
    facts: arrived({ orders: [exception("PASSCODE_PIN_INVALID")], numbers: [number("PendingPortIn")] }),
    status: "Blocked",
    blockers: ["PortException"],
    next: [["You", "Answer it with phones: PATCH /v1/Phones/port-in/PO1"]],
  },
  {
    when: "no number can be ported",
    facts: arrived({ orders: [order("Failed", refusal("RATE_CENTER_NOT_PORTABLE"))], numbers: [number("Removed")] }),
    status: "Blocked",
    blockers: ["PortFailed"],
    next: [["You", "Order them anew"]],
  },
  {
    when: "voice has moved and messaging was refused",
    facts: arrived({
      orders: [order("PartiallyCompleted", { voiceMovedOn: at(-60), ...refusal("PHONE_NUMBER_NOT_PORTABLE") })],
      numbers: [number("Removed")],
    }),
    status: "Blocked",
    blockers: ["MessagingNotPorted"],
    next: [["Support", "what is to become of the voice of 1 number, or order them anew"]],
  },
  {
    when: "a number was taken out of its config",
    facts: arrived({ numbers: [number("PendingMessagingConfigAdd", { messagingConfigSid: null })] }),
    status: "Blocked",
    blockers: ["NumbersWithoutConfig"],
    next: [["You", "PATCH /v1/MessagingConfigs/MC1/addPhones"]],
  },
];

const DONE: readonly Row[] = [
  { when: "all numbers are Active", facts: arrived(), status: "Completed", next: [] },
  {
    when: "a number was given back since",
    facts: arrived({ numbers: [number("Active"), number("Removed", { number: SECOND })] }),
    status: "Completed",
    next: [],
  },
  {
    when: "a port was cancelled by its owner, and the rest has come",
    facts: arrived({
      orders: [ported(), order("Cancelled", {}, { sid: "PO2", numbers: [SECOND] })],
      numbers: [number("Active"), number("Removed", { number: SECOND })],
    }),
    status: "Completed",
    next: [],
  },
  {
    when: "a number that failed was ordered again and has come",
    facts: arrived({ orders: [{ ...order("Failed", refusal("OTHER")), sid: "PO0" }, ported()] }),
    status: "Completed",
    next: [],
  },
  {
    when: "some numbers did not come, and all others are Active",
    facts: arrived({
      orders: [ported(), order("Failed", refusal("PHONE_NUMBER_NOT_PORTABLE"), { sid: "PO2", numbers: [SECOND] })],
      numbers: [number("Active"), number("Removed", { number: SECOND })],
    }),
    status: "PartiallyCompleted",
    blockers: ["PortFailed"],
    next: [["You", "or leave them where they are"]],
  },
  {
    when: "the messaging of some numbers was refused, and all others are Active",
    facts: arrived({
      orders: [
        ported(),
        order(
          "PartiallyCompleted",
          { voiceMovedOn: at(-60), ...refusal("PHONE_NUMBER_NOT_PORTABLE") },
          { sid: "PO2", numbers: [SECOND] },
        ),
      ],
      numbers: [number("Active"), number("Removed", { number: SECOND })],
    }),
    status: "PartiallyCompleted",
    blockers: ["MessagingNotPorted"],
    next: [["Support", "or order them anew"]],
  },
  {
    when: "the feature was switched off afterwards",
    facts: arrived(),
    terms: { mayMigrate: false, upstreamCnpId: null },
    status: "Completed",
    next: [],
  },
];

describe("what blocks a migration and what comes next", () => {
  test.each([...BEFORE, ...UNDER_WAY, ...BLOCKED, ...DONE])("$when: $status", (row) => {
    const view = viewMigration(row.facts, { ...TERMS, ...row.terms });
    expect(view.status).toBe(row.status);
    expect(view.blockers.map(({ code }) => code)).toEqual(row.blockers ?? []);
    expect(view.nextSteps.map(({ who }) => who)).toEqual(row.next.map(([who]) => who));
    for (const [at, [, says]] of row.next.entries()) expect(view.nextSteps[at]?.says).toContain(says);
    expect(view.isDryRun).toBe(BEFORE.includes(row));
  });

  test("every blocker has a row in this table", () => {
    const rows = [...BEFORE, ...BLOCKED, ...DONE].flatMap(({ blockers = [] }) => blockers);
    expect(new Set(rows)).toEqual(new Set(BLOCKER_CODES));
  });

  test("a blocker names its numbers and gives the reason", () => {
    const failed = arrived({
      orders: [order("Failed", refusal("ENTITY_NAME_MISMATCH"), { numbers: [FIRST, SECOND] })],
      numbers: [number("Removed"), number("Removed", { number: SECOND })],
    });
    expect(viewMigration(failed, TERMS).blockers).toMatchObject([
      {
        numbers: [FIRST, SECOND],
        says: "Port order PO1 failed for 2 numbers: The losing carrier has the account under another name.",
      },
    ]);
  });

  test("whatever is known, there is a status, a done one has no blocker of the whole, and what is not done says what comes next", () => {
    const any = fc.record({
      registry: fc.option(fc.constantFrom(...CAMPAIGN_STANDINGS).map((word) => standing(word))),
      campaign: fc.option(fc.constantFrom(...CAMPAIGN_STATUSES).map((status) => campaign(status))),
      isDisputed: fc.boolean(),
      linkOutcome: fc.option(fc.constantFrom("Linked" as const, "NoMatch" as const, "SeveralMatches" as const)),
      configs: fc.array(fc.constantFrom(config("MC1"), config("MC2"), config("MC3", "CXYZ789"), config("MC4", ID))),
      orders: fc.array(
        fc.constantFrom(...PORT_ORDER_STATUSES).map((status) => order(status)),
        { maxLength: 3 },
      ),
      numbers: fc.array(
        fc.constantFrom(...PHONE_STATUSES).map((status) => number(status)),
        { maxLength: 4 },
      ),
    });
    const terms = fc.record({ mayMigrate: fc.boolean(), upstreamCnpId: fc.constantFrom("STANDEM", null) });
    fc.assert(
      fc.property(any, terms, (some, given) => {
        const known = facts(some);
        const view = viewMigration(known, { ...TERMS, ...given });
        if (view.status === "Completed") expect(view.blockers).toEqual([]);
        if (view.status === "Blocked") expect(view.blockers).not.toEqual([]);
        const isDone = view.status === "Completed" || view.status === "PartiallyCompleted";
        const isEmpty = known.numbers.every(({ status }) => status === "Removed");
        if (!isDone && isEmpty) expect(view.nextSteps).not.toEqual([]);
        expect(preflight(known, [], { ...TERMS, ...given })).toHaveLength(4);
      }),
    );
  });
});

describe("the preflight", () => {
  const portable = { portable: true, reason: null, type: "VoIP", carrierName: "Other", needs: [] } as const;

  test("passes where everything is ready", () => {
    expect(preflight(facts(), [], TERMS)).toEqual([
      { check: "Feature", number: null, passed: true, says: "Campaign migration is switched on for your account." },
      { check: "Registry", number: null, passed: true, says: "Our id at the campaign registry is STANDEM." },
      { check: "Owner", number: null, passed: true, says: "Nobody else wants CABC123." },
      {
        check: "Config",
        number: null,
        passed: true,
        says: "MessagingConfig MC1 names it and will be linked by itself when it comes.",
      },
    ]);
  });

  test("finds all that is wrong at once", () => {
    const wrong = facts({ configs: [config("MC1"), config("MC2")], isDisputed: true });
    const found = preflight(wrong, [], { ...TERMS, mayMigrate: false, upstreamCnpId: null });
    expect(found.map(({ passed }) => passed)).toEqual([false, false, false, false]);
  });

  test.each([
    ["+14155550152", portable, true, "VoIP of Other; it looks portable."],
    ["+18885550152", { ...portable, type: "Unknown", carrierName: null } as const, true, "needs no campaign"],
    ["+14155550152", { ...portable, portable: false, reason: "It is here." }, false, "It is here."],
    ["pizza", "This is no number.", false, "This is no number."],
    [FIRST, { ...portable, portable: false, reason: "It is yours." }, true, "part of this migration already"],
  ])("looks at %s", (text, portability, passed, says) => {
    const known = facts({ orders: [order("Submitted")], numbers: [number("PendingPortIn")] });
    const found = preflight(known, [{ number: text, portability }], TERMS).at(-1);
    expect(found).toMatchObject({ check: "Number", number: text, passed });
    expect(found?.says).toContain(says);
  });
});
