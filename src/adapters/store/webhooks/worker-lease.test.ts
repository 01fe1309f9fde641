import { afterEach, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { openDatabaseLine } from "../../../../test/fakes/database-line.ts";
import { silent } from "../../../../test/fakes/silent-log.ts";
import { answered, storedQueue, useWebhookStore } from "../../../../test/fakes/webhook-store.ts";
import type { Clock } from "../../../base/clock.ts";
import { type ClaimedDelivery, type DeliveryQueue, slotOf, WorkerSlots } from "../../../domain/webhooks/index.ts";
import { holding } from "../engine/conditions.ts";
import type { ConnectionSettings } from "../engine/database.ts";
import { claimRows } from "./claim-deliveries.ts";
import { claimsEnded, slotRecords, slotsMayChange } from "./slot-records.ts";
import { runningWorkers, WorkerLease } from "./worker-lease.ts";

const store = useWebhookStore();
beforeAll(() => store.db.query("update webhook_slots set worker = null"));
const leases: WorkerLease[] = [];

afterEach(async () => {
  for (const lease of leases.splice(0)) await lease.close();
  await store.db.query("delete from webhook_subscriptions");
  await store.db.query("delete from delivery_queue");
  store.posts.length = 0;
  store.receiveBy(() => answered(200));
});

interface Worker {
  readonly lease: WorkerLease;
  readonly slots: WorkerSlots;
  readonly queue: DeliveryQueue;
}

async function startWorker(
  settings: ConnectionSettings = store.connection,
  clock: Pick<Clock, "isRight"> = store.clock,
): Promise<Worker> {
  const lease = new WorkerLease(store.db, settings, store.clock, silent);
  leases.push(lease);
  await lease.open();
  const slots: WorkerSlots = new WorkerSlots({
    records: slotRecords(store.db),
    lease,
    clock,
    claimsEnded: () => claimsEnded(store.db, lease.id),
    release: (isLeaving) => queue.release(isLeaving),
    learn: (isNew) => queue.learn(isNew, store.clock.now()),
    forget: (isGone) => queue.forget(isGone),
  });
  const queue = storedQueue(store.db, store.box, slots);
  await slots.balance();
  return { lease, slots, queue };
}

const SLOTS = Array.from({ length: 64 }, (_, slot) => slot);
const held = ({ slots }: Worker) => SLOTS.filter((slot) => slots.holds(slot));

async function claimAs({ queue }: Worker, subscriptionSid: string, countMax = 10) {
  const { claimed } = await queue.claim([{ subscriptionSid, countMax }], store.clock.now());
  return claimed;
}

const sidsOf = (claimed: readonly ClaimedDelivery[]) => claimed.map(({ sid }) => sid);

/** A worker whose line to the database can be cut. */
async function startMortal() {
  const line = await openDatabaseLine(store.connection);
  onTestFinished(() => line.close());
  const worker = await startWorker({ connectionString: line.url });
  const isFree = async () =>
    (
      await store.db.query(
        `select from pg_locks where locktype = 'advisory' and objid = $1::int::oid
            and database = (select oid from pg_database where datname = current_database())`,
        [worker.lease.id],
      )
    ).length === 0;
  return {
    ...worker,
    /** Its session ends, and it is not known whether the process has. */
    async cutOff(): Promise<void> {
      line.cut();
      await vi.waitUntil(isFree, { timeout: 120_000 });
    },
    /** As the others see the end of a process on their machine. */
    async die(): Promise<void> {
      await store.db.query("update lease_holders set started = 'earlier' where id = $1", [worker.lease.id]);
      line.cut();
      await vi.waitUntil(isFree, { timeout: 120_000 });
    },
    async comeBack(): Promise<void> {
      line.release();
      const isBack = async () => (await listed()).includes(worker.lease.id) && !(await isFree());
      await vi.waitUntil(isBack, { timeout: 120_000 });
    },
  };
}

const listed = async () =>
  (await store.db.query<{ id: number }>("select id from webhook_workers order by id")).map(({ id }) => id);

test("every worker has a lease of its own, and gives it back with its slots", async () => {
  const [one, other] = [await startWorker(), await startWorker()];
  expect(one.lease.id).not.toBe(other.lease.id);
  expect(await listed()).toEqual([one.lease.id, other.lease.id].sort((a, b) => a - b));
  expect(await runningWorkers(store.db)).toBe(2);
  expect(
    await holding(
      store.db,
      [one, other].map(({ slots }) => slotsMayChange(slots)),
    ),
  ).toStrictEqual([true, true]);
  await one.lease.close();
  expect(await holding(store.db, [slotsMayChange(other.slots)])).toStrictEqual([true]);
  expect(await other.slots.balance()).toBe(true);
  expect(held(other)).toEqual(SLOTS);
  expect(await holding(store.db, [slotsMayChange(other.slots)])).toStrictEqual([false]);
  expect(await listed()).toEqual([other.lease.id]);
  await expect.poll(() => runningWorkers(store.db), { timeout: 120_000 }).toBe(1);
});

test("workers share the slots, and one that has too many gives up those in which nothing is under way", async () => {
  const one = await startWorker();
  expect(held(one)).toEqual(SLOTS);
  const { sid } = await store.subscribe();
  await store.emit("OMshared");
  const [claimed] = await claimAs(one, sid);
  const [second, third] = [await startWorker(), await startWorker()];
  expect(held(second)).toEqual([]);
  await one.slots.balance();
  expect(held(one)).toHaveLength(22);
  for (const worker of [second, third]) expect(await worker.slots.balance()).toBe(true);
  const all = () => [one, second, third].flatMap(held);
  const isBusy = !held(one).includes(slotOf(sid));
  expect(all()).toHaveLength(isBusy ? 63 : 64);
  const { entry, event, payloadShape } = claimed as ClaimedDelivery;
  const settled = { sid: String(claimed?.sid), entry, subscriptionSid: sid, ...event, payloadShape };
  await one.queue.settle([{ ...settled, status: "Delivered", nextAttemptOn: null, attempts: [] }], store.clock.now());
  for (const worker of [one, second, third]) await worker.slots.balance();
  expect(all().toSorted((a, b) => a - b)).toEqual(SLOTS);
});

test("a worker whose clock is wrong gives all its slots to the others, until it is right again", async () => {
  const clock = { isRight: true };
  const one = await startWorker(store.connection, clock);
  const other = await startWorker();
  clock.isRight = false;
  await one.slots.balance();
  expect(held(one)).toEqual([]);
  await other.slots.balance();
  expect(held(other)).toEqual(SLOTS);
  clock.isRight = true;
  for (const worker of [one, other, one]) await worker.slots.balance();
  expect([held(one).length, held(other).length]).toEqual([32, 32]);
});

test("a worker whose clock is wrong keeps nothing that waits for an earlier event", async () => {
  const clock = { isRight: true };
  const one = await startWorker(store.connection, clock);
  const { sid } = await store.subscribe();
  for (const _ of ["first", "second"]) await store.emit("OMskewed");
  const [claimed] = await claimAs(one, sid);
  const other = await startWorker();
  clock.isRight = false;
  await one.slots.balance();
  const { entry, event, payloadShape } = claimed as ClaimedDelivery;
  const settled = { sid: String(claimed?.sid), entry, subscriptionSid: sid, ...event, payloadShape };
  await one.queue.settle([{ ...settled, status: "Delivered", nextAttemptOn: null, attempts: [] }], store.clock.now());
  for (const worker of [one, other]) await worker.slots.balance();
  expect(await claimAs(other, sid)).toMatchObject([{ event: { sequence: 2 } }]);
});

test("nothing is taken from a worker that lives", async () => {
  const [one, other] = [await startWorker(), await startWorker()];
  const { sid } = await store.subscribe();
  await store.emit("OMlives");
  expect(await claimAs(one, sid)).toHaveLength(1);
  await other.lease.takeOver();
  await other.slots.balance();
  expect(await claimAs(other, sid)).toEqual([]);
  expect(held(one)).toEqual(SLOTS);
});

test("what a dead worker had claimed is due at once for the worker that gets its slots, and is taken once", async () => {
  const victim = await startMortal();
  const [living, third] = [await startWorker(), await startWorker()];
  const { sid } = await store.subscribe();
  for (let at = 0; at < 3; at++) await store.emit(`OMdead${at}`);
  const lost = sidsOf(await claimAs(victim, sid));
  expect(lost).toHaveLength(3);
  const before = victim.lease.id;
  await victim.die();
  await Promise.all([living.lease.takeOver(), third.lease.takeOver()]);
  await victim.comeBack();
  expect([held(victim), victim.lease.id === before]).toEqual([[], false]);
  for (const worker of [living, third, victim]) await worker.slots.balance();
  const taken = [];
  for (const worker of [living, third, victim]) taken.push(...sidsOf(await claimAs(worker, sid)));
  expect(taken.toSorted()).toEqual(lost.toSorted());
  expect(await listed()).not.toContain(before);
});

/** Claims in a transaction that commits only when something waits for it. */
async function claimUntil(waiting: () => Promise<unknown>, { lease }: Worker, subscriptionSid: string): Promise<void> {
  const blocked = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  let ending: Promise<unknown> | undefined;
  await store.db.transaction(async (unit) => {
    expect(await claimRows(unit, [{ subscriptionSid, countMax: 10 }], lease.id)).toHaveLength(1);
    ending = waiting();
    await vi.waitUntil(async () => (await store.db.query(blocked)).length > 0, { timeout: 120_000 });
  });
  await ending;
}

test("what a worker claims while it dies is not forgotten", async () => {
  const [victim, living] = [await startMortal(), await startWorker()];
  const { sid } = await store.subscribe();
  await store.emit("OMdying");
  const takeOver = async () => {
    await victim.die();
    await living.lease.takeOver();
  };
  await claimUntil(takeOver, victim, sid);
  expect(await store.db.query("select claimed_by from delivery_queue")).toEqual([{ claimed_by: null }]);
});

test("what a worker claims while it leaves is neither forgotten nor counted as tried", async () => {
  const leaver = await startWorker();
  const { sid } = await store.subscribe();
  await store.emit("OMleaving");
  await claimUntil(() => leaver.lease.close(), leaver, sid);
  expect(await store.db.query("select claimed_by, attempt from delivery_queue")).toEqual([
    { claimed_by: null, attempt: 0 },
  ]);
});

test("a worker whose lease is over takes no slots until it has a new one", async () => {
  const [late, living] = [await startWorker(), await startWorker()];
  await late.lease.close();
  for (const _ of ["learns that it has none", "sees that they are free"]) await late.slots.balance();
  expect([held(late), late.slots.count]).toEqual([[], 0]);
  await living.slots.balance();
  expect(held(living)).toEqual(SLOTS);
});

test("what a worker that hangs had claimed is taken over", async () => {
  const line = await openDatabaseLine(store.connection);
  onTestFinished(() => line.close());
  const hanging = await startWorker({ connectionString: line.url, waitMs: 60_000 });
  const living = await startWorker({ ...store.connection, waitMs: 3_000 });
  const { sid } = await store.subscribe();
  await store.emit("OMhangs");
  expect(await claimAs(hanging, sid)).toHaveLength(1);
  line.hold("tandem worker");
  const share = async () => {
    await living.lease.takeOver();
    await living.slots.balance();
    return held(living).length;
  };
  // The interval at which a worker checks.
  await expect.poll(share, { timeout: 120_000, interval: 1_000 }).toBe(64);
  line.release();
  expect(await claimAs(living, sid)).toHaveLength(1);
});

test("a delivery that waits for its retry is not hurried when the worker that tried it dies", async () => {
  const victim = await startMortal();
  const living = await startWorker();
  const { sid } = await store.subscribe();
  await store.emit("OMretry");
  const claimed = await claimAs(victim, sid);
  const later = new Date(store.clock.now().getTime() + 3_600_000);
  await victim.queue.settle(
    claimed.map(({ sid: deliverySid, entry, event, payloadShape }) => ({
      ...{ sid: deliverySid, entry, subscriptionSid: sid, payloadShape },
      ...{ resourceSid: event.resourceSid, sequence: event.sequence },
      ...{ status: "Pending", nextAttemptOn: later, attempts: [] },
    })),
    store.clock.now(),
  );
  await victim.die();
  await living.lease.takeOver();
  expect(await store.db.query("select due_at, is_ready from delivery_queue")).toEqual([
    { due_at: later, is_ready: false },
  ]);
});

test("a worker that was cut off comes back with its id, its slots and its claims", async () => {
  const [worker, other] = [await startMortal(), await startWorker()];
  const { sid } = await store.subscribe();
  for (let at = 0; at < 2; at++) await store.emit(`OMaway${at}`);
  expect(await claimAs(worker, sid, 1)).toHaveLength(1);
  const before = worker.lease.id;
  await worker.cutOff();
  for (let look = 0; look < 3; look++) await other.lease.takeOver();
  await other.slots.balance();
  expect([held(worker), await claimAs(other, sid)]).toEqual([SLOTS, []]);
  await worker.comeBack();
  expect(worker.lease.id).toBe(before);
  expect(await claimAs(worker, sid)).toHaveLength(1);
});
