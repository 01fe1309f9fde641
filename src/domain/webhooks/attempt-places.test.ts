import { expect, test } from "vitest";
import { AttemptPlaces } from "./attempt-places.ts";

const PLACES = 4_000;

/** Begins as many as the account may; returns them. */
function fill(places: AttemptPlaces, account: string, nowMs: number) {
  const begun = [];
  while (places.mayBegin(account, nowMs)) begun.push(places.begin(account, nowMs));
  return begun;
}

test("an account has an eighth of the places, and gets one back for each attempt that ends", () => {
  const places = new AttemptPlaces(PLACES);
  const begun = fill(places, "AC1", 0);
  expect([begun.length, places.taken]).toEqual([PLACES / 8, PLACES / 8]);
  expect(places.mayBegin("AC2", 0)).toBe(true);
  places.end(begun[0] as NonNullable<(typeof begun)[0]>);
  expect(fill(places, "AC1", 0)).toHaveLength(1);
});

test("eight accounts have all places, and then nobody gets one", () => {
  const places = new AttemptPlaces(PLACES);
  for (let account = 0; account < 8; account++) fill(places, `AC${account}`, 0);
  expect([places.isFull, places.mayBegin("AC9", 0), places.taken]).toEqual([true, false, PLACES]);
});

test("an account whose receivers have been slow for a second begins no more than 250 of them", () => {
  const places = new AttemptPlaces(PLACES);
  for (let count = 0; count < 250; count++) places.begin("AC1", 0);
  expect(places.mayBegin("AC1", 999)).toBe(true);
  expect(places.mayBegin("AC1", 1_000)).toBe(false);
});

test("attempts that ended in time are not slow", () => {
  const places = new AttemptPlaces(PLACES);
  for (const attempt of Array.from({ length: 250 }, () => places.begin("AC1", 0))) places.end(attempt);
  const slow = places.begin("AC1", 0);
  expect(fill(places, "AC1", 2_000)).toHaveLength(PLACES / 8 - 1);
  expect(slow.state).toBe("slow");
});

test("when slow attempts hold half of the places, only accounts without any begin more", () => {
  const places = new AttemptPlaces(PLACES);
  const slow = Array.from({ length: 10 }, (_, account) =>
    Array.from({ length: 200 }, () => places.begin(`AC${account}`, 0)),
  );
  expect(places.mayBegin("AC1", 999)).toBe(true);
  expect([places.mayBegin("AC1", 1_000), places.mayBegin("AC10", 1_000)]).toEqual([false, true]);
  places.end(slow[0]?.[0] as NonNullable<NonNullable<(typeof slow)[0]>[0]>);
  expect(places.mayBegin("AC1", 1_000)).toBe(true);
});
