// Every list of the API with every filter, alone, in a span of time and in either order: none reads more rows than a
// page may look through, however many the account or the others have, and its pages together have what one page has
// that may read everything. every-list.test.ts knows which lists there are.

import { beforeAll, describe, expect, test } from "vitest";
import { explaining } from "../../../test/fakes/explaining.ts";
import { CASES, type Filters, type List, ROWS } from "../../../test/fakes/list-cases.ts";
import { fillLists } from "../../../test/fakes/list-rows.ts";
import { useWebhookStore } from "../../../test/fakes/webhook-store.ts";
import type { PageRequest } from "../../base/page.ts";
import type { Queryable } from "./engine/database.ts";
import { textOf } from "./engine/named-statements.ts";

const store = useWebhookStore();
const READ_MAX = 100;
/** What is looked through, read once more for its end, and joined. */
const READ_BY_A_STATEMENT = 4 * READ_MAX;

beforeAll(() => fillLists(store.db, store.clock.now(), ROWS));

/** Explains each statement, and runs it. */
function counting(read: { statement: string; rows: number }[]): Queryable {
  return {
    async query(statement, values) {
      await explaining(store.db, (rows) => read.push({ statement: textOf(statement), rows })).query(statement, values);
      return store.db.query(statement, values);
    },
  };
}

const DIRECTIONS = ["Descending", "Ascending"] as const;
const PAGE_SIZE = 40;
/** Larger ones, to read a list to its end. */
const STEPS = { size: 500, readMax: 1_000 };

async function allOf(list: List, request: Omit<PageRequest, "after">, filters: Filters): Promise<readonly unknown[]> {
  const items: unknown[] = [];
  for (let after: string | undefined, pages = 0; ; pages++) {
    const page = await list(store.db, { ...request, ...(after !== undefined && { after }) }, filters);
    expect(page.items.length).toBeLessThanOrEqual(request.size);
    items.push(...page.items);
    if (page.next === undefined) return items;
    expect(page.next).not.toBe(after);
    expect(pages).toBeLessThan(ROWS);
    after = page.next;
  }
}

describe.each(CASES)("$of", ({ list, filters, span }) => {
  const given = [{}, ...Object.values(filters).flat()];
  const variants = [
    ...given.flatMap((filter) => DIRECTIONS.map((direction) => ({ direction, filter }))),
    ...(span ? given.map((filter) => ({ direction: DIRECTIONS[0], filter: { ...span, ...filter } })) : []),
  ];
  const unique = [...new Map(variants.map((variant) => [JSON.stringify(variant), variant])).values()];

  test("reads no more than a page may", async () => {
    for (const { direction, filter } of unique) {
      const whole = await allOf(list, { size: ROWS * 2, direction, readMax: 10 * ROWS }, filter);
      expect(await allOf(list, { ...STEPS, direction }, filter), JSON.stringify(filter)).toEqual(whole);
      const bounded = { size: PAGE_SIZE, direction, readMax: READ_MAX };
      const read: { statement: string; rows: number }[] = [];
      const first = await list(counting(read), bounded, filter);
      if (first.next !== undefined) await list(counting(read), { ...bounded, after: first.next }, filter);
      const tooMuch = read.filter(({ rows }) => rows > READ_BY_A_STATEMENT);
      expect(tooMuch, `${direction} ${JSON.stringify(filter)}`).toEqual([]);
    }
  });
});
