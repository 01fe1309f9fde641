import { expect, test } from "vitest";
import { z } from "zod";
import { VirtualClock } from "../../../../test/fakes/virtual-clock.ts";
import type { Page, PageRequest } from "../../../base/page.ts";
import { ListPlaces } from "./list-places.ts";
import { type Operation, openOperation, tagged } from "./operation.ts";
import { answerPage } from "./outcomes.ts";
import { readList } from "./read-list.ts";
import type { RequestContext } from "./request-context.ts";
import { type ListQuery, listQuery, pageRequestOf } from "./schemas.ts";

const RECORDS = Array.from({ length: 345 }, (_, at) => `${1000 + at}`);

function pageOf({ size, after, direction }: PageRequest): Page<string> {
  const sorted = direction === "Ascending" ? RECORDS : RECORDS.toReversed();
  const start = after === undefined ? 0 : sorted.indexOf(after) + 1;
  const items = sorted.slice(start, start + size);
  const last = items.at(-1);
  return { items, ...(last !== undefined && start + size < sorted.length && { next: last }) };
}

const asked: number[] = [];
const list = tagged("Test", [
  openOperation({
    id: "listRecords",
    summary: "Records",
    route: "GET /records",
    query: listQuery({ Name: z.string().optional() }),
    answers: { 200: { description: "A page." } },
    refusals: [],
    handle({ query }) {
      asked.push(query.PageSize);
      return answerPage(pageOf(pageRequestOf(query)), (record) => ({ record, name: query.Name }));
    },
  }),
])[0] as Operation;

async function read(query: Partial<ListQuery> & { readonly Name?: string }): Promise<string> {
  const clock = new VirtualClock();
  const lists = new ListPlaces(clock, { hasOthers: () => true });
  const whole = { PageSize: 50, OrderByDirection: "Descending", ...query };
  const work = { operation: list, caller: null, input: { params: {}, query: whole, body: undefined } };
  const context = { headers: {}, url: "/records", id: "1", method: "GET" } as unknown as RequestContext;
  asked.length = 0;
  const answer = await clock.until(readList({ store: {} as never, clock, lists }, work, context));
  return answer.text;
}

test("a long page has what small pages one after the other have, and goes on after them", async () => {
  for (const OrderByDirection of ["Ascending", "Descending"] as const)
    for (const PageSize of [1, 99, 100, 101, 200, 344, 345, 346, 1_000]) {
      const sorted = OrderByDirection === "Ascending" ? RECORDS : RECORDS.toReversed();
      const first = JSON.parse(await read({ PageSize, OrderByDirection, Name: "é\u2028" }));
      const shown = sorted.slice(0, PageSize).map((record) => ({ record, name: "é\u2028" }));
      expect(first.items).toEqual(shown);
      expect(Object.keys(first)).toEqual(PageSize < RECORDS.length ? ["items", "searchId"] : ["items"]);
      expect(Math.max(...asked)).toBe(Math.min(PageSize, 100));
      if (PageSize >= RECORDS.length) continue;
      const next = JSON.parse(await read({ PageSize: 1_000, OrderByDirection, SearchId: first.searchId }));
      expect(next.items).toEqual(sorted.slice(PageSize).map((record) => ({ record })));
    }
});

test("a page is the same text, however long it is", async () => {
  const long = await read({ PageSize: 101 });
  const whole = JSON.stringify({ items: JSON.parse(long).items, searchId: JSON.parse(long).searchId });
  expect(long).toBe(whole);
  expect(await read({ PageSize: 1_000, SearchId: Buffer.from("k 1000").toString("base64url") })).toBe('{"items":[]}');
});
