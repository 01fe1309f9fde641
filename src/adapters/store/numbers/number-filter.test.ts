import { expect, test } from "vitest";
import { NumberFilter } from "./number-filter.ts";

const numbers = Array.from({ length: 45_000 }, (_, at) => `+1415${String(5_000_000 + at)}`);

/** Returns pages of the overrides as PostgreSQL would; the inventory is empty. */
const database = {
  async query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    if (!text.includes("lookup_overrides")) return [];
    return numbers
      .filter((number) => number > String(values[0]))
      .slice(0, 20_000)
      .map((number) => ({ number })) as unknown as Row[];
  },
};

test("a number that is known is never denied, and most unknown ones are", async () => {
  const filter = new NumberFilter(database, () => true);
  await filter.load();
  filter.add(["+442079460000"]);
  expect([...numbers, "+442079460000"].filter((number) => !filter.mayKnow(number))).toEqual([]);
  const strangers = Array.from({ length: 10_000 }, (_, at) => `+4930${1_000_000 + at}`);
  expect(strangers.filter((number) => filter.mayKnow(number)).length).toBeLessThan(500);
});

test("while announcements cannot be heard every number may be known", async () => {
  let isCurrent = true;
  const filter = new NumberFilter(database, () => isCurrent);
  await filter.load();
  expect(filter.mayKnow("+4930123456")).toBe(false);
  isCurrent = false;
  expect(filter.mayKnow("+4930123456")).toBe(true);
});

test("announcements of many numbers stay within what PostgreSQL carries in one", async () => {
  const payloads: string[] = [];
  await new NumberFilter(database, () => true).announce(
    {
      async query(_text, values) {
        payloads.push(String(values?.[1]));
        return [];
      },
    },
    numbers.slice(0, 1000),
  );
  expect(payloads.flatMap((payload) => payload.split(","))).toEqual(numbers.slice(0, 1000));
  expect(Math.max(...payloads.map((payload) => payload.length))).toBeLessThan(8000);
});
