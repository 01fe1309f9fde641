import { afterAll, beforeAll, expect, test } from "vitest";
import { secretBox } from "../../../../test/fakes/secret-box.ts";
import { silent } from "../../../../test/fakes/silent-log.ts";
import { useWebhookStore } from "../../../../test/fakes/webhook-store.ts";
import { Unavailable } from "../../../base/unavailable.ts";
import type { NewEvent } from "../../../domain/events.ts";
import { type ClaimedDelivery, rotateSecret } from "../../../domain/webhooks/index.ts";
import { Database } from "../engine/database.ts";
import type { NamedStatement } from "../engine/named-statements.ts";
import { DISPATCH_OPTIONS, StoredQueue } from "./delivery-queue.ts";
import { emitEvents } from "./outbox.ts";
import { releaseBlocked } from "./settle-deliveries.ts";
import { subscriptionStore } from "./subscriptions.ts";

const store = useWebhookStore();
const isNamed = (statement: string | NamedStatement, name: string) =>
  typeof statement !== "string" && statement.name === name;
let db: Database;

beforeAll(async () => {
  // One session, so that the statements that a queue has prepared can be explained in it.
  db = new Database(store.connection, silent, { connectionsMax: 1, options: DISPATCH_OPTIONS });
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

async function deliverOnce(resourceSid: string): Promise<void> {
  const queue = new StoredQueue(db, store.box, { id: 1 });
  const { sid } = await store.subscribe();
  await store.emit(resourceSid);
  await store.emit(resourceSid);
  const now = store.clock.now();
  expect(await queue.dueEndpoints(now)).toContain(sid);
  const { claimed, ...left } = await queue.claim([{ subscriptionSid: sid, countMax: 10 }], now, 1000);
  expect(claimed).toHaveLength(1);
  expect(left).toEqual({ left: [], blocked: [sid] });
  const released = await queue.settle(
    claimed.map((delivery) => ({
      sid: delivery.sid,
      createdOn: delivery.createdOn,
      queuedOn: delivery.queuedOn,
      subscriptionSid: sid,
      resourceSid,
      status: "Delivered" as const,
      nextAttemptOn: null,
      attempts: [],
    })),
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
      "due-endpoints",
      "read-endpoints",
      "release-deliveries",
      "settle-deliveries",
      "waiting-endpoints",
    ]);
    for (const [name, nodes] of found) {
      const scans = nodes.filter((node) => node["Relation Name"] !== undefined && node["Node Type"].endsWith("Scan"));
      expect(scans.length, name).toBeGreaterThan(0);
      // Iterating over the endpoints starts at the first one, without a key.
      const withoutKey = scans.filter((node) => !(node["Index Cond"] ?? node["TID Cond"] ?? node["Recheck Cond"]));
      expect(
        withoutKey.map((node) => node["Relation Name"]),
        name,
      ).toEqual(name === "due-endpoints" ? ["delivery_queue"] : []);
    }
    const ofClaim = found.get("claim-deliveries")?.map((node) => node["Node Type"]);
    expect(ofClaim?.filter((type) => /Sort|Bitmap/.test(type))).toEqual([]);
    const indexesOf = (name: string) =>
      found.get(name)?.flatMap((node) => (node["Relation Name"] === "delivery_queue" && node["Index Name"]) || []);
    expect(indexesOf("claim-deliveries")).toEqual(["delivery_queue_due_order", "delivery_queue_order"]);
    expect(indexesOf("waiting-endpoints")).toEqual(["delivery_queue_blocked"]);
    expect(indexesOf("release-deliveries")).toEqual(["delivery_queue_order", "delivery_queue_order"]);
  },
);

test("a delivery is due at once when the one before it is settled while a claim still sees it queued", async () => {
  const phone = "+14155550195";
  const { sid } = await store.subscribe({ phone });
  for (const _ of ["first", "second"]) await store.emit("OMraced", { phone });
  const now = store.clock.now();
  const endpoints = [{ subscriptionSid: sid, countMax: 10 }];
  const raced = {
    async query(statement: string | NamedStatement, values?: readonly unknown[]) {
      const rows = await db.query(statement, values);
      if (isNamed(statement, "claim-deliveries"))
        await db.query("delete from delivery_queue where sequence = 1 and subscription_sid = $1", [sid]);
      return rows;
    },
  } as Database;
  const first = await new StoredQueue(raced, store.box, { id: 1 }).claim(endpoints, now, 1000);
  expect(first).toMatchObject({ claimed: [{ event: { sequence: 1 } }], left: [sid], blocked: [sid] });
  const second = await new StoredQueue(db, store.box, { id: 1 }).claim(endpoints, now, 1000);
  expect(second).toMatchObject({ claimed: [{ event: { sequence: 2 } }], left: [], blocked: [] });
});

test("the first attempt that is recorded is the first, whatever is claimed before and tried after it, until a replay", async () => {
  const phone = "+14155550193";
  const resourceSid = "OMtried";
  const { sid } = await store.subscribe({ phone });
  await store.emit(resourceSid, { phone });
  const queue = new StoredQueue(db, store.box, { id: 1 });
  const claim = async () => {
    store.advance(60_000);
    const { claimed } = await queue.claim([{ subscriptionSid: sid, countMax: 10 }], store.clock.now(), 1000);
    return claimed[0] as ClaimedDelivery;
  };
  const fail = async ({ sid: deliverySid, createdOn, queuedOn }: ClaimedDelivery) => {
    const at = store.clock.now();
    const attempts = [{ at, url: "", status: 500, failure: null, ms: 1, answer: null }];
    const settled = { sid: deliverySid, createdOn, queuedOn, subscriptionSid: sid, resourceSid, attempts };
    await queue.settle([{ ...settled, status: "Pending", nextAttemptOn: at }], at);
    return at;
  };
  const firstTried = async () => {
    const sql = "select first_tried_at as at from delivery_queue where subscription_sid = $1";
    const [row] = await db.query<{ at: Date | null }>(sql, [sid]);
    return row?.at;
  };
  await claim();
  expect(await firstTried()).toBeNull();
  const at = await fail(await claim());
  expect(await firstTried()).toEqual(at);
  await claim();
  await fail(await claim());
  expect(await firstTried()).toEqual(at);
  const replay = { filters: { resourceSid }, url: null, now: store.clock.now(), limit: 1 };
  expect(await store.deliveries.replay(store.accountSid, replay)).toBe(1);
  expect(await firstTried()).toBeNull();
  expect(await fail(await claim())).toEqual(await firstTried());
});

test("what is claimed is claimed, though releasing what was blocked beside it fails", async () => {
  const phone = "+14155550194";
  const { sid } = await store.subscribe({ phone });
  for (const _ of ["first", "second"]) await store.emit("OMkept", { phone });
  const failing = {
    async query(statement: string | NamedStatement, values?: readonly unknown[]) {
      if (isNamed(statement, "release-deliveries")) throw new Error("deadlock detected");
      return db.query(statement, values);
    },
  } as Database;
  const queue = new StoredQueue(failing, store.box, { id: 1 });
  const claim = await queue.claim([{ subscriptionSid: sid, countMax: 10 }], store.clock.now(), 1000);
  expect(claim).toMatchObject({ claimed: [{ event: { sequence: 1 } }], left: [], blocked: [sid] });
});

test("two that release the same deliveries among others do so in one order", async () => {
  const given = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ subscriptionSid: `WS${at % 3}`, resourceSid: `OM${(at * 7) % 12}` }));
  const orders: string[][] = [];
  const noting = {
    async query(_text: string, [endpoints, resources]: readonly string[]) {
      const list = (text = "") => text.slice(1, -1).split(",");
      orders.push(list(endpoints).map((endpoint, at) => `${endpoint} ${list(resources)[at]}`));
      return [];
    },
  } as unknown as Database;
  await releaseBlocked(noting, given(5), store.clock.now());
  await releaseBlocked(noting, [...given(12), ...given(12)].reverse(), store.clock.now());
  const [few = [], many = []] = orders;
  expect(few).toHaveLength(5);
  expect(many).toHaveLength(12);
  expect(many.filter((entry) => few.includes(entry))).toEqual(few);
});

test("a secret that cannot be decrypted stops its own subscription and no other, until it is rotated", async () => {
  const other = secretBox(new Uint8Array(32).fill(8));
  const [good, bad] = [await store.subscribe(), await store.subscribe({ phone: "+14155550199" })];
  await store.db.query("update webhook_subscriptions set secret = $2 where sid = $1", [bad.sid, other.seal("whsec_A")]);
  await store.emit("OMbad", { phone: "+14155550199" });
  await store.emit("OMgood");
  const queue = new StoredQueue(db, store.box, { id: 1 });
  const claim = async () => {
    const limits = [good, bad].map(({ sid }) => ({ subscriptionSid: sid, countMax: 10 }));
    const { claimed } = await queue.claim(limits, store.clock.now(), 1000);
    store.advance(2000);
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
  const queue = new StoredQueue(db, store.box, { id: 1 });
  const rotate = (secret: string) => rotateSecret(store.subscriptions, accountSid, sid, secret, store.clock.now());
  const signing = async () => {
    const { claimed } = await queue.claim([{ subscriptionSid: sid, countMax: 10 }], store.clock.now(), 1000);
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
  const queue = new StoredQueue(slow, store.box, { id: 1 });
  const { claimed } = await queue.claim([{ subscriptionSid: sid, countMax: 10 }], store.clock.now(), 1000);
  const settled = claimed.map(({ sid: deliverySid, createdOn, queuedOn }) => ({
    sid: deliverySid,
    createdOn,
    queuedOn,
    subscriptionSid: sid,
    resourceSid: `OMslow${isUndone}`,
    status: "Delivered" as const,
    nextAttemptOn: null,
    attempts: [],
  }));
  expect(settled).toHaveLength(1);
  await queue.settle(settled, store.clock.now()).catch((fault) => expect(fault).toBeInstanceOf(Unavailable));
  const rows = await db.query("select from delivery_queue where subscription_sid = $1", [sid]);
  expect(rows).toHaveLength(queued);
});

test("a claim answers what was stored, whatever its texts hold, and tells a later round and an event that is gone", async () => {
  const { sid } = await store.subscribe({ type: "OptOutChanged" });
  const resourceSid = 'a,"b"\\{é}\n\t😀';
  const fields = { Sid: resourceSid, Note: ',t,f,"', Empty: null };
  const event = { accountSid: store.accountSid, type: "OptOutChanged" as const, resourceSid, fields };
  store.advance(7);
  const createdOn = store.clock.now();
  await emitEvents(db, [event, event, event] as unknown as readonly NewEvent[], createdOn);
  const queue = new StoredQueue(db, store.box, { id: 1 });
  const url = "https://other.example/a,b?c=%22";
  const changed = "update delivery_queue set resource_sid = resource_sid || sequence, queued_at = created_at";
  await db.query(`${changed} + interval '1 ms', url = $2, forced = true where subscription_sid = $1 and sequence = 2`, [
    sid,
    url,
  ]);
  await db.query(`${changed}, event_id = 0 where subscription_sid = $1 and sequence = 3`, [sid]);
  const { claimed } = await queue.claim([{ subscriptionSid: sid, countMax: 10 }], store.clock.now(), 1000);
  const [first, later, gone] = [...claimed].sort((a, b) => a.event.sequence - b.event.sequence);
  expect(first).toMatchObject({ createdOn, attempt: 1, url: null, isWanted: true });
  expect(first?.queuedOn).toBe(first?.createdOn);
  expect(first?.event).toMatchObject({ type: "OptOutChanged", resourceSid, sequence: 1, createdOn, fields });
  expect(later).toMatchObject({ createdOn, url, isWanted: true, queuedOn: new Date(createdOn.getTime() + 1) });
  expect(gone).toMatchObject({ createdOn, isWanted: false });
});

test("only what its owner asked for is wanted of a subscription that is switched off", async () => {
  const { sid } = await store.subscribe({ type: "OptOutChanged", phone: "+14155550198" });
  const event = { accountSid: store.accountSid, type: "OptOutChanged", phone: "+14155550198", fields: {} };
  const emitted = ["OMasked", "OMnotAsked"].map((resourceSid) => ({ ...event, resourceSid }));
  await emitEvents(db, emitted as unknown as readonly NewEvent[], store.clock.now());
  await db.query("update delivery_queue set forced = true where resource_sid = 'OMasked'");
  await db.query("update webhook_subscriptions set enabled = false where sid = $1", [sid]);
  const queue = new StoredQueue(db, store.box, { id: 1 });
  const { claimed } = await queue.claim([{ subscriptionSid: sid, countMax: 10 }], store.clock.now(), 1000);
  const wanted = claimed.filter(({ isWanted }) => isWanted).map(({ event: { resourceSid } }) => resourceSid);
  expect([claimed.length, wanted]).toEqual([2, ["OMasked"]]);
});
