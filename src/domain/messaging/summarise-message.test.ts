import { expect, test } from "vitest";
import { FAILURES } from "./error-codes.ts";
import { MESSAGE_STATUSES } from "./message.ts";
import { summariseMessage } from "./summarise-message.ts";

const AT = new Date("2026-11-16T12:00:00Z");
const message = {
  from: "+14155550150",
  status: "Delivered",
  statusReason: null,
  errorCode: 0,
  errorDescription: null,
  sendAt: null,
  sentOn: AT,
  deliveredOn: AT,
  expiresOn: AT,
} as const;

test("what has arrived needs no advice", () => {
  expect(summariseMessage(message, [])).toEqual({
    what: "It was delivered at 2026-11-16T12:00:00.000Z.",
    why: "The carrier's receipt says so.",
    advice: null,
  });
});

test("every status and every failure has its sentences", () => {
  for (const status of MESSAGE_STATUSES) {
    const { what, why } = summariseMessage({ ...message, status }, []);
    expect([what, why]).toEqual([expect.stringMatching(/^[A-Z].*\.$/), expect.stringMatching(/^[A-Z].*\.$/)]);
  }
  for (const { code, description } of Object.values(FAILURES)) {
    const failed = { ...message, status: "Failed", errorCode: code, errorDescription: description } as const;
    const summary = summariseMessage({ ...failed, statusReason: "The carrier answered 8" }, []);
    expect(summary.why).toBe(`${description} The carrier answered 8.`);
    expect(summary.advice).toMatch(/\.$/);
    expect(JSON.stringify(summary)).not.toMatch(/tandem |null/);
  }
});

test("a message of unknown outcome is not called undelivered", () => {
  const { what, advice } = summariseMessage({ ...message, status: "Failed", errorCode: 3100 }, []);
  expect(what).toBe("Nobody knows whether it arrived.");
  expect(advice).toContain("twice");
});

test("what waits says for what, and what is held says what to look at", () => {
  const queued = { ...message, status: "Queued", sendAt: AT, statusReason: "It is scheduled for sendAt" } as const;
  expect(summariseMessage(queued, [])).toEqual({
    what: "It waits to be sent at 2026-11-16T12:00:00.000Z.",
    why: "It is scheduled for sendAt.",
    advice: null,
  });
  const held = { ...queued, sendAt: null, statusReason: "Held until +14155550150 is active" };
  expect(summariseMessage(held, [{ at: AT, step: "held", details: {} }]).advice).toContain("+14155550150 is Active");
});
