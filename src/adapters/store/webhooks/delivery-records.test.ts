import { afterAll, beforeAll, expect, test } from "vitest";
import { secretBox } from "../../../../test/fakes/secret-box.ts";
import { silent } from "../../../../test/fakes/silent-log.ts";
import { storedQueue, useWebhookStore } from "../../../../test/fakes/webhook-store.ts";
import { Unavailable } from "../../../base/unavailable.ts";
import type { NewEvent } from "../../../domain/events.ts";
import {
  type ClaimedDelivery,
  type DeliveryQueue,
  rotateSecret,
  type SettledDelivery,
} from "../../../domain/webhooks/index.ts";
import { Database } from "../engine/database.ts";
import type { NamedStatement } from "../engine/named-statements.ts";
import { DISPATCH_PARAMETERS } from "./delivery-records.ts";
import { emitEvents } from "./outbox.ts";
import { subscriptionStore } from "./subscriptions.ts";

const store = useWebhookStore();
const isNamed = (statement: string | NamedStatement, name: string) =>
  typeof statement !== "string" && statement.name === name;
let db: Database;

beforeAll(async () => {
  // One session, so that the statements that a queue has prepared can be explained in it.
  db = new Database(store.connection, silent, { connectionsMax: 1, parameters: DISPATCH_PARAMETERS });
});
afterAll(() => db?.close());

interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Index Cond"?: string;
  readonly "TID Cond"?: string;
  readonly "Recheck Cond"?: string;
  readonly Plans?: readonly PlanNode[];
}

function nodesOf(node: PlanNode): readonly PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

/** Every statement that was prepared in the session, with its plan. */
async function plans(): Promise<ReadonlyMap<string, readonly PlanNode[]>> {
  const rows = await db.query<{ name: string; types: string[] }>(
    "select name, parameter_types::text[] as types from pg_prepared_statements where name <> ''",
  );
  const found = new Map<string, readonly PlanNode[]>();
  for (const { name, types } of rows) {
    const values = types.map((type) => `null::${type}`).join(", ");
    const [row] = await db.query<{ "QUERY PLAN": [{ Plan: PlanNode }] }>(
      `explain (format json) execute "${name}"(${values})`,
    );
    found.set(name, nodesOf((row as { "QUERY PLAN": [{ Plan: PlanNode }] })["QUERY PLAN"][0].Plan));
  }
  return found;
}

function settledOf(
  { sid, entry, subscription, event, payloadShape }: ClaimedDelivery,
  status: SettledDelivery["status"],
  more: Partial<SettledDelivery> = {},
): SettledDelivery {
  const { resourceSid, sequence } = event;
  const rest = { subscriptionSid: subscription.sid, resourceSid, sequence, payloadShape };
  return { sid, entry, ...rest, status, nextAttemptOn: null, attempts: [], ...more };
}

/** Stores the events of these resources together. */
async function emitTogether(phone: string, names: readonly string[]): Promise<void> {
  const event = { accountSid: store.accountSid, type: "OptOutChanged", phone, fields: {} };
  const events = names.map((resourceSid) => ({ ...event, resourceSid }));
  await emitEvents(db, events as unknown as readonly NewEvent[], store.clock.now());
}

/** As after the end of the worker. */
const unclaim = () => db.query("update delivery_queue set claimed_by = null");

const attemptAt = (at: Date, status: number) => ({ at, url: "", status, failure: null, ms: 1, answer: null });

async function deliverOnce(resourceSid: string): Promise<void> {
  const queue = storedQueue(db, store.box);
  const { sid } = await store.subscribe();
  await store.emit(resourceSid);
  await store.emit(resourceSid);
  const now = store.clock.now();
  expect((await queue.dueEndpoints(now)).sids).toContain(sid);
  const { claimed, ...left } = await queue.claim([{ subscriptionSid: sid, countMax: 10 }], now);
  expect(claimed).toHaveLength(1);
  expect(left).toEqual({ left: [], blocked: [sid] });
  const released = await queue.settle(
    claimed.map((delivery) => settledOf(delivery, "Delivered")),
    now,
  );
  expect(released).toEqual([sid]);
}

test.each([
  ["has few rows", "vacuum analyze delivery_queue"],
  ["is empty", "truncate delivery_queue"],
])(
  "no statement reads a table but by keys, and a claim no more than it takes, though planned when the queue %s",
  async (_when, change) => {
    await deliverOnce(`OM ${change}`);
    await db.query(change);
    const found = await plans();
    expect([...found.keys()].sort()).toEqual([
      "claim-deliveries",
      "make-deliveries-ready",
      "read-endpoints",
      "ready-endpoints",
      "settle-deliveries",
    ]);
    for (const [name, nodes] of found) {
      const scans = nodes.filter((node) => node["Relation Name"] !== undefined && node["Node Type"].endsWith("Scan"));
      expect(scans.length, name).toBeGreaterThan(0);
      const withoutKey = scans.filter((node) => !(node["Index Cond"] ?? node["TID Cond"] ?? node["Recheck Cond"]));
      expect(withoutKey, name).toEqual([]);
    }
    const ofClaim = found.get("claim-deliveries")?.map((node) => node["Node Type"]);
    expect(ofClaim?.filter((type) => /Sort|Bitmap/.test(type))).toEqual([]);
    const indexesOf = (name: string) =>
      found.get(name)?.flatMap((node) => (node["Relation Name"] === "delivery_queue" && node["Index Name"]) || []);
    expect(indexesOf("claim-deliveries")?.[0]).toBe("delivery_queue_ready");
    expect(indexesOf("make-deliveries-ready")).toContain("delivery_queue_due");
  },
);

test("a delivery goes out when the one before it is done, and no sooner, also from another row", async () => {
  const phone = "+14155550195";
  const { sid } = await store.subscribe({ phone });
  for (const _ of ["first", "second", "third"]) await store.emit("OMordered", { phone });
  const queue = storedQueue(db, store.box);
  const endpoints = [{ subscriptionSid: sid, countMax: 10 }];
  for (const sequence of [1, 2, 3]) {
    const { claimed, blocked } = await queue.claim(endpoints, store.clock.now());
    expect(claimed).toMatchObject([{ event: { sequence } }]);
    expect(blocked).toEqual(sequence < 3 ? [sid] : []);
    expect((await queue.claim(endpoints, store.clock.now())).claimed).toEqual([]);
    const released = await queue.settle(
      claimed.map((delivery) => settledOf(delivery, "Delivered")),
      store.clock.now(),
    );
    expect(released).toEqual(sequence < 3 ? [sid] : []);
  }
  expect(await db.query("select from delivery_queue where subscription_sid = $1", [sid])).toEqual([]);
});

test("a delivery waits a minute for one that failed, in this process and in the next that has its slot", async () => {
  const phone = "+14155550192";
  const { sid } = await store.subscribe({ phone });
  for (const _ of ["first", "second"]) await store.emit("OMfailed", { phone });
  const queue = storedQueue(db, store.box);
  const endpoints = [{ subscriptionSid: sid, countMax: 10 }];
  const at = store.clock.now();
  const again = new Date(at.getTime() + 3_600_000);
  const { claimed } = await queue.claim(endpoints, at);
  const failed = { attempts: [attemptAt(at, 500)], nextAttemptOn: again };
  const settled = claimed.map((delivery) => settledOf(delivery, "Pending", failed));
  expect(await queue.settle(settled, at)).toEqual([]);
  store.advance(59_999);
  expect((await queue.dueEndpoints(store.clock.now())).sids).not.toContain(sid);
  expect((await queue.claim(endpoints, store.clock.now())).claimed).toEqual([]);
  await db.query("update delivery_queue set claimed_by = null where subscription_sid = $1", [sid]);
  const next = storedQueue(db, store.box);
  await next.learn(() => true, store.clock.now());
  expect(await next.claim(endpoints, store.clock.now())).toMatchObject({ claimed: [], blocked: [sid] });
  store.advance(1);
  for (const other of [queue, next]) {
    expect((await other.dueEndpoints(store.clock.now())).sids).toContain(sid);
    expect((await other.claim(endpoints, store.clock.now())).claimed).toMatchObject([{ event: { sequence: 2 } }]);
  }
});

test("a claim takes no more than its limit of a batch, and what it leaves stays before later batches", async () => {
  const phone = "+14155550191";
  const { sid } = await store.subscribe({ type: "OptOutChanged", phone });
  const names = Array.from({ length: 300 }, (_, at) => `OMbatch${at}`);
  await emitTogether(phone, names);
  await emitTogether(phone, ["OMlater"]);
  expect(await db.query("select from delivery_queue where subscription_sid = $1", [sid])).toHaveLength(3);
  const queue = storedQueue(db, store.box);
  const seen: ClaimedDelivery[] = [];
  for (const countMax of [1, 2, 100, 60, 200]) {
    const { claimed, left } = await queue.claim([{ subscriptionSid: sid, countMax }], store.clock.now());
    expect([claimed.length, left]).toEqual(countMax === 200 ? [138, []] : [countMax, [sid]]);
    seen.push(...claimed);
  }
  expect(seen.map(({ event: { resourceSid } }) => resourceSid)).toEqual([...names, "OMlater"]);
  expect(new Set(seen.map((delivery) => delivery.sid)).size).toBe(301);
  const now = store.clock.now();
  const outcomes = ["Delivered", "Failed", "Canceled", "Pending"] as const;
  const settled = seen.map((delivery, at) => {
    const status = outcomes[at % 4] as SettledDelivery["status"];
    const attempts = status === "Canceled" ? [] : [attemptAt(now, 200 + at)];
    return settledOf(delivery, status, { attempts, nextAttemptOn: status === "Pending" ? now : null });
  });
  await queue.settle(settled.slice(0, 100), now);
  await queue.settle(settled.slice(100), now);
  for (const at of [0, 1, 2, 3, 99, 100, 299, 300]) {
    const { sid: deliverySid, status } = settled[at] as SettledDelivery;
    const { resourceSid } = (seen[at] as ClaimedDelivery).event;
    const found = await store.deliveries.find(store.accountSid, deliverySid);
    expect(found).toMatchObject({ sid: deliverySid, status, resourceSid, subscriptionSid: sid });
    expect(found?.attempts.map((attempt) => attempt.status)).toEqual(status === "Canceled" ? [] : [200 + at]);
    expect(found?.nextAttemptOn).toEqual(status === "Pending" ? now : null);
    expect(found?.finishedOn === null).toBe(status === "Pending");
  }
});

test("what was claimed without an answer is given back, and comes before what was stored after it", async () => {
  const phone = "+14155550190";
  const { sid } = await store.subscribe({ phone });
  for (const _ of ["first", "second"]) await store.emit("OMunsure", { phone });
  let isLost = true;
  const losing = {
    async query(statement: string | NamedStatement, values?: readonly unknown[]) {
      const rows = await db.query(statement, values);
      if (isLost && isNamed(statement, "claim-deliveries")) throw new Error("connection lost");
      return rows;
    },
  } as Database;
  const queue = storedQueue(losing, store.box);
  const claim = () => queue.claim([{ subscriptionSid: sid, countMax: 1 }], store.clock.now());
  await expect(claim()).rejects.toThrow("connection lost");
  isLost = false;
  expect((await claim()).claimed).toMatchObject([{ event: { sequence: 1 } }]);
});

test("of a batch the deliveries that no one holds are given back, and the others stay claimed", async () => {
  const phone = "+14155550189";
  const { sid } = await store.subscribe({ type: "OptOutChanged", phone });
  await emitTogether(phone, ["OMa", "OMb", "OMc"]);
  const queue = storedQueue(db, store.box);
  const claim = async () => (await queue.claim([{ subscriptionSid: sid, countMax: 10 }], store.clock.now())).claimed;
  const [first, second, third] = await claim();
  const owned = async () => (await queue.owned()).filter(({ id }) => id.startsWith(String(first?.sid.slice(0, -2))));
  expect((await owned()).map(({ id }) => id)).toEqual([first?.sid, second?.sid, third?.sid]);
  await queue.giveBackStrays((await owned()).filter(({ id }) => id === second?.sid));
  expect((await owned()).map(({ id }) => id)).toEqual([first?.sid, third?.sid]);
  expect(await claim()).toMatchObject([{ sid: second?.sid, attempt: 1 }]);
  await queue.giveBackStrays((await owned()).filter(({ id }) => id === second?.sid));
  expect(await claim(), "was not tried meanwhile").toMatchObject([{ sid: second?.sid, attempt: 1 }]);
});

test("what is given back of a batch one after the other stays in order", async () => {
  const phone = "+14155550186";
  const { sid } = await store.subscribe({ type: "OptOutChanged", phone });
  await emitTogether(phone, ["OMtwice", "OMonce", "OMtwice", "OMrest"]);
  const queue = storedQueue(db, store.box);
  const { claimed } = await queue.claim([{ subscriptionSid: sid, countMax: 3 }], store.clock.now());
  const batch = String(claimed[0]?.sid.slice(0, -2));
  for (const places of [["00"], ["01", "02"]]) {
    const owned = await queue.owned();
    await queue.giveBackStrays(owned.filter(({ id }) => places.some((place) => id === batch + place)));
  }
  const next = storedQueue(db, store.box);
  const claim = async () => (await next.claim([{ subscriptionSid: sid, countMax: 2 }], store.clock.now())).claimed;
  expect((await claim()).map(({ event }) => `${event.resourceSid}.${event.sequence}`)).toEqual([
    "OMtwice.1",
    "OMonce.1",
  ]);
  const rest = await db.query("select places from delivery_queue where subscription_sid = $1 and claimed_by is null", [
    sid,
  ]);
  expect(rest).toEqual([{ places: [2, 3] }]);
  await db.query("delete from delivery_queue where subscription_sid = $1", [sid]);
});

test("of a batch in several rows each delivery is given back once, and before what was stored later", async () => {
  const phone = "+14155550188";
  const { sid } = await store.subscribe({ type: "OptOutChanged", phone });
  const claim = async (queue: DeliveryQueue, countMax: number) => {
    const { claimed } = await queue.claim([{ subscriptionSid: sid, countMax }], store.clock.now());
    return claimed.map(({ event: { resourceSid, sequence } }) => `${resourceSid}.${sequence}`);
  };
  await emitTogether(phone, ["OMrow1", "OMrow2", "OMrow3", "OMrow4"]);
  await claim(storedQueue(db, store.box), 2);
  await unclaim();
  await emitTogether(phone, ["OMrow5"]);
  const queue = storedQueue(db, store.box);
  expect(await claim(queue, 4)).toHaveLength(4);
  const owned = (await queue.owned()).filter(({ id }) => !id.endsWith("00"));
  await queue.giveBackStrays(owned);
  expect(await claim(queue, 10)).toEqual(["OMrow2.1", "OMrow3.1", "OMrow4.1", "OMrow5.1"]);
  await db.query("delete from delivery_queue where subscription_sid = $1", [sid]);
});

test("what waited in a row of others is given back with its slot, and stays before later events", async () => {
  const phone = "+14155550187";
  const { sid } = await store.subscribe({ type: "OptOutChanged", phone });
  const endpoints = [{ subscriptionSid: sid, countMax: 10 }];
  const queue = storedQueue(db, store.box);
  await emitTogether(phone, ["OMwait"]);
  const { claimed } = await queue.claim(endpoints, store.clock.now());
  await emitTogether(phone, ["OMother", "OMwait"]);
  expect((await queue.claim(endpoints, store.clock.now())).claimed).toMatchObject([
    { event: { resourceSid: "OMother" } },
  ]);
  await emitTogether(phone, ["OMwait"]);
  await queue.settle(
    claimed.map((delivery) => settledOf(delivery, "Delivered")),
    store.clock.now(),
  );
  await queue.release((endpoint) => endpoint !== sid);
  expect(queue.isWaiting((await queue.owned()).at(-1)?.id ?? "")).toBe(true);
  await queue.release((endpoint) => endpoint === sid);
  const next = await storedQueue(db, store.box).claim(endpoints, store.clock.now());
  expect(next.claimed).toMatchObject([{ event: { resourceSid: "OMwait", sequence: 2 } }]);
  expect(next.blocked).toEqual([sid]);
  await db.query("delete from delivery_queue where subscription_sid = $1", [sid]);
});

test("the first attempt that is recorded is the first, whatever is tried after it, until a replay", async () => {
  const phone = "+14155550193";
  const resourceSid = "OMtried";
  const { sid } = await store.subscribe({ phone });
  await store.emit(resourceSid, { phone });
  const queue = storedQueue(db, store.box);
  const claim = async () => {
    store.advance(60_000);
    await queue.dueEndpoints(store.clock.now());
    const { claimed } = await queue.claim([{ subscriptionSid: sid, countMax: 10 }], store.clock.now());
    return claimed[0] as ClaimedDelivery;
  };
  const fail = async (delivery: ClaimedDelivery) => {
    const at = store.clock.now();
    await queue.settle([settledOf(delivery, "Pending", { attempts: [attemptAt(at, 500)], nextAttemptOn: at })], at);
    return at;
  };
  const firstTried = async () => {
    const sql = "select first_tried_at as at from delivery_queue where subscription_sid = $1";
    const [row] = await db.query<{ at: Date | null }>(sql, [sid]);
    return row?.at;
  };
  const claimed = await claim();
  expect(await firstTried()).toBeNull();
  const at = await fail(claimed);
  expect(await firstTried()).toEqual(at);
  await fail(await claim());
  expect(await firstTried()).toEqual(at);
  const replay = { filters: { resourceSid }, url: null, now: store.clock.now(), limit: 1 };
  expect(await store.deliveries.replay(store.accountSid, replay)).toBe(1);
  expect(await firstTried()).toBeNull();
  expect(await fail(await claim())).toEqual(await firstTried());
});

test("a secret that cannot be decrypted stops its own subscription and no other, until it is rotated", async () => {
  const other = secretBox(new Uint8Array(32).fill(8));
  const [good, bad] = [await store.subscribe(), await store.subscribe({ phone: "+14155550199" })];
  await store.db.query("update webhook_subscriptions set secret = $2 where sid = $1", [bad.sid, other.seal("whsec_A")]);
  await store.emit("OMbad", { phone: "+14155550199" });
  await store.emit("OMgood");
  const queue = storedQueue(db, store.box);
  const claim = async () => {
    const limits = [good, bad].map(({ sid }) => ({ subscriptionSid: sid, countMax: 10 }));
    const { claimed } = await queue.claim(limits, store.clock.now());
    await unclaim();
    return new Map(claimed.map(({ subscription }) => [subscription.sid, subscription]));
  };
  const first = await claim();
  expect(first.get(good.sid)?.secrets).toHaveLength(1);
  expect(first.get(good.sid)?.fault).toBeUndefined();
  expect(first.get(bad.sid)).toMatchObject({ secrets: [], fault: expect.stringContaining("cannot be decrypted") });
  const now = store.clock.now();
  const previousUntil = new Date(now.getTime() + 86_400_000);
  await subscriptionStore(store.db, store.box).rotateSecret(bad.accountSid, bad.sid, {
    secret: "whsec_B",
    previousUntil,
    now,
  });
  const second = await claim();
  expect(second.get(bad.sid)?.secrets).toEqual(["whsec_B"]);
  expect(second.get(bad.sid)?.fault).toBeUndefined();
});

test("a secret that was replaced signs for 24 hours and no longer, whatever was replaced since", async () => {
  const HOUR_MS = 3_600_000;
  const { accountSid, sid } = await store.subscribe({ phone: "+14155550198" });
  await store.emit("OMrotated", { phone: "+14155550198" });
  const queue = storedQueue(db, store.box);
  const rotate = (secret: string) => rotateSecret(store.subscriptions, accountSid, sid, secret, store.clock.now());
  const signing = async () => {
    const { claimed } = await queue.claim([{ subscriptionSid: sid, countMax: 10 }], store.clock.now());
    await unclaim();
    return claimed[0]?.subscription.secrets;
  };
  const [first] = (await signing()) ?? [];
  await rotate("whsec_second");
  store.advance(12 * HOUR_MS);
  await rotate("whsec_third");
  store.advance(12 * HOUR_MS - 1000);
  expect(await signing()).toEqual(["whsec_third", "whsec_second", first]);
  store.advance(2000);
  expect(await signing()).toEqual(["whsec_third", "whsec_second"]);
  store.advance(12 * HOUR_MS - 2000);
  expect(await signing()).toEqual(["whsec_third", "whsec_second"]);
  store.advance(2000);
  expect(await signing()).toEqual(["whsec_third"]);
});

test.each([
  ["was certainly not carried out", true, 0],
  ["may have been carried out", false, 1],
])("an attempt whose recording %s is tried again only where that records it once", async (_what, isUndone, queued) => {
  const phone = isUndone ? "+14155550196" : "+14155550197";
  const { sid } = await store.subscribe({ phone });
  await store.emit(`OMslow${isUndone}`, { phone });
  let slowTimes = isUndone ? 4 : 1;
  const slow = {
    query: async (statement: string | NamedStatement, values?: readonly unknown[]) => {
      if (!isNamed(statement, "settle-deliveries") || slowTimes-- <= 0) return db.query(statement, values);
      throw new Unavailable("too slow", { isUndone });
    },
  } as Database;
  const queue = storedQueue(slow, store.box);
  const { claimed } = await queue.claim([{ subscriptionSid: sid, countMax: 10 }], store.clock.now());
  const settled = claimed.map((delivery) => settledOf(delivery, "Delivered"));
  expect(settled).toHaveLength(1);
  await queue.settle(settled, store.clock.now()).catch((fault) => expect(fault).toBeInstanceOf(Unavailable));
  const rows = await db.query("select from delivery_queue where subscription_sid = $1", [sid]);
  expect(rows).toHaveLength(queued);
});

test("a claim answers what was stored, whatever its texts hold, and tells an event that is gone", async () => {
  const { sid } = await store.subscribe({ type: "OptOutChanged" });
  const resourceSid = 'a,"b"\\{é}\n\t😀';
  const fields = { Sid: resourceSid, Note: ',t,f,"', Empty: null };
  const event = { accountSid: store.accountSid, type: "OptOutChanged" as const, resourceSid, fields };
  store.advance(7);
  const createdOn = store.clock.now();
  await emitEvents(db, [event] as unknown as readonly NewEvent[], createdOn);
  await emitEvents(db, [{ ...event, resourceSid: "other" }] as unknown as readonly NewEvent[], createdOn);
  await emitEvents(db, [{ ...event, resourceSid: "gone" }] as unknown as readonly NewEvent[], createdOn);
  const queue = storedQueue(db, store.box);
  const url = "https://other.example/a,b?c=%22";
  const ofEvent = "subscription_sid = $1 and event_id + places[1] = (select id from events where resource_sid = $2)";
  await db.query(`update delivery_queue set urls = array[$3], forced = true where ${ofEvent}`, [sid, "other", url]);
  await db.query(`update delivery_queue set event_id = 0 where ${ofEvent}`, [sid, "gone"]);
  const { claimed } = await queue.claim([{ subscriptionSid: sid, countMax: 10 }], store.clock.now());
  const [first, other, gone] = claimed;
  expect(first).toMatchObject({ createdOn, attempt: 1, url: null, isWanted: true });
  expect(first?.event).toMatchObject({ type: "OptOutChanged", resourceSid, sequence: 1, createdOn, fields });
  expect(other).toMatchObject({ createdOn, url, isWanted: true });
  expect(gone).toMatchObject({ createdOn, isWanted: false });
});

test("only what its owner asked for is wanted of a subscription that is switched off", async () => {
  const { sid } = await store.subscribe({ type: "OptOutChanged", phone: "+14155550198" });
  const event = { accountSid: store.accountSid, type: "OptOutChanged", phone: "+14155550198", fields: {} };
  const emitted = ["OMasked", "OMnotAsked"].map((resourceSid) => ({ ...event, resourceSid }));
  for (const one of emitted) await emitEvents(db, [one] as unknown as readonly NewEvent[], store.clock.now());
  await db.query(
    "update delivery_queue set forced = true where event_id = (select id from events where resource_sid = 'OMasked')",
  );
  await db.query("update webhook_subscriptions set enabled = false where sid = $1", [sid]);
  const queue = storedQueue(db, store.box);
  const { claimed } = await queue.claim([{ subscriptionSid: sid, countMax: 10 }], store.clock.now());
  const wanted = claimed.filter(({ isWanted }) => isWanted).map(({ event: { resourceSid } }) => resourceSid);
  expect([claimed.length, wanted]).toEqual([2, ["OMasked"]]);
});
