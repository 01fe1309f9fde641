import fc from "fast-check";
import { expect, test } from "vitest";
import { VirtualClock } from "../../../test/fakes/virtual-clock.ts";
import { makeIds } from "../../base/ids.ts";
import { FAILURES, REFUSALS } from "../../domain/messaging/index.ts";
import { END_REASONS } from "../../domain/voice/index.ts";
import {
  dialedLegOf,
  messageSidOf,
  recordingSegmentOf,
  twilioCallStatus,
  twilioDialedCallSid,
  twilioErrorCode,
  twilioMessageSid,
  twilioMessageStatus,
  twilioRecordingSid,
} from "./names.ts";

const ids = makeIds(new VirtualClock(1_800_000_000_000));

test("a message's sid goes to that provider's spelling and back, whichever way the message went", () => {
  for (const prefix of ["OM", "IM"] as const) {
    const sid = ids.sid(prefix);
    const theirs = twilioMessageSid(sid);
    expect(theirs).toMatch(/^SM[0-9a-f]{32}$/);
    expect(messageSidOf(theirs)).toBe(sid);
    expect(messageSidOf(theirs.replace("SM", "MM"))).toBe(sid);
  }
  expect(twilioMessageSid("IM1")).toBe("IM1");
});

test("every segment of a recording has a sid of its own, up to the 256th", () => {
  const sid = ids.sid("RE");
  const theirs = Array.from({ length: 256 }, (_, at) => twilioRecordingSid(sid, at + 1) as string);
  expect(theirs[0]).toBe(sid);
  expect(new Set(theirs).size).toBe(256);
  expect(theirs.map(recordingSegmentOf)).toEqual(theirs.map((_, at) => ({ sid, index: at + 1 })));
  expect(twilioRecordingSid(sid, 257)).toBeUndefined();
});

test("the call that Dial makes has another sid than the call", () => {
  const leg = ids.sid("LG");
  expect(twilioDialedCallSid(leg)).toMatch(/^CA[0-9a-f]{32}$/);
  expect(twilioDialedCallSid(leg).slice(2)).not.toBe(leg.slice(2));
  expect(dialedLegOf(twilioDialedCallSid(leg))).toBe(leg);
  expect(dialedLegOf(ids.sid("CA"))).toBeUndefined();
});

test("any text is read without a fault, and what is no sid of ours is none", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(messageSidOf(text)).toBeUndefined();
      expect(recordingSegmentOf(text)).toBeUndefined();
      expect(dialedLegOf(text)).toBeUndefined();
      expect(twilioMessageSid(text)).toBe(text);
    }),
  );
});

test("what a carrier took and did not deliver is undelivered; what never left is failed", () => {
  expect(["Queued", "Sent", "Delivered", "Expired", "Canceled"].map((one) => twilioMessageStatus(one, false))).toEqual([
    "queued",
    "sent",
    "delivered",
    "failed",
    "canceled",
  ]);
  expect([twilioMessageStatus("Failed", true), twilioMessageStatus("Failed", false)]).toEqual([
    "undelivered",
    "failed",
  ]);
});

test("a call that was answered has completed, whatever ended it", () => {
  expect(twilioCallStatus("Ringing", null, false)).toBe("ringing");
  expect(twilioCallStatus("Answered", null, true)).toBe("in-progress");
  for (const reason of END_REASONS) expect(twilioCallStatus("Completed", reason, true)).toBe("completed");
  const unanswered = END_REASONS.map((reason) => twilioCallStatus("Completed", reason, false));
  expect(new Set(unanswered)).toEqual(new Set(["completed", "no-answer", "busy", "canceled", "failed"]));
});

test("every error code of ours has one of that provider", () => {
  expect(twilioErrorCode(0)).toBeNull();
  const codes = [...REFUSALS, ...Object.values(FAILURES)].map(({ code }) => twilioErrorCode(code));
  for (const code of codes) expect(code).toBeGreaterThan(20_000);
  expect(twilioErrorCode(1002)).toBe(21_610);
});
