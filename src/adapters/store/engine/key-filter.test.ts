import { expect, test } from "vitest";
import type { Queryable } from "./database.ts";
import { type FilterOrder, KeyFilter } from "./key-filter.ts";

const numbers = Array.from({ length: 45_000 }, (_, at) => `+1415${String(5_000_000 + at)}`);

/** Returns pages of the first table as PostgreSQL would; the second is empty. */
const database: Queryable = {
  async query<Row extends object>(text: string, [after, limit]: readonly unknown[] = []): Promise<Row[]> {
    if (text !== "first") return [];
    return numbers
      .filter((number) => number > String(after))
      .slice(0, Number(limit))
      .map((key) => ({ key })) as unknown as Row[];
  },
};
const ORDER: FilterOrder = { channel: "known", pages: ["first", "second"] };

test("a key that is known is never denied, and most unknown ones are", async () => {
  const filter = new KeyFilter(database, () => true, ORDER);
  await filter.load();
  filter.hear("+442079460000,+442079460001");
  const known = [...numbers, "+442079460000", "+442079460001"];
  expect(known.filter((number) => !filter.mayHave(number))).toEqual([]);
  const strangers = Array.from({ length: 10_000 }, (_, at) => `+4930${1_000_000 + at}`);
  expect(strangers.filter((number) => filter.mayHave(number)).length).toBeLessThan(500);
});

test("while announcements cannot be heard every key may be known", async () => {
  let isCurrent = true;
  const filter = new KeyFilter(database, () => isCurrent, ORDER);
  await filter.load();
  expect(filter.mayHave("+4930123456")).toBe(false);
  isCurrent = false;
  expect(filter.mayHave("+4930123456")).toBe(true);
});

test("with too many keys the database is asked for every one, and loading ends", async () => {
  let made = 0;
  const page = Array.from({ length: 20_000 }, () => ({ key: "the same" }));
  const endless: Queryable = {
    async query<Row extends object>(): Promise<Row[]> {
      made += page.length;
      return page as unknown as Row[];
    },
  };
  const filter = new KeyFilter(endless, () => true, ORDER);
  await filter.load();
  expect(filter.mayHave("another")).toBe(true);
  expect(made).toBeLessThan(10_000_000);
});

test("announcements of many keys stay within what PostgreSQL carries in one, and count at once", async () => {
  const keys = numbers.slice(0, 1000).map((number) => `AC${"0".repeat(32)} ${number}`);
  const payloads: string[] = [];
  const filter = new KeyFilter(database, () => true, ORDER);
  await filter.announce(
    {
      async query(_text, values) {
        expect(keys.every((key) => filter.mayHave(key))).toBe(true);
        payloads.push(String(values?.[1]));
        return [];
      },
    },
    keys,
  );
  expect(payloads.flatMap((payload) => payload.split(","))).toEqual(keys);
  expect(Math.max(...payloads.map((payload) => payload.length))).toBeLessThan(8000);
});
