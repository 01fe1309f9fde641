import { describe, expect, test } from "vitest";
import { invalid, PROBLEM_TITLES, type ProblemCode, problem } from "../../../domain/problems.ts";
import { PROBLEM_STATUS, problemBody, traceIdFor } from "./problem-answer.ts";

const codes = Object.keys(PROBLEM_TITLES) as ProblemCode[];

test.each(codes)("%s has a status, a title and the section of the RFC that defines it", (code) => {
  const status = PROBLEM_STATUS[code];
  const body = problemBody(problem(code, "because"), "/here", "trace");
  expect(body).toMatchObject({ status, title: PROBLEM_TITLES[code], code, detail: "because", instance: "/here" });
  expect(body.type).toMatch(/^https:\/\/tools\.ietf\.org\/html\/rfc(9110#section-15\.\d\.\d+|6585#section-\d)$/);
});

test("only a validation problem has errors, and it always has them", () => {
  expect(problemBody(invalid({ size: ["Too big."] }), null, "trace")).toMatchObject({ errors: { size: ["Too big."] } });
  expect(problemBody(problem("validation"), null, "trace")).toMatchObject({ errors: {} });
  expect(problemBody(problem("conflict"), null, "trace")).not.toHaveProperty("errors");
});

describe("the trace id", () => {
  const trace = "4bf92f3577b34da6a3ce929d0e0e4736";

  test("stays in the caller's trace with a span of its own and the caller's flags", () => {
    const first = traceIdFor(`00-${trace}-00f067aa0ba902b7-01`);
    const second = traceIdFor(`00-${trace}-00f067aa0ba902b7-01`);
    for (const id of [first, second]) expect(id).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`));
    expect(first).not.toBe(second);
    expect(first).not.toContain("00f067aa0ba902b7");
  });

  test.each([
    ["none", undefined],
    ["two of them", [`00-${trace}-00f067aa0ba902b7-01`, `00-${trace}-00f067aa0ba902b7-01`]],
    ["capital letters", `00-${trace.toUpperCase()}-00f067aa0ba902b7-01`],
    ["a version to come", `cc-${trace}-00f067aa0ba902b7-01`],
    ["no trace", `00-${"0".repeat(32)}-00f067aa0ba902b7-01`],
    ["no span", `00-${trace}-${"0".repeat(16)}-01`],
    ["something behind it", `00-${trace}-00f067aa0ba902b7-01-more`],
  ])("is new where the caller sends %s", (_what, header) => {
    const id = traceIdFor(header);
    expect(id).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
    expect(id).not.toContain(trace);
  });
});
