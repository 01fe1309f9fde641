import { expect, test } from "vitest";
import { DeliveryTable } from "../../../test/fakes/delivery-table.ts";
import { silent } from "../../../test/fakes/silent-log.ts";
import { Unavailable } from "../../base/unavailable.ts";
import { giveBackStrays } from "../give-back.ts";
import { OrderedQueue } from "./ordered-queue.ts";
import type { ClaimedDelivery, DeliveryRecords, EndpointLimit, QueuedDelivery, SettledDelivery } from "./ports.ts";
import { ORDER_WAIT_MS } from "./resource-order.ts";
import type { DeliveryStatus } from "./subscription.ts";
import { SLOTS } from "./worker-slots.ts";

const START = new Date("2026-01-01T00:00:00.000Z");
const later = (ms: number) => new Date(START.getTime() + ms);

const subscription = (sid: string) => ({
  ...{ sid, url: "https://receiver.example/", backupUrl: null, payloadShape: "A" as const, secrets: [], bearer: null },
  ...{ enabled: true, disabledReason: null, disabledMs: null, failingSince: null },
});

/** A worker with all slots, over a queue with these events: the resource of each, in order. */
function setUp(
  resources: readonly string[],
  change: Partial<DeliveryRecords<QueuedDelivery>> = {},
  subscriptions: readonly string[] = ["WS1"],
) {
  const table = new DeliveryTable(subscriptions.map(subscription));
  const worker = table.addWorker();
  table.take(worker, SLOTS);
  const sequences = new Map<string, number>();
  for (const resourceSid of resources) {
    const sequence = (sequences.get(resourceSid) ?? 0) + 1;
    sequences.set(resourceSid, sequence);
    table.add({ accountSid: "AC1", type: "OptOutChanged", resourceSid, sequence, fields: {}, createdOn: START });
  }
  const records: DeliveryRecords<QueuedDelivery> = {
    dueEndpoints: async (now) => ({ sids: table.dueEndpoints(now), hasMore: false }),
    claim: async (limits) => table.claim(worker, limits, later(10 * ORDER_WAIT_MS)),
    claimsEnded: async () => undefined,
    read: async () => (queued) => table.read(queued),
    settle: async (settled, now) => table.settle(settled, now),
    triedSince: async (time) => table.triedSince(time),
    owned: async () => table.owned(worker),
    giveBackStrays: async (strays) => table.giveBackStrays(worker, strays),
    ...change,
  };
  const queue = new OrderedQueue({ records, mayClaim: () => true });
  const claim = async (countMax = 10, now = START) => queue.claim([{ subscriptionSid: "WS1", countMax }], now);
  return { table, worker, queue, claim };
}

const nameOf = ({ event }: ClaimedDelivery) => `${event.resourceSid}.${event.sequence}`;

function settledOf({ sid, event }: ClaimedDelivery, status: DeliveryStatus, at: Date): SettledDelivery {
  const { resourceSid, sequence } = event;
  const attempts = [{ at, url: "", status: 500, failure: null, ms: 1, answer: null }];
  const nextAttemptOn = status === "Pending" ? later(3_600_000) : null;
  const rest = { entry: 1, subscriptionSid: "WS1", resourceSid, sequence, payloadShape: null };
  return { sid, ...rest, status, nextAttemptOn, attempts };
}

test("of each resource one is handed out, and the next when that one is settled", async () => {
  const { queue, claim, table, worker } = setUp(["OM1", "OM1", "OM2", "OM1"]);
  const first = await claim();
  expect(first.claimed.map(nameOf)).toEqual(["OM1.1", "OM2.1"]);
  expect(first).toMatchObject({ left: [], blocked: ["WS1"] });
  expect(table.owned(worker)).toHaveLength(4);
  expect(await queue.settle([settledOf(first.claimed[1] as ClaimedDelivery, "Delivered", START)], START)).toEqual([]);
  expect(await queue.settle([settledOf(first.claimed[0] as ClaimedDelivery, "Failed", START)], START)).toEqual(["WS1"]);
  for (const sequence of [2, 3]) {
    const { claimed, blocked } = await claim();
    expect([claimed.map(nameOf), blocked]).toEqual([[`OM1.${sequence}`], sequence < 3 ? ["WS1"] : []]);
    await queue.settle([settledOf(claimed[0] as ClaimedDelivery, "Delivered", START)], START);
  }
});

test("those that waited count against the limit of the endpoint", async () => {
  const { queue, claim } = setUp(["OM1", "OM1", "OM2", "OM3"]);
  const { claimed, left } = await claim(2);
  expect([claimed.map(nameOf), left]).toEqual([["OM1.1"], ["WS1"]]);
  await queue.settle([settledOf(claimed[0] as ClaimedDelivery, "Delivered", START)], START);
  const next = await claim(1);
  expect([next.claimed.map(nameOf), next.left]).toEqual([["OM1.2"], ["WS1"]]);
  expect((await claim(2)).claimed.map(nameOf)).toEqual(["OM2.1", "OM3.1"]);
});

test("no more of those that waited are handed out than the limit says, and then none are claimed", async () => {
  const limits: (readonly EndpointLimit[])[] = [];
  const { queue, claim, table, worker } = setUp(["OM1", "OM2", "OM1", "OM2"], {
    async claim(endpoints) {
      limits.push(endpoints);
      return table.claim(worker, endpoints, START);
    },
  });
  const { claimed } = await claim();
  await queue.settle(
    claimed.map((delivery) => settledOf(delivery, "Delivered", START)),
    START,
  );
  for (const name of ["OM1.2", "OM2.2"]) expect((await claim(1)).claimed.map(nameOf)).toEqual([name]);
  expect(limits).toEqual([[{ subscriptionSid: "WS1", countMax: 10 }], [], []]);
});

test("an endpoint in which a thousand wait is claimed from when some of them have gone", async () => {
  const { queue, claim, table, worker } = setUp(Array.from({ length: 1_100 }, () => "OM1"));
  const { claimed } = await claim(1_000);
  expect(claimed).toHaveLength(1);
  expect((await claim(1)).left).toEqual(["WS1"]);
  expect(table.owned(worker)).toHaveLength(1_001);
  expect(await claim(1)).toEqual({ claimed: [], left: [], blocked: ["WS1"] });
  await queue.settle([settledOf(claimed[0] as ClaimedDelivery, "Delivered", START)], START);
  expect((await claim(2)).claimed.map(nameOf)).toEqual(["OM1.2"]);
  await claim(1);
  expect(table.owned(worker)).toHaveLength(1_001);
});

test("when twenty thousand wait, only endpoints in which none waits are claimed from", async () => {
  const sids = Array.from({ length: 22 }, (_, at) => `WS${at}`);
  const { queue, table, worker } = setUp(
    Array.from({ length: 1_001 }, () => "OM1"),
    {},
    sids,
  );
  const claim = (subscriptionSid: string, countMax: number) => queue.claim([{ subscriptionSid, countMax }], START);
  for (const sid of sids.slice(0, 19)) await claim(sid, 1_001);
  await claim("WS19", 1_000);
  await claim("WS20", 1);
  const owned = () => table.owned(worker).length;
  const before = owned();
  await claim("WS20", 1);
  expect(owned()).toBe(before + 1);
  expect(await claim("WS20", 1)).toEqual({ claimed: [], left: [], blocked: ["WS20"] });
  expect(await claim("WS19", 1)).toEqual({ claimed: [], left: [], blocked: ["WS19"] });
  expect((await claim("WS21", 1)).claimed).toHaveLength(1);
  expect(owned()).toBe(before + 2);
});

test("after a failure the next waits for a minute from the first attempt, and is due then without being stored", async () => {
  const { queue, claim } = setUp(["OM1", "OM1"]);
  const { claimed } = await claim();
  await queue.settle([settledOf(claimed[0] as ClaimedDelivery, "Pending", START)], later(15_000));
  const [before, after] = [later(ORDER_WAIT_MS - 1), later(ORDER_WAIT_MS)];
  expect((await queue.dueEndpoints(before)).sids).toEqual([]);
  expect((await queue.dueEndpoints(after)).sids).toEqual(["WS1"]);
  expect((await claim(10, before)).claimed).toEqual([]);
  expect((await claim(10, after)).claimed.map(nameOf)).toEqual(["OM1.2"]);
});

test("a delivery that a claim under way lets wait is not taken for one that nobody holds", async () => {
  let answer = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  let claims = 0;
  const { queue, claim, table, worker } = setUp(["OM1", "OM1"], {
    async claim(limits) {
      const taken = table.claim(worker, limits, START);
      if (++claims === 2) await answered;
      return taken;
    },
  });
  const { claimed } = await claim(1);
  const underWay = claim(1);
  const kind = {
    ...{ name: "deliveries", owned: () => queue.owned(), claimsAnswered: () => underWay },
    isHeld: (sid: string) => sid === claimed[0]?.sid || queue.isWaiting(sid),
    giveBackStrays: queue.giveBackStrays.bind(queue),
  };
  const givenBack = giveBackStrays(kind, silent);
  answer();
  expect(await givenBack).toBe(0);
  expect(table.owned(worker)).toHaveLength(2);
});

test("what was claimed without an answer is given back before anything else is claimed", async () => {
  let isLost = true;
  let awaited = 0;
  const { claim, table, worker } = setUp(["OM1", "OM1", "OM2"], {
    claimsEnded: async () => void awaited++,
    async claim(limits) {
      const taken = table.claim(worker, limits, START);
      if (isLost) throw new Unavailable("the answer was lost");
      return taken;
    },
  });
  await expect(claim(1)).rejects.toThrow("the answer was lost");
  isLost = false;
  expect(awaited).toBe(0);
  expect((await claim()).claimed.map(nameOf)).toEqual(["OM1.1", "OM2.1"]);
  expect(awaited).toBe(1);
});

test("the next event waits for one whose outcome may not be recorded, until it is tried again", async () => {
  let tries = 0;
  const { queue, claim } = setUp(["OM1", "OM1"], {
    async settle() {
      tries++;
      throw new Unavailable("the answer was lost");
    },
  });
  const { claimed } = await claim();
  const settled = [settledOf(claimed[0] as ClaimedDelivery, "Delivered", START)];
  await expect(queue.settle(settled, START)).rejects.toThrow("the answer was lost");
  expect(tries).toBe(1);
  expect((await claim(10, later(ORDER_WAIT_MS - 1))).claimed).toEqual([]);
  await queue.giveBackStrays((await queue.owned()).filter(({ id }) => !queue.isWaiting(id)));
  expect((await claim(10, later(ORDER_WAIT_MS - 1))).claimed.map(nameOf)).toEqual(["OM1.1"]);
});

test("a statement that was certainly not carried out is repeated, five times in all", async () => {
  let tries = 0;
  const { queue, claim } = setUp(["OM1"], {
    async settle() {
      if (++tries < 10) throw new Unavailable("refused", { isUndone: true });
    },
  });
  const { claimed } = await claim();
  await expect(queue.settle([settledOf(claimed[0] as ClaimedDelivery, "Delivered", START)], START)).rejects.toThrow();
  expect(tries).toBe(5);
});

test("a worker that gets the slot learns what was tried in the last minute, and one that loses it forgets", async () => {
  const { queue, claim, table, worker } = setUp(["OM1", "OM1"]);
  const { claimed } = await claim(1);
  await queue.settle([settledOf(claimed[0] as ClaimedDelivery, "Pending", START)], START);
  expect((await claim()).blocked).toEqual(["WS1"]);
  queue.forget((sid) => sid === "WS1");
  expect((await claim()).blocked).toEqual([]);
  for (const { id, version } of table.owned(worker)) table.giveBackStrays(worker, [{ id, version }]);
  await queue.learn(() => true, later(1_000));
  expect((await claim(10, later(1_000))).blocked).toEqual(["WS1"]);
});

test("what waits in a slot that changes hands is given back, and where nothing waits nothing is read", async () => {
  let reads = 0;
  const { queue, claim, table, worker } = setUp(["OM1", "OM1"], {
    async owned() {
      reads++;
      return table.owned(worker);
    },
  });
  const { claimed } = await claim();
  await queue.release((sid) => sid !== "WS1");
  expect(reads).toBe(0);
  await queue.release((sid) => sid === "WS1");
  expect(table.owned(worker).map(({ id }) => id)).toEqual(claimed.map(({ sid }) => sid));
  expect(queue.isWaiting("WH00002")).toBe(false);
});
