// How the portal's log requests refused requests, and distinguishes them.

import { expect, test } from "vitest";
import { lookAgainMs, refusalId } from "../../portal/src/screens/log/refused-requests.ts";

test("requests to which a caller gave one id are told apart", () => {
  const request = {
    operation: "sendMessage",
    status: 422,
    code: "validation-failed",
    fault: null,
    requestId: "nightly",
  };
  const ids = [
    { ...request, traceId: "a".repeat(32), createdOn: "2026-11-16T12:00:00.000Z" },
    { ...request, traceId: "b".repeat(32), createdOn: "2026-11-16T12:00:00.000Z" },
    { ...request, traceId: "b".repeat(32), createdOn: "2026-11-16T12:00:01.000Z" },
  ].map(refusalId);
  expect(new Set(ids).size).toBe(3);
});

test("an account looks again and again while the log is live, an operator, whose looks are audited, does not", () => {
  expect(lookAgainMs(false, false)).toBe(5000);
  expect([lookAgainMs(false, true), lookAgainMs(true, false), lookAgainMs(true, true)]).toEqual([false, false, false]);
});
