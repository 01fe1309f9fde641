// When deliveries are tried, in virtual time on a real database.

import { afterEach, expect, test } from "vitest";
import { RETRY_DELAYS_MS } from "../../rules/webhook-retries.ts";
import { answered, useWebhookStore } from "../fakes/webhook-store.ts";

const HOUR = 3_600_000;

const store = useWebhookStore();

afterEach(() => store.clear());

test("a delivery that always fails is tried eleven times over about 76 hours, and then given up", async () => {
  const subscription = await store.subscribe();
  store.receiveBy(() => answered(500));
  await store.emit("OMschedule");
  while (await store.advanceToNext());
  const times = store.posts.map((post) => post.at.getTime());
  expect(times).toHaveLength(11);
  times.slice(1).forEach((time, index) => {
    const delay = time - (times[index] as number);
    const planned = RETRY_DELAYS_MS[index] as number;
    expect(delay).toBeGreaterThanOrEqual(planned * 0.8);
    expect(delay).toBeLessThanOrEqual(planned * 1.2 + 1);
  });
  expect(new Set(store.posts.map((post) => post.headers["webhook-id"])).size).toBe(1);
  const { items } = await store.deliveries.list(
    store.accountSid,
    { size: 5, direction: "Descending" },
    { subscriptionSid: subscription.sid },
  );
  expect(items).toHaveLength(1);
  expect(items[0]).toMatchObject({ status: "Failed", attemptCount: 11, nextAttemptOn: null });
  expect(items[0]?.attempts.map((attempt) => attempt.status)).toEqual(Array(11).fill(500));
});

test("Retry-After is honoured, but not beyond 24 hours", async () => {
  await store.subscribe();
  store.receiveBy(() => answered(429, { retryAfterMs: store.posts.length === 1 ? 10 * 60_000 : 1000 * HOUR }));
  await store.emit("OMlater");
  await store.dispatch();
  await store.advanceToNext();
  await store.advanceToNext();
  const [first, second, third] = store.posts.map((post) => post.at.getTime()) as [number, number, number];
  expect(second - first).toBe(10 * 60_000);
  expect(third - second).toBe(24 * HOUR);
});

test("410 switches the subscription off with a reason, and what waits for it is canceled", async () => {
  const subscription = await store.subscribe();
  store.receiveBy(() => answered(410));
  await store.emit("OMgone");
  await store.emit("OMgone");
  while (await store.advanceToNext());
  expect(store.posts).toHaveLength(1);
  const after = await store.subscriptions.find(store.accountSid, subscription.sid);
  expect(after).toMatchObject({ enabled: false, disabledReason: expect.stringContaining("410") });
  const { items } = await store.deliveries.list(
    store.accountSid,
    { size: 5, direction: "Ascending" },
    { resourceSid: "OMgone" },
  );
  expect(items.map((delivery) => delivery.status).sort()).toEqual(["Canceled", "Failed"]);
});

test("five days of nothing but failures switch the subscription off; a success in between does not let it come to that", async () => {
  const failing = await store.subscribe();
  const recovering = await store.subscribe({ url: "https://other.example/hook" });
  let day = 0;
  store.receiveBy(({ url }) => answered(url === recovering.url && day === 2 ? 200 : 500));
  for (day = 0; day <= 5; day++) {
    await store.emit(`OMday${day}`);
    await store.dispatch();
    store.advance(24 * HOUR);
  }
  await store.dispatch();
  expect(await store.subscriptions.find(store.accountSid, failing.sid)).toMatchObject({
    enabled: false,
    disabledReason: expect.stringContaining("five days"),
  });
  expect(await store.subscriptions.find(store.accountSid, recovering.sid)).toMatchObject({
    enabled: true,
    disabledReason: null,
  });
});

/** The events that were posted, in order, with their times. */
const seenFrom = (startMs: number) =>
  store.posts.map(({ body, at }) => {
    const { Sid, Sequence } = JSON.parse(body) as { Sid: string; Sequence: number };
    return { key: `${Sid} ${Sequence}`, ms: at.getTime() - startMs };
  });

test("a later event of the same resource waits for an earlier one that is being retried, a minute from its first attempt", async () => {
  await store.subscribe();
  store.receiveBy(({ body }) => answered((JSON.parse(body) as { Sequence: number }).Sequence === 1 ? 500 : 200));
  for (const sid of ["OMorder", "OMorder", "OMorder", "OMother"]) await store.emit(sid);
  store.advance(10 * 60_000);
  const startMs = store.clock.now().getTime();
  const seen = () => seenFrom(startMs);
  await store.dispatch();
  expect(
    seen()
      .map(({ key }) => key)
      .sort(),
  ).toEqual(["OMorder 1", "OMother 1"]);
  while (!seen().some(({ key }) => key === "OMorder 3")) await store.advanceToNext();
  // The third waits only for the second, which arrives immediately.
  expect(seen().filter(({ key }) => /[23]$/.test(key))).toEqual([
    { key: "OMorder 2", ms: 60_000 },
    { key: "OMorder 3", ms: 60_000 },
  ]);
});

test("events of a resource arrive in order, however long ago they were stored, when each is refused once", async () => {
  await store.subscribe();
  const resources = Array.from({ length: 20 }, (_, at) => `OMlate${at}`);
  for (const _ of ["first", "second", "third"]) for (const sid of resources) await store.emit(sid);
  const refused = new Set<string>();
  const arrived: string[] = [];
  store.receiveBy(({ body }) => {
    const { Sid, Sequence } = JSON.parse(body) as { Sid: string; Sequence: number };
    const key = `${Sid} ${Sequence}`;
    if (!refused.has(key)) {
      refused.add(key);
      return answered(503);
    }
    arrived.push(key);
    return answered(200);
  });
  store.advance(66_000);
  // In small steps: a receiver that has refused so many is only probed.
  while ((await store.db.query("select from delivery_queue limit 1")).length > 0) {
    await store.dispatch();
    store.advance(1_000);
  }
  for (const sid of resources)
    expect(arrived.filter((key) => key.startsWith(`${sid} `))).toEqual([`${sid} 1`, `${sid} 2`, `${sid} 3`]);
});

test("what waits for an event that was never tried is canceled with it when the subscription is switched off", async () => {
  const { sid } = await store.subscribe();
  for (const _ of ["first", "second"]) await store.emit("OMoff");
  await store.subscriptions.change(store.accountSid, sid, { enabled: false });
  await store.dispatch();
  const page = { size: 5, direction: "Ascending" } as const;
  const { items } = await store.deliveries.list(store.accountSid, page, { resourceSid: "OMoff" });
  expect(items.map(({ status }) => status)).toEqual(["Canceled", "Canceled"]);
  expect(store.posts).toEqual([]);
});

test("events that are replayed go out in order once more, though they were being retried for hours", async () => {
  await store.subscribe();
  store.receiveBy(() => answered(500));
  for (const _ of ["first", "second"]) await store.emit("OMagain");
  while (seenFrom(0).length < 10) await store.advanceToNext();
  store.posts.length = 0;
  store.receiveBy(() => answered(store.posts.length === 1 ? 500 : 200));
  const now = store.clock.now();
  const order = { filters: { resourceSid: "OMagain" }, url: null, now, limit: 10 };
  expect(await store.deliveries.replay(store.accountSid, order)).toBe(2);
  while (await store.advanceToNext());
  expect(seenFrom(0).map(({ key }) => key)).toEqual(["OMagain 1", "OMagain 1", "OMagain 2"]);
});

test("the next event of a resource goes as soon as the one before has arrived", async () => {
  await store.subscribe();
  let isDown = true;
  store.receiveBy(() => answered(isDown ? 503 : 200));
  await store.emit("OMsoon");
  await store.emit("OMsoon");
  await store.dispatch();
  isDown = false;
  const before = store.posts.length;
  await store.advanceToNext();
  while (store.posts.length < before + 2) await store.advanceToNext();
  const [first, second] = store.posts.slice(before);
  expect(JSON.parse(first?.body ?? "")).toMatchObject({ Sequence: 1 });
  expect(JSON.parse(second?.body ?? "")).toMatchObject({ Sequence: 2 });
  expect(second?.at).toEqual(first?.at);
});

test("the backup URL is tried at once, and its success is a success", async () => {
  const subscription = await store.subscribe({ backupUrl: "https://backup.example/hook", bearer: "secret-bearer" });
  store.receiveBy(({ url }) => answered(url === subscription.url ? 500 : 204));
  await store.emit("OMbackup");
  await store.dispatch();
  expect(store.posts.map((post) => post.url)).toEqual([subscription.url, "https://backup.example/hook"]);
  expect(store.posts[0]?.headers.authorization).toBe("Bearer secret-bearer");
  expect(store.posts[0]?.at).toEqual(store.posts[1]?.at);
  const { items } = await store.deliveries.list(
    store.accountSid,
    { size: 5, direction: "Ascending" },
    { resourceSid: "OMbackup" },
  );
  expect(items[0]).toMatchObject({ status: "Delivered", attemptCount: 2 });
});

test("a narrower subscription takes the place of wider ones for its events", async () => {
  const messagingConfigSid = `MC${"0".repeat(32)}`;
  await store.subscribe({ url: "https://account.example/" });
  await store.subscribe({ url: "https://account-too.example/" });
  await store.subscribe({ url: "https://config.example/", messagingConfigSid });
  await store.subscribe({ url: "https://phone.example/", phone: "+14155550100" });
  await store.emit("OM1", { phone: "+14155550100", messagingConfigSid });
  await store.emit("OM2", { phone: "+14155550199", messagingConfigSid });
  await store.emit("OM3", { phone: "+14155550199" });
  await store.dispatch();
  const sidOf = (body: string) => (JSON.parse(body) as { Sid: string }).Sid;
  const urls = (sid: string) =>
    store.posts
      .filter(({ body }) => sidOf(body) === sid)
      .map((post) => post.url)
      .sort();
  expect(urls("OM1")).toEqual(["https://phone.example/"]);
  expect(urls("OM2")).toEqual(["https://config.example/"]);
  expect(urls("OM3")).toEqual(["https://account-too.example/", "https://account.example/"]);
});

test("a replay goes out again under the same id, even to a subscription that is off, and elsewhere without the bearer", async () => {
  const subscription = await store.subscribe({ bearer: "secret-bearer" });
  await store.emit("OMreplay");
  await store.dispatch();
  await store.subscriptions.change(store.accountSid, subscription.sid, { enabled: false });
  const filters = { resourceSid: "OMreplay" };
  expect(
    await store.deliveries.replay(store.accountSid, { filters, url: null, now: store.clock.now(), limit: 10 }),
  ).toBe(1);
  await store.dispatch();
  const url = "https://elsewhere.example/";
  expect(await store.deliveries.replay(store.accountSid, { filters, url, now: store.clock.now(), limit: 10 })).toBe(1);
  await store.dispatch();
  expect(store.posts.map((post) => post.url)).toEqual([subscription.url, subscription.url, url]);
  expect(new Set(store.posts.map((post) => post.headers["webhook-id"])).size).toBe(1);
  expect(store.posts.map((post) => post.headers.authorization)).toEqual([
    "Bearer secret-bearer",
    "Bearer secret-bearer",
    undefined,
  ]);
});

test("another account's deliveries are not replayed", async () => {
  await store.subscribe();
  await store.emit("OMmine");
  await store.dispatch();
  const stranger = `AC${"0".repeat(32)}`;
  const order = { filters: { resourceSid: "OMmine" }, url: null, now: store.clock.now(), limit: 10 };
  expect(await store.deliveries.replay(stranger, order)).toBe(0);
});
