import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { silent } from "../../../../test/fakes/silent-log.ts";
import { answered, openWebhookStore, type WebhookStore } from "../../../../test/fakes/webhook-store.ts";
import { StoredQueue } from "./delivery-queue.ts";
import { WorkerSeat } from "./worker-lease.ts";

const LEASE_MS = 90_000;

let store: WebhookStore;
const seats: WorkerSeat[] = [];

beforeAll(async () => {
  store = await openWebhookStore();
});
afterAll(() => store?.close());
afterEach(async () => {
  for (const seat of seats.splice(0)) await seat.close();
  await store.db.query("delete from webhook_subscriptions");
  await store.db.query("delete from delivery_queue");
  store.posts.length = 0;
  store.receiveBy(() => answered(200));
});

async function takeSeat(): Promise<WorkerSeat> {
  const seat = new WorkerSeat(store.connection, store.clock, silent);
  seats.push(seat);
  await seat.open();
  return seat;
}

async function claimAs(seat: WorkerSeat, subscriptionSid: string, room = 10) {
  const queue = new StoredQueue(store.db, store.box, seat);
  const { claimed } = await queue.claim([{ subscriptionSid, room }], store.clock.now(), LEASE_MS);
  return claimed.map(({ sid }) => sid);
}

/** Ends its session, as the death of its process would. */
async function kill(seat: WorkerSeat): Promise<void> {
  const killed = await store.db.query(
    "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objid = $1::int::oid",
    [seat.id],
  );
  expect(killed).toHaveLength(1);
}

const seated = async () =>
  (await store.db.query<{ id: number }>("select id from webhook_workers order by id")).map(({ id }) => id);

test("every worker has a seat of its own, and gives it back", async () => {
  const [one, other] = [await takeSeat(), await takeSeat()];
  expect(one.id).not.toBe(other.id);
  expect(await seated()).toEqual([one.id, other.id].sort((a, b) => a - b));
  await one.close();
  expect(await seated()).toEqual([other.id]);
});

test("nothing is taken from a worker that lives", async () => {
  const [one, other] = [await takeSeat(), await takeSeat()];
  const { sid } = await store.subscribe();
  await store.emit("OMlives");
  expect(await claimAs(one, sid)).toHaveLength(1);
  expect(await other.takeOver()).toEqual([]);
  expect(await one.takeOver()).toEqual([]);
  expect(await claimAs(other, sid)).toEqual([]);
});

test("what a dead worker had claimed is due at once, in no more lanes than its own, and is taken once", async () => {
  const [victim, living, third] = [await takeSeat(), await takeSeat(), await takeSeat()];
  const [lane, otherLane] = [await store.subscribe(), await store.subscribe()];
  for (let at = 0; at < 3; at++) await store.emit(`OMdead${at}`);
  const lost = await claimAs(victim, lane.sid);
  expect(lost).toHaveLength(3);
  expect(await claimAs(living, otherLane.sid)).toHaveLength(3);
  const before = victim.id;
  await kill(victim);
  // The victim comes back in a seat of its own; the old one is dead whoever looks.
  await vi.waitUntil(() => victim.id !== before, { timeout: 30_000 });
  const taken = await Promise.all([living.takeOver(), third.takeOver()]);
  expect(taken.flat()).toEqual([lane.sid]);
  expect(await claimAs(third, otherLane.sid)).toEqual([]);
  expect((await claimAs(third, lane.sid)).sort()).toEqual([...lost].sort());
  expect(await living.takeOver()).toEqual([]);
  expect(await seated()).not.toContain(before);
});

test("a claim that waits for its retry is not hurried when the worker that tried it dies", async () => {
  const [victim, living] = [await takeSeat(), await takeSeat()];
  const { sid } = await store.subscribe();
  await store.emit("OMretry");
  const queue = new StoredQueue(store.db, store.box, victim);
  const { claimed } = await queue.claim([{ subscriptionSid: sid, room: 1 }], store.clock.now(), LEASE_MS);
  const later = new Date(store.clock.now().getTime() + 3_600_000);
  await queue.settle(
    claimed.map(({ sid: deliverySid, createdOn, queuedOn, event }) => ({
      sid: deliverySid,
      createdOn,
      queuedOn,
      subscriptionSid: sid,
      resourceSid: event.resourceSid,
      status: "Pending" as const,
      nextAttemptOn: later,
      attempts: [],
    })),
    store.clock.now(),
  );
  const before = victim.id;
  await kill(victim);
  await vi.waitUntil(() => victim.id !== before, { timeout: 30_000 });
  expect(await living.takeOver()).toEqual([]);
  expect(await store.db.query("select due_at from delivery_queue")).toEqual([{ due_at: later }]);
});

test("a worker whose session broke claims under its new seat", async () => {
  const [seat, other] = [await takeSeat(), await takeSeat()];
  const before = seat.id;
  await kill(seat);
  await vi.waitUntil(() => seat.id !== before, { timeout: 30_000 });
  const { sid } = await store.subscribe();
  await store.emit("OMagain");
  expect(await claimAs(seat, sid)).toHaveLength(1);
  expect(await other.takeOver()).toEqual([]);
  expect(await claimAs(other, sid)).toEqual([]);
});
