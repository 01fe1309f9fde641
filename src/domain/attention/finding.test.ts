import { describe, expect, test } from "vitest";
import { CAUSES, type Fact, findingOf, sortFindings } from "./finding.ts";

const NOW = new Date("2026-01-01T00:00:00Z");
const factOf = (fact: Partial<Fact>): Fact => ({
  cause: "SubscriptionOff",
  key: "WS1",
  accountSid: null,
  count: 1,
  firstOn: NOW,
  lastOn: NOW,
  subject: "it",
  reason: null,
  resourceId: "a/b",
  ...fact,
});

describe.each(CAUSES)("%s", (cause) => {
  test.each([1, 12])("of %i says what, why and what to do, in sentences", (count) => {
    for (const view of ["account", "operator"] as const) {
      const { what, why, advice, operation, resource } = findingOf(factOf({ cause, count }), view);
      for (const sentence of [what, why, advice]) expect(sentence).toMatch(/^[A-Z0-9].*\.$/);
      expect(resource).toMatchObject({ id: "a/b" });
      const prefix = view === "account" ? "/v1/" : "/operator/v1/";
      if (operation && view === "operator") expect(operation.path.startsWith(prefix)).toBe(true);
      expect(operation?.path ?? "").not.toContain("a/b");
    }
  });
});

test("errors come before warnings, and the newest first", () => {
  const later = new Date(NOW.getTime() + 1_000);
  const facts = [
    factOf({ cause: "DeliveriesFailing", key: "1", lastOn: later }),
    factOf({ cause: "SubscriptionOff", key: "2" }),
    factOf({ cause: "SubscriptionOff", key: "3", lastOn: later }),
  ];
  const ids = sortFindings(facts.map((fact) => findingOf(fact, "account"))).map(({ id }) => id);
  expect(ids).toStrictEqual(["SubscriptionOff:3", "SubscriptionOff:2", "DeliveriesFailing:1"]);
});

test("what stops everybody or many comes before what stops one account, however new that is", () => {
  const later = new Date(NOW.getTime() + 1_000);
  const facts = [
    factOf({ cause: "SubscriptionOff", key: "1", accountSid: "AC1", lastOn: later }),
    factOf({ cause: "MessagesFailed", key: "2", count: 10, accountSid: "AC1", lastOn: later }),
    factOf({ cause: "DeliveriesFailing", key: "3", accountSid: "AC1", lastOn: later }),
    factOf({ cause: "FeaturesRequested", key: "4", lastOn: later }),
    factOf({ cause: "LinkStopped", key: "5" }),
    factOf({ cause: "RecordingsFailed", key: "6" }),
    factOf({ cause: "MessagesFailed", key: "7" }),
    factOf({ cause: "TrunkDown", key: "8" }),
  ];
  const findings = facts.map((fact) => ({ ...findingOf(fact, "operator"), accountSid: fact.accountSid }));
  expect(sortFindings(findings).map(({ cause, accountSid }) => [cause, accountSid])).toStrictEqual([
    ["TrunkDown", null],
    ["RecordingsFailed", null],
    ["LinkStopped", null],
    ["MessagesFailed", null],
    ["SubscriptionOff", "AC1"],
    ["MessagesFailed", "AC1"],
    ["DeliveriesFailing", "AC1"],
    ["FeaturesRequested", null],
  ]);
});

test("a reconcile that failed says what stands still", () => {
  const { what } = findingOf(factOf({ cause: "ReconcileFailed", subject: "follow-ports" }), "operator");
  expect(what).toBe("The last run of follow-ports failed: port orders do not go on.");
});

test.each(CAUSES)("%s does not tell operators to do what only the account can", (cause) => {
  const { advice } = findingOf(factOf({ cause, subject: "PendingMessagingConfigAdd" }), "operator");
  expect(advice).not.toMatch(/^(Mend the receiver|Switch the subscription|Replay|Give the number|Link its|Renew)/);
});
