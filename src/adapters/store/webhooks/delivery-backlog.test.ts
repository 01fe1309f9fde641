import { afterEach, expect, test } from "vitest";
import { answered, useWebhookStore } from "../../../../test/fakes/webhook-store.ts";
import { backlogOf } from "./delivery-backlog.ts";

const store = useWebhookStore();
afterEach(() => store.clear());

test("the backlog is what is due and not begun, over all endpoints, and how long the oldest has been", async () => {
  expect(await backlogOf(store.db, store.clock.now())).toEqual({ count: 0, oldestMs: 0 });
  await store.subscribe();
  await store.subscribe();
  const start = store.clock.now();
  await store.emit("OMbacklog1");
  store.advance(5000);
  await store.emit("OMbacklog2");
  expect(await backlogOf(store.db, store.clock.now())).toEqual({ count: 4, oldestMs: 5000 });
  expect(await backlogOf(store.db, new Date(start.getTime() - 1))).toEqual({ count: 0, oldestMs: 0 });
  store.receiveBy(() => answered(500));
  await store.dispatch();
  // Every delivery waits for a retry now, so none is overdue.
  expect(await backlogOf(store.db, store.clock.now())).toEqual({ count: 0, oldestMs: 0 });
});

test("a backlog of any size is counted up to a bound", async () => {
  const { sid } = await store.subscribe();
  await store.db.query(
    `insert into delivery_queue (delivery_sid, subscription_sid, event_id, created_at, due_at, is_ready, places)
     select 'WH' || n || '00', $1, n, $2, $2, true, '{0,1}' from generate_series(1, 5050) as n`,
    [sid, store.clock.now()],
  );
  expect(await backlogOf(store.db, store.clock.now())).toEqual({ count: 10_000, oldestMs: 0 });
  await store.db.query("delete from delivery_queue");
});
