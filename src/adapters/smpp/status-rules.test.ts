import { expect, test } from "vitest";
import { makeStatusRules, statusSettings } from "./status-rules.ts";

test.each([
  [0x04, true],
  [0x08, true],
  [0x45, true],
  [0x64, true],
  [0xff, true],
  [0x102, true],
  [0x0b, false],
  [0x65, false],
  [0x412, false],
])("by default status %i is temporary: %s", (status, isTemporary) => {
  expect(makeStatusRules()(status)).toMatchObject({ isTemporary });
});

test("a status that asks for a lower rate has no rule, unless the carrier means something else by it", () => {
  expect([0x58, 0x14].map(makeStatusRules())).toEqual([undefined, undefined]);
  expect(makeStatusRules({ ESME_RMSGQFUL: { kind: "temporary" } })(0x14)).toMatchObject({ isTemporary: true });
});

test("a carrier's settings say what its statuses mean, by name and by number", () => {
  const ruleOf = makeStatusRules(
    statusSettings.parse({
      ESME_RSUBMITFAIL: { kind: "permanent", errorCode: 3002 },
      "0x00000412": { kind: "temporary" },
      "0x0B": { kind: "permanent", errorCode: 1004 },
    }),
  );
  expect(ruleOf(0x45)).toMatchObject({ isTemporary: false, failure: { code: 3002 } });
  expect(ruleOf(0x412)).toMatchObject({ isTemporary: true, failure: { code: 3003 } });
  expect(ruleOf(0x0b)).toMatchObject({ isTemporary: false, failure: { code: 1004 } });
});

test.each([
  { ESME_RNOSUCH: { kind: "permanent" } },
  { ESME_ROK: { kind: "permanent" } },
  { "1042": { kind: "temporary" } },
  { ESME_RSYSERR: { kind: "sometimes" } },
  { ESME_RSYSERR: { kind: "permanent", errorCode: 3100 } },
  { ESME_RSYSERR: { kind: "permanent", errorCode: 7 } },
])("%j is refused", (settings) => {
  expect(statusSettings.safeParse(settings).success).toBe(false);
});
