import fc from "fast-check";
import { expect, test } from "vitest";
import type { PageRequest } from "../../base/page.ts";
import { mergedPage, pageOf, spanOf } from "./page.ts";

interface Item {
  readonly sid: string;
}

/** As the store lists them: newest first, after a position, and of so many only those that pass its filter. */
const listOf =
  (items: readonly Item[], readMax: number, passes = (_: Item) => true) =>
  async (page: PageRequest) => {
    const sorted = [...items].sort((one, other) => (one.sid < other.sid ? 1 : -1));
    const rest = sorted.filter(({ sid }) => page.after === undefined || sid < page.after);
    const read = rest.slice(0, readMax);
    const passing = read.filter(passes);
    const shown = passing.slice(0, page.size);
    const last = passing.length > shown.length ? shown.at(-1) : rest.length > read.length ? read.at(-1) : undefined;
    return last === undefined ? { items: shown } : { items: shown, next: last.sid };
  };

test("the pages of two lists hold each item once, newest first", async () => {
  const places = fc.uniqueArray(fc.tuple(fc.nat(200), fc.boolean()), { selector: ([place]) => place, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(
      places,
      fc.integer({ min: 1, max: 7 }),
      fc.integer({ min: 1, max: 9 }),
      async (given, size, readMax) => {
        const isEven = ({ sid }: Item) => Number(sid.slice(2)) % 2 === 0;
        const item = (prefix: string, place: number) => ({ sid: `${prefix}${String(place).padStart(4, "0")}` });
        const one = given.filter(([, isOne]) => isOne).map(([place]) => item("OM", place));
        const other = given.filter(([, isOne]) => !isOne).map(([place]) => item("IM", place));
        const seen: string[] = [];
        for (let after: string | undefined, pages = 0; pages <= 2 * given.length; pages++) {
          const request = { size, direction: "Descending", ...(after === undefined ? {} : { after }) } as const;
          const page = await mergedPage<Item>(request, [
            { prefix: "OM", list: listOf(one, readMax, isEven) },
            { prefix: "IM", list: listOf(other, readMax) },
          ]);
          expect(page.items.length).toBeLessThanOrEqual(size);
          seen.push(...page.items.map(({ sid }) => sid.slice(2)));
          after = page.next;
          if (after === undefined) break;
        }
        expect(seen).toEqual(
          [...one.filter(isEven), ...other]
            .map(({ sid }) => sid.slice(2))
            .sort()
            .reverse(),
        );
      },
    ),
  );
});

test("a day is whole; from and until are included", () => {
  const [first, last] = [new Date("2026-01-31T00:00:00Z"), new Date("2026-01-31T23:59:59.999Z")];
  expect(spanOf({ DateSent: "2026-01-31T12:00:00Z" }, "DateSent")).toEqual({ from: first, to: last });
  expect(spanOf({ "DateSent<": "2026-01-31" }, "DateSent")).toEqual({ from: undefined, to: last });
  expect(spanOf({ "DateSent>": "2026-01-31" }, "DateSent")).toEqual({ from: first, to: undefined });
});

test("pages of items that are all here have each once, in whatever order they are", () => {
  const all = ["CA2", "CA4", "CA1", "CA3"].map((sid) => ({ sid }));
  const seen: string[] = [];
  for (let after: string | undefined, at = 0; at < 3; at++) {
    const { items, next } = pageOf(all, { size: 2, direction: "Descending", ...(after !== undefined && { after }) });
    seen.push(...items.map(({ sid }) => sid));
    if (next === undefined) break;
    after = next;
  }
  expect(seen).toEqual(["CA4", "CA3", "CA2", "CA1"]);
  const back = pageOf(all, { size: 2, direction: "Ascending", after: "CA1" });
  expect(back).toEqual({ items: [{ sid: "CA2" }, { sid: "CA3" }], first: "CA2", next: "CA3" });
});
