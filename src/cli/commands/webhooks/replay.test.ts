import { expect, test } from "vitest";
import type { Answer, ListAnswer, PageOptions, ReplayOrder, TandemClient } from "../../../../sdk/src/index.ts";
import { gatherPages } from "../../gather-pages.ts";
import { replayAll } from "./replay.ts";

function answer<Data>(data: Data): Answer<Data> {
  return { data, status: 200, requestId: undefined, rateLimit: undefined };
}

/** A server that has this many matching deliveries and replays ten per request. */
function serverWith(fitting: number) {
  const orders: ReplayOrder[] = [];
  let left = fitting;
  const replayMany = async (order: ReplayOrder) => {
    orders.push(order);
    const replayed = Math.min(left, 10);
    left -= replayed;
    return answer({ replayed, complete: replayed < 10 });
  };
  const client = { deliveries: { replayMany } } as unknown as Pick<TandemClient, "deliveries">;
  return { client, orders };
}

test("failed ones are asked for until all are on their way", async () => {
  const { client, orders } = serverWith(25);
  const reports: number[] = [];
  const order = { status: "Failed", from: "2026-01-01T00:00:00.000Z" } as const;
  expect(await replayAll(client, order, (sofar) => reports.push(sofar))).toEqual({ replayed: 25, complete: true });
  expect(reports).toEqual([10, 20]);
  expect(orders).toEqual([order, order, order]);
});

test("others are asked for once, for asking again would reach the same ones", async () => {
  const { client, orders } = serverWith(25);
  expect(await replayAll(client, { type: "OptOutChanged" }, () => undefined)).toEqual({
    replayed: 10,
    complete: false,
  });
  expect(orders).toHaveLength(1);
});

test("it ends, even when what is sent fails as fast as it is asked for", async () => {
  const { client, orders } = serverWith(Number.POSITIVE_INFINITY);
  expect(await replayAll(client, { status: "Failed" }, () => undefined)).toMatchObject({ complete: false });
  expect(orders).toHaveLength(100);
});

test("a list is read page by page up to the limit", async () => {
  const asked: PageOptions[] = [];
  const list = async (page: PageOptions): Promise<Answer<ListAnswer<number>>> => {
    asked.push(page);
    const start = Number(page.searchId ?? 0);
    const end = Math.min(start + (page.pageSize ?? 50), 2500);
    const items = Array.from({ length: end - start }, (_, at) => start + at);
    return answer(end < 2500 ? { items, searchId: String(end) } : { items });
  };
  expect(await gatherPages(list, 1200)).toHaveLength(1200);
  expect(asked).toEqual([{ pageSize: 1000 }, { pageSize: 200, searchId: "1000" }]);
  expect((await gatherPages(list, 99_999)).at(-1)).toBe(2499);
});
