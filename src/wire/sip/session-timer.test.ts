import { expect, test } from "vitest";
import type { SipMessage } from "./message.ts";
import { isIntervalTooSmall, timerOfRequest, timerOfResponse } from "./session-timer.ts";

const withFields = (...headers: readonly string[]) => ({ headers }) as unknown as SipMessage;
const expiring = (value: string, ...more: readonly string[]) => withFields("session-expires", value, ...more);

test.each([
  ["1800", 1800, true],
  ["1800;refresher=uac", 1800, true],
  ["1800 ; refresher=UAS", 1800, false],
  ["1800;refresher=nobody", 1800, true],
  ["60;refresher=uas", 90, false],
])("the 2xx with Session-Expires %j is followed", (value, seconds, isRefresher) => {
  expect(timerOfResponse(expiring(value), 0)).toMatchObject({ seconds, isRefresher });
});

test.each(["0", "x", "", "1800;refresher=uac;;x", "4294967296"])("Session-Expires %j is not followed", (value) => {
  expect(timerOfResponse(expiring(value), 0)).toBeUndefined();
  expect(timerOfRequest(expiring(value), 0)).toEqual({ timer: undefined, lines: "" });
});

test("who refreshes does so after half of the interval; the other gives up shortly before its end", () => {
  expect(timerOfResponse(expiring("1800;refresher=uac"), 1000)?.dueMs).toBe(901_000);
  expect(timerOfResponse(expiring("1800;refresher=uas"), 1000)?.dueMs).toBe(1_769_000);
  expect(timerOfResponse(expiring("90;refresher=uas"), 0)?.dueMs).toBe(60_000);
});

const KNOWS = ["supported", "timer"] as const;

test.each([
  ["1800", KNOWS, "Require: timer\r\nSession-Expires: 1800;refresher=uac\r\n"],
  ["1800;refresher=nobody", KNOWS, "Require: timer\r\nSession-Expires: 1800;refresher=uac\r\n"],
  ["1800;refresher=uas", KNOWS, "Session-Expires: 1800;refresher=uas\r\n"],
  // A peer that does not know session timers cannot refresh.
  ["1800;refresher=uac", [], "Session-Expires: 1800;refresher=uas\r\n"],
])("a request with Session-Expires %j and Supported %j is answered", (value, fields, lines) => {
  expect(timerOfRequest(expiring(value, ...fields), 0)).toMatchObject({
    timer: { seconds: 1800, isRefresher: lines.includes("uas") },
    lines,
  });
});

test("an interval below the minimum is refused where the peer can ask for a longer one", () => {
  expect(isIntervalTooSmall(expiring("89", ...KNOWS))).toBe(true);
  expect(isIntervalTooSmall(expiring("90", ...KNOWS))).toBe(false);
  expect(isIntervalTooSmall(expiring("89"))).toBe(false);
  expect(isIntervalTooSmall(withFields(...KNOWS))).toBe(false);
});
