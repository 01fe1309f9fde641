import { afterEach, expect, test } from "vitest";
import { explaining } from "../../../../test/fakes/explaining.ts";
import { answered, useWebhookStore } from "../../../../test/fakes/webhook-store.ts";
import type { EventType, NewEvent } from "../../../domain/events.ts";
import type { DeliveryFilters, PostOutcome } from "../../../domain/webhooks/index.ts";
import type { Queryable } from "../engine/database.ts";
import { deliveryStore } from "./deliveries.ts";
import { backlogOf } from "./delivery-backlog.ts";
import { emitEvents } from "./outbox.ts";

const store = useWebhookStore();
afterEach(() => store.clear());

const deliveryOf = async (resourceSid: string) => {
  const page = { size: 2, direction: "Ascending" } as const;
  const { items } = await store.deliveries.list(store.accountSid, page, { resourceSid });
  expect(items).toHaveLength(1);
  return items[0];
};

const replay = async (resourceSid: string, url: string | null) => {
  const { sid = "" } = (await deliveryOf(resourceSid)) ?? {};
  return store.deliveries.replay(store.accountSid, {
    sids: [sid],
    filters: {},
    url,
    now: store.clock.now(),
    limit: 10,
  });
};

test.each([
  { end: "arrives", status: 200 },
  { end: "fails", status: 500 },
])(
  "a replay that is asked for while an attempt is under way goes out, though that attempt $end",
  async ({ end, status }) => {
    const resourceSid = `OM${end}`;
    const elsewhere = "https://elsewhere.example/";
    const { url } = await store.subscribe();
    let answer: (outcome: PostOutcome) => void = () => undefined;
    store.receiveBy((order) =>
      order.url === elsewhere
        ? answered(200)
        : new Promise((resolve) => {
            answer = resolve;
          }),
    );
    await store.emit(resourceSid);
    await store.dispatcher.look();
    await expect.poll(() => store.posts.length, { timeout: 120_000 }).toBe(1);
    store.advance(1000);
    expect(await replay(resourceSid, elsewhere)).toBe(1);
    answer(answered(status));
    await store.dispatcher.idle();
    expect(await deliveryOf(resourceSid)).toMatchObject({ status: "Pending", attemptCount: 1, finishedOn: null });
    await store.dispatch();
    expect(store.posts.map((post) => post.url)).toEqual([url, elsewhere]);
    expect(await deliveryOf(resourceSid)).toMatchObject({ status: "Delivered", attemptCount: 2, nextAttemptOn: null });
  },
);

test("a replay of many leaves alone what is under way, and tells how many it replayed", async () => {
  const { sid: subscriptionSid } = await store.subscribe();
  store.receiveBy(() => answered(500));
  await store.emit("OMtried");
  await store.dispatch();
  let answer: (outcome: PostOutcome) => void = () => undefined;
  store.receiveBy(
    () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  );
  await store.emit("OMunderWay");
  await store.dispatcher.look();
  await expect.poll(() => store.posts.length, { timeout: 120_000 }).toBe(2);
  const order = {
    filters: { subscriptionSid, status: "Pending" },
    url: null,
    now: store.clock.now(),
    limit: 10,
  } as const;
  expect(await store.deliveries.replay(store.accountSid, order)).toBe(1);
  answer(answered(200));
  await store.dispatcher.idle();
  store.receiveBy(() => answered(200));
  await store.dispatch();
  expect(await deliveryOf("OMunderWay")).toMatchObject({ status: "Delivered", attemptCount: 1 });
  expect(await deliveryOf("OMtried")).toMatchObject({ status: "Delivered", attemptCount: 2 });
});

test("a delivery that is read while an attempt is recorded shows the state of before or of after, not a mixture", async () => {
  await store.subscribe();
  store.receiveBy(() => answered(500));
  await store.emit("OMtorn");
  const torn = deliveryStore({
    async query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]> {
      if (text.includes("from attempts")) await store.dispatch();
      return store.db.query<Row>(text, values);
    },
  });
  const now = store.clock.now();
  const page = { size: 1, direction: "Ascending" } as const;
  const { items } = await torn.list(store.accountSid, page, { resourceSid: "OMtorn" });
  expect(items).toMatchObject([{ status: "Pending", attemptCount: 1, attempts: [{ status: 500 }] }]);
  expect(items[0]?.nextAttemptOn?.getTime()).toBeGreaterThan(now.getTime());
});

test("attempts of one moment are shown in the order in which they were made", async () => {
  const backupUrl = "https://backup.example/";
  const { url } = await store.subscribe({ backupUrl });
  store.receiveBy(() => answered(500));
  for (let at = 0; at < 20; at++) await store.emit(`OMmoment${at}`);
  await store.dispatch();
  // The failures have reduced the endpoint's concurrency, so some deliveries have not been tried yet.
  while ((await backlogOf(store.db, store.clock.now())).count > 0) await store.dispatch();
  for (let at = 0; at < 20; at++) {
    const delivery = await deliveryOf(`OMmoment${at}`);
    expect(delivery?.attempts.map((attempt) => attempt.url)).toEqual([url, backupUrl]);
  }
});

const NEWEST_FIRST = { size: 3, direction: "Descending" } as const;
const OLDEST_FIRST = { size: 3, direction: "Ascending" } as const;
const STORED = 300;

/** Events of the type, each stored at a time of its own, so that none shares a row. */
async function emitApart(accountSid: string, type: EventType, count: number): Promise<void> {
  for (let at = 0; at < count; at++) {
    store.advance(1);
    const event = { accountSid, type, resourceSid: `${type}${at}`, fields: {} };
    await emitEvents(store.db, [event] as unknown as readonly NewEvent[], store.clock.now());
  }
}

test("deliveries of a rare type are listed and replayed without reading those of the others", {
  timeout: 240_000,
}, async () => {
  const accountSid = await store.addAccount();
  const subscribe = (type: EventType) => store.subscribe({ accountSid, type });
  const { sid: ofMessages } = await subscribe("OutboundMessageStatusChanged");
  await subscribe("OptOutChanged");
  await emitApart(accountSid, "OptOutChanged", 2);
  await emitApart(accountSid, "OutboundMessageStatusChanged", STORED);
  await emitApart(accountSid, "OptOutChanged", 2);
  // These go to no subscription.
  await emitApart(accountSid, "InboundMessageReceived", STORED);
  await store.db.query("analyze events, deliveries, delivery_queue");
  let read: number[] = [];
  const explained: Queryable = {
    async query(statement, values) {
      await explaining(store.db, (rows) => read.push(rows)).query(statement, values);
      return store.db.query(statement, values);
    },
  };
  const list = async (page: typeof NEWEST_FIRST | typeof OLDEST_FIRST, filters: DeliveryFilters) => {
    read = [];
    const found = await deliveryStore(explained).list(accountSid, page, filters);
    expect(Math.max(...read)).toBeLessThan(STORED / 2);
    return found.items.map(({ resourceSid }) => resourceSid);
  };
  const rare = ["OptOutChanged0", "OptOutChanged1", "OptOutChanged0", "OptOutChanged1"];
  expect(await list(OLDEST_FIRST, { type: "OptOutChanged" })).toEqual(rare.slice(0, 3));
  expect(await list(NEWEST_FIRST, { type: "OptOutChanged" })).toEqual(rare.toReversed().slice(0, 3));
  expect(await list(NEWEST_FIRST, { type: "PortOrderStatusChanged" })).toEqual([]);
  expect(await list(NEWEST_FIRST, { type: "InboundMessageReceived" })).toEqual([]);
  expect(await list(NEWEST_FIRST, { type: "OptOutChanged", subscriptionSid: ofMessages })).toEqual([]);
  expect(await list(NEWEST_FIRST, { type: "OutboundMessageStatusChanged", status: "Failed" })).toEqual([]);
  const order = { filters: { type: "OptOutChanged" }, url: null, now: store.clock.now(), limit: 3 } as const;
  read = [];
  expect(await deliveryStore(store.db).replay(accountSid, order)).toBe(3);
});
