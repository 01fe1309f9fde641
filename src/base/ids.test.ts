import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { VirtualClock } from "../../test/fakes/virtual-clock.ts";
import { isSid, isUuid, makeIds, sidOfUuid } from "./ids.ts";

test("sids made in one millisecond, and after the clock stepped back, still sort in the order they were made", () => {
  const clock = new VirtualClock(1_800_000_000_000);
  const ids = makeIds(clock);
  const made = Array.from({ length: 10_000 }, () => ids.sid("AC"));
  clock.nowMs -= 5_000;
  made.push(ids.sid("AC"));
  expect([...made].sort()).toEqual(made);
  expect(new Set(made).size).toBe(made.length);
});

test("a sid is its prefix and the hex digits of a UUIDv7", () => {
  const sid = makeIds(new VirtualClock(0x0123456789ab)).sid("AC");
  expect(sid).toMatch(/^AC0123456789ab7000[89ab][0-9a-f]{15}$/);
  expect(isSid("AC", sid)).toBe(true);
  expect(isSid("AC", sid.toUpperCase())).toBe(false);
  expect(isSid("FR", sid)).toBe(false);
});

test("a request's id is a UUIDv7, and what the request makes has its digits", () => {
  const ids = makeIds(new VirtualClock(0x0123456789ab));
  const uuid = ids.uuid(randomUUID());
  expect(uuid).toMatch(/^01234567-89ab-7000-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(isUuid(uuid)).toBe(true);
  expect(isSid("OM", sidOfUuid("OM", uuid))).toBe(true);
  expect(sidOfUuid("OM", uuid).slice(2)).toBe(uuid.replaceAll("-", ""));
  expect(ids.sid("OM") > sidOfUuid("OM", uuid)).toBe(true);
});
