import { expect, test } from "vitest";
import { DeliveryTable } from "../../../test/fakes/delivery-table.ts";
import { SLOTS, type SlotRecords, slotOf, WorkerSlots } from "./worker-slots.ts";

function setUp() {
  const table = new DeliveryTable([]);
  let claimedFrom: readonly string[] = [];
  const records: SlotRecords = {
    share: async (worker, isDelivering) => table.share(worker, isDelivering),
    take: async (worker, countMax) => table.take(worker, countMax),
    leave: async (worker, slots) => table.leave(worker, slots),
    heldBy: async (worker) => table.heldBy(worker),
    claimedFrom: async () => claimedFrom,
  };
  const start = (clock = { isRight: true }) => {
    const lease = { id: table.addWorker() };
    const steps: string[] = [];
    const slots = new WorkerSlots({
      records,
      lease,
      clock,
      claimsEnded: async () => steps.push("claims ended"),
      release: async (isLeaving) => void steps.push(`released ${sidsIn(isLeaving)}`),
      learn: async (isNew) => void steps.push(`learned ${sidsIn(isNew)}`),
      forget: (isGone) => steps.push(`forgot ${sidsIn(isGone)}`),
    });
    return { lease, slots, steps, clock };
  };
  return { table, start, claim: (sids: readonly string[]) => (claimedFrom = sids) };
}

/** A subscription in each slot. */
const SIDS = Array.from({ length: SLOTS }, (_, slot) => {
  for (let at = 0; ; at++) if (slotOf(`WS${at}`) === slot) return `WS${at}`;
});
const sidsIn = (is: (sid: string) => boolean) => SIDS.filter(is).length;
const heldBy = ({ slots }: { readonly slots: WorkerSlots }) => SIDS.filter((_, slot) => slots.holds(slot)).length;

test("subscriptions are spread over the slots", () => {
  const slots = Array.from({ length: 6_400 }, (_, at) => slotOf(`WS01935f1e4c7b7000a3c41f0e5d9b${at}`));
  const counts = SIDS.map((_, slot) => slots.filter((other) => other === slot).length);
  expect(Math.min(...counts)).toBeGreaterThan(50);
  expect(Math.max(...counts)).toBeLessThan(200);
});

test("one worker takes all slots, and learns what was tried in them before it claims there", async () => {
  const { start } = setUp();
  const one = start();
  expect(heldBy(one)).toBe(0);
  expect(await one.slots.balance()).toBe(true);
  expect([heldBy(one), one.slots.count]).toEqual([64, 64]);
  expect(one.steps).toEqual(["forgot 64", "forgot 0", "learned 64"]);
  expect(await one.slots.balance()).toBe(false);
});

test("a second worker gets half, when the claims of the first have ended and nothing is claimed there", async () => {
  const { start, claim } = setUp();
  const one = start();
  await one.slots.balance();
  const other = start();
  expect(await other.slots.balance()).toBe(false);
  claim(SIDS.slice(60));
  one.steps.length = 0;
  expect(await one.slots.balance()).toBe(false);
  // In four slots something is claimed: it claims no more there, and keeps them for now.
  expect([heldBy(one), one.slots.count]).toEqual([32, 36]);
  expect(one.steps).toEqual(["claims ended", "released 32", "forgot 28"]);
  expect(await other.slots.balance()).toBe(true);
  expect(heldBy(other)).toBe(28);
  claim([]);
  await one.slots.balance();
  expect(await other.slots.balance()).toBe(true);
  expect([heldBy(one), heldBy(other), one.slots.count]).toEqual([32, 32, 32]);
});

test("the slots of a dead worker are shared by the living", async () => {
  const { start, table } = setUp();
  const workers = [start(), start(), start()];
  for (const worker of [...workers, ...workers]) await worker.slots.balance();
  expect(workers.map(heldBy)).toEqual([22, 22, 20]);
  const [dead, ...living] = workers;
  table.endWorker(dead?.lease.id ?? 0);
  table.takeOver();
  for (const worker of living) await worker.slots.balance();
  expect(living.map(heldBy)).toEqual([32, 32]);
});

test("a worker with a new lease holds nothing until it has taken slots under it", async () => {
  const { start, table } = setUp();
  const one = start();
  await one.slots.balance();
  table.endWorker(one.lease.id);
  one.lease.id = table.addWorker();
  expect(heldBy(one)).toBe(0);
  expect(await one.slots.balance()).toBe(false);
  table.takeOver();
  expect(await one.slots.balance()).toBe(true);
  expect(heldBy(one)).toBe(64);
});

test("a worker whose clock is wrong gives up all, and takes its share when it is right again", async () => {
  const { start } = setUp();
  const [one, other] = [start(), start()];
  for (const worker of [one, other, one, other]) await worker.slots.balance();
  one.clock.isRight = false;
  for (const worker of [one, other]) await worker.slots.balance();
  expect([heldBy(one), heldBy(other)]).toEqual([0, 64]);
  one.clock.isRight = true;
  for (const worker of [one, other, one]) await worker.slots.balance();
  expect([heldBy(one), heldBy(other)]).toEqual([32, 32]);
});
