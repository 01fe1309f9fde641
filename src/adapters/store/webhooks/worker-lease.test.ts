import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { openDatabaseLine } from "../../../../test/fakes/database-line.ts";
import { silent } from "../../../../test/fakes/silent-log.ts";
import { answered, useWebhookStore } from "../../../../test/fakes/webhook-store.ts";
import { holding } from "../engine/conditions.ts";
import type { ConnectionSettings } from "../engine/database.ts";
import { StoredQueue } from "./delivery-queue.ts";
import { runningWorkers, WorkerLease } from "./worker-lease.ts";

const LEASE_MS = 90_000;

const store = useWebhookStore();
const leases: WorkerLease[] = [];

afterEach(async () => {
  for (const lease of leases.splice(0)) await lease.close();
  await store.db.query("delete from webhook_subscriptions");
  await store.db.query("delete from delivery_queue");
  store.posts.length = 0;
  store.receiveBy(() => answered(200));
});

async function takeLease(settings: ConnectionSettings = store.connection): Promise<WorkerLease> {
  const lease = new WorkerLease(settings, store.clock, silent);
  leases.push(lease);
  await lease.open();
  return lease;
}

async function claimAs(lease: WorkerLease, subscriptionSid: string, countMax = 10) {
  const queue = new StoredQueue(store.db, store.box, lease);
  const { claimed } = await queue.claim([{ subscriptionSid, countMax }], store.clock.now(), LEASE_MS);
  return claimed.map(({ sid }) => sid);
}

/** Ends the session, as the death of the process would. */
async function kill(lease: WorkerLease): Promise<void> {
  const killed = await store.db.query(
    `select pg_terminate_backend(pid) from pg_locks join pg_stat_activity using (pid)
      where datname = current_database() and locktype = 'advisory' and objid = $1::int::oid`,
    [lease.id],
  );
  expect(killed).toHaveLength(1);
}

const seated = async () =>
  (await store.db.query<{ id: number }>("select id from webhook_workers order by id")).map(({ id }) => id);

test("every worker has a lease of its own, and gives it back", async () => {
  const [one, other] = [await takeLease(), await takeLease()];
  expect(one.id).not.toBe(other.id);
  expect(await seated()).toEqual([one.id, other.id].sort((a, b) => a - b));
  expect(await runningWorkers(store.db)).toBe(2);
  expect(await holding(store.db, [one.hasOthers, other.hasOthers])).toStrictEqual([true, true]);
  await one.close();
  expect(await holding(store.db, [other.hasOthers])).toStrictEqual([false]);
  expect(await seated()).toEqual([other.id]);
  await expect.poll(() => runningWorkers(store.db), { timeout: 120_000 }).toBe(1);
});

test("nothing is taken from a worker that lives", async () => {
  const [one, other] = [await takeLease(), await takeLease()];
  const { sid } = await store.subscribe();
  await store.emit("OMlives");
  expect(await claimAs(one, sid)).toHaveLength(1);
  expect(await other.takeOver()).toEqual([]);
  expect(await one.takeOver()).toEqual([]);
  expect(await claimAs(other, sid)).toEqual([]);
});

test("what a dead worker had claimed is due at once, in no more endpoints than its own, and is taken once", async () => {
  const [victim, living, third] = [await takeLease(), await takeLease(), await takeLease()];
  const [endpoint, otherEndpoint] = [await store.subscribe(), await store.subscribe()];
  for (let at = 0; at < 3; at++) await store.emit(`OMdead${at}`);
  const lost = await claimAs(victim, endpoint.sid);
  expect(lost).toHaveLength(3);
  expect(await claimAs(living, otherEndpoint.sid)).toHaveLength(3);
  const before = victim.id;
  await kill(victim);
  // The victim reconnects with a new lease; the old one is dead for every worker.
  await vi.waitUntil(() => victim.id !== before, { timeout: 120_000 });
  const taken = await Promise.all([living.takeOver(), third.takeOver()]);
  expect(taken.flat()).toEqual([endpoint.sid]);
  expect(await claimAs(third, otherEndpoint.sid)).toEqual([]);
  expect((await claimAs(third, endpoint.sid)).sort()).toEqual([...lost].sort());
  expect(await living.takeOver()).toEqual([]);
  expect(await seated()).not.toContain(before);
});

test("what a worker that hangs had claimed is taken over", async () => {
  const line = await openDatabaseLine(store.connection);
  onTestFinished(() => line.close());
  const hanging = await takeLease({ connectionString: line.url, waitMs: 60_000 });
  const living = await takeLease({ ...store.connection, waitMs: 3_000 });
  const { sid } = await store.subscribe();
  await store.emit("OMhangs");
  expect(await claimAs(hanging, sid)).toHaveLength(1);
  line.hold("tandem worker");
  // The interval at which a worker checks.
  await expect.poll(() => living.takeOver(), { timeout: 120_000, interval: 1_000 }).toEqual([sid]);
  line.release();
  expect(await claimAs(living, sid)).toHaveLength(1);
});

test("a claim that waits for its retry is not hurried when the worker that tried it dies", async () => {
  const [victim, living] = [await takeLease(), await takeLease()];
  const { sid } = await store.subscribe();
  await store.emit("OMretry");
  const queue = new StoredQueue(store.db, store.box, victim);
  const { claimed } = await queue.claim([{ subscriptionSid: sid, countMax: 1 }], store.clock.now(), LEASE_MS);
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
  await vi.waitUntil(() => victim.id !== before, { timeout: 120_000 });
  expect(await living.takeOver()).toEqual([]);
  expect(await store.db.query("select due_at from delivery_queue")).toEqual([{ due_at: later }]);
});

test("a worker whose session broke claims under its new lease", async () => {
  const [lease, other] = [await takeLease(), await takeLease()];
  const before = lease.id;
  await kill(lease);
  await vi.waitUntil(() => lease.id !== before, { timeout: 120_000 });
  const { sid } = await store.subscribe();
  await store.emit("OMagain");
  expect(await claimAs(lease, sid)).toHaveLength(1);
  expect(await other.takeOver()).toEqual([]);
  expect(await claimAs(other, sid)).toEqual([]);
});
