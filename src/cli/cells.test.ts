import fc from "fast-check";
import { expect, test } from "vitest";
import { fieldsOf, textOf, titlesOf } from "./cells.ts";
import { PLAIN_COMMANDS } from "./commands.generated.ts";

const scope = (answer: unknown, given: Readonly<Record<string, unknown>> = {}) => ({ answer, given });

test.each([
  ["{status}", { status: "Active" }, "Active"],
  ["{summary.what}", { summary: { what: "It arrived." } }, "It arrived."],
  ["{blockers.code}", { blockers: [{ code: "a" }, { code: "b" }] }, "a, b"],
  ["{features}", { features: [] }, undefined],
  ["{details}", { details: { a: 1, b: null, c: "x" } }, "a: 1, c: x"],
  ["{count}", { count: 0 }, "0"],
  ["{errorCode!}", { errorCode: 0 }, undefined],
  ["{enabled?on}", { enabled: true }, "on"],
  ["{enabled?on}", { enabled: false }, undefined],
  [["{status}: {reason}", "{status}"], { status: "Suspended", reason: null }, "Suspended"],
  [["{status}: {reason}", "{status}"], { status: "Suspended", reason: "unpaid" }, "Suspended: unpaid"],
  [["{phone}", "everything"], {}, "everything"],
  ["{text|short}", { text: "a".repeat(41) }, `${"a".repeat(39)}…`],
] as const)("%j of %j is %j", (cell, answer, shown) => {
  expect(textOf(cell, scope(answer))).toBe(shown);
});

test("a cell can show what the command was given", () => {
  expect(textOf("Token {<place>} is deleted.", scope(undefined, { place: 1 }))).toBe("Token 1 is deleted.");
});

test("a column of operators is shown where items have its member", () => {
  const columns = { "Account?": "{accountSid}", Sid: "{sid}" };
  expect(titlesOf(columns, [{ sid: "a" }])).toEqual(["Sid"]);
  expect(titlesOf(columns, [{ sid: "a", accountSid: null }])).toEqual(["Account?", "Sid"]);
});

test("a record is shown entry by entry", () => {
  const three = { requests: 3, windowSeconds: 1 };
  const limits = { send: { requests: 5, windowSeconds: 1 }, concurrentCalls: three, weight: three };
  expect(fieldsOf({ "Limit *": "limits" }, scope({ limits }))).toEqual({
    "Limit send": "5 in 1 s",
    "Limit concurrentCalls": "3",
    "Limit weight": "3",
  });
});

test("no answer makes a cell without a format throw", () => {
  const cells = PLAIN_COMMANDS.flatMap(({ shows }) =>
    shows.flatMap((part) => ("table" in part ? Object.values(part.table) : [])),
  ).filter((cell) => !String(cell).includes("|"));
  expect(cells.length).toBeGreaterThan(100);
  fc.assert(
    fc.property(fc.constantFrom(...cells), fc.anything(), (cell, answer) => {
      expect(["string", "undefined"]).toContain(typeof textOf(cell, scope(answer)));
    }),
  );
});
