import { describe, expect, test } from "vitest";
import { outgoing } from "../../../../test/fakes/outgoing.ts";
import { silent } from "../../../../test/fakes/silent-log.ts";
import { useWebhookStore } from "../../../../test/fakes/webhook-store.ts";
import { type CarrierReceipt, FAILURES, makePlacer, referenceOf } from "../../../domain/messaging/index.ts";
import { holding } from "../engine/conditions.ts";
import { Database } from "../engine/database.ts";
import { type NamedStatement, textOf } from "../engine/named-statements.ts";
import { EACH_EVENT } from "../webhooks/event-batches.ts";
import { hasEarlyReceipts, StoredReceipts } from "./message-receipts.ts";
import { StoredSendQueue } from "./send-queue.ts";

const WAITING = "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
const SOON = { timeout: 120_000, interval: 20 };

const store = useWebhookStore();

/** A message that the carrier has accepted, one id for each of its parts. */
async function newSent(...carrierIds: readonly string[]): Promise<string> {
  const sid = store.ids.sid("OM");
  const now = new Date();
  await store.db.query(
    `insert into outbound_messages (account_sid, sid, from_number, to_number, text, status, segment_count, encoding, priority, carrier_ids,
       created_at, expires_at) values ($1, $2, '+14155550150', '+14154740200', 'long', 'Sent', 2, 'GSM7', 2, $3, $4, $4)`,
    [store.accountSid, sid, carrierIds, now],
  );
  return sid;
}

function awaitReceipts(sid: string, ...carrierIds: readonly string[]): Promise<unknown> {
  return store.db.query(
    `insert into awaited_receipts (carrier, carrier_id, account_sid, sid, link, sent_at)
     select 'carrier', carrier_id, $1, $2, 'link', now() from unnest($3::text[]) as carrier_id`,
    [store.accountSid, sid, carrierIds],
  );
}

const delivered = (carrierId: string): CarrierReceipt => ({
  carrier: "carrier",
  carrierId,
  state: "delivered",
  errorCode: null,
  receivedOn: new Date(),
});

async function statusOf(sid: string): Promise<string | undefined> {
  const [row] = await store.db.query<{ status: string }>("select status from outbound_messages where sid = $1", [sid]);
  return row?.status;
}

test("two parts whose receipts are applied at once are both counted", async () => {
  const sid = await newSent("a1", "a2");
  await awaitReceipts(sid, "a1", "a2");
  let second: Promise<void> | undefined;
  await store.db.transaction(async (unit) => {
    // The same as the receipt of the other part does.
    await unit.query("delete from awaited_receipts where carrier_id = 'a1'");
    await unit.query("update outbound_messages set parts_delivered = parts_delivered + 1 where sid = $1", [sid]);
    second = new StoredReceipts(store.db).take(delivered("a2"));
    await expect.poll(() => store.db.query(WAITING), SOON).toHaveLength(1);
  });
  await second;
  expect(await statusOf(sid)).toBe("Delivered");
});

describe("receipts that come together", () => {
  const failed = (carrierId: string, errorCode: string): CarrierReceipt => ({
    ...delivered(carrierId),
    state: "failed",
    errorCode,
  });
  const takeAll = async (...batch: readonly CarrierReceipt[]): Promise<StoredReceipts> => {
    const receipts = new StoredReceipts(store.db);
    await Promise.all(batch.map((receipt) => receipts.take(receipt)));
    return receipts;
  };
  const eventsOf = (sid: string) =>
    store.db.query("select sequence, fields->>'Status' as status from events where resource_sid = $1", [sid]);

  test("of all parts of a message deliver it, and it is reported once", async () => {
    const ids = ["d1", "d2", "d3"];
    const sid = await newSent(...ids);
    await awaitReceipts(sid, ...ids);
    await takeAll(...ids.map(delivered));
    expect(await statusOf(sid)).toBe("Delivered");
    expect(await eventsOf(sid)).toEqual([{ sequence: 1, status: "Delivered" }]);
  });

  test("count once where one is repeated", async () => {
    const sid = await newSent("e1", "e2");
    await awaitReceipts(sid, "e1", "e2");
    const receipts = await takeAll(delivered("e1"), delivered("e1"), delivered("e1"));
    await receipts.applyEarly(new Date());
    expect(await statusOf(sid)).toBe("Sent");
    expect(await eventsOf(sid)).toEqual([]);
    await receipts.take(delivered("e2"));
    expect(await statusOf(sid)).toBe("Delivered");
    expect(await eventsOf(sid)).toEqual([{ sequence: 1, status: "Delivered" }]);
  });

  test("are applied once when one among them cannot be kept at first, though their id was used before", async () => {
    const sids = [await newSent("n"), await newSent("n")];
    for (const sid of sids) await awaitReceipts(sid, "n");
    let isBad = true;
    const failing = new Proxy(store.db, {
      get(db, name) {
        if (name !== "query") return Reflect.get(db, name, db);
        return async (statement: string | NamedStatement, values: readonly unknown[]) => {
          if (isBad && textOf(statement).includes("insert into early_receipts")) throw new Error("not kept");
          return db.query(statement, values);
        };
      },
    });
    const receipts = new StoredReceipts(failing);
    const takeBoth = () => Promise.allSettled([delivered("n"), delivered("n nobody")].map((one) => receipts.take(one)));
    expect((await takeBoth()).map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    isBad = false;
    await receipts.take(delivered("n nobody"));
    expect((await Promise.all(sids.map(statusOf))).toSorted()).toEqual(["Delivered", "Sent"]);
  });

  test("whose messages were sent at one moment deliver the newest that has their id", async () => {
    const sids = [await newSent("o"), await newSent("o")].toSorted();
    const at = "insert into awaited_receipts (carrier, carrier_id, account_sid, sid, link, sent_at)";
    await store.db.query(`${at} select 'carrier', 'o', $1, sid, 'link', now() from unnest($2::text[]) as sid`, [
      store.accountSid,
      sids,
    ]);
    await takeAll(delivered("o"));
    expect(await Promise.all(sids.map(statusOf))).toEqual(["Sent", "Delivered"]);
  });

  test("are applied although the message of one is gone", async () => {
    const sid = await newSent("p1");
    await awaitReceipts(sid, "p1");
    await awaitReceipts("OMgone", "p2");
    await takeAll(delivered("p2"), delivered("p1"));
    expect(await statusOf(sid)).toBe("Delivered");
    expect(await store.db.query("select from early_receipts where carrier_id = 'p2'")).toEqual([]);
  });

  test("fail a message with the first part that did not arrive, and note each of those", async () => {
    const ids = ["f1", "f2", "f3"];
    const sid = await newSent(...ids);
    await awaitReceipts(sid, ...ids);
    await takeAll(delivered("f1"), failed("f2", "27"), failed("f3", "11"));
    expect(await store.db.query("select status, error_code from outbound_messages where sid = $1", [sid])).toEqual([
      { status: "Failed", error_code: FAILURES.unreachable.code },
    ]);
    expect((await trailOf(sid)).toSorted(byId)).toMatchObject([
      { step: "receipt", details: { carrierId: "f2", errorCode: "27" } },
      { step: "receipt", details: { carrierId: "f3", errorCode: "11" } },
    ]);
  });

  test("say when each of them was received", async () => {
    const sid = await newSent("q");
    await awaitReceipts(sid, "q");
    const receivedOn = new Date("2026-01-02T03:04:05.678Z");
    await takeAll({ ...failed("q", "27"), receivedOn });
    expect(await store.db.query("select at from message_steps where sid = $1", [sid])).toEqual([{ at: receivedOn }]);
  });

  const byId = (one: object, other: object) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1);

  test("are applied where their message is known, and kept where it is not yet", async () => {
    const [known, broken, later] = [await newSent("g1"), await newSent("g2"), await newSent("g3")];
    await awaitReceipts(known, "g1");
    await awaitReceipts(broken, "g2");
    const receipts = await takeAll(delivered("g3"), delivered("g1"), failed("g2", "27"), delivered("nobody's \x00"));
    expect(await Promise.all([known, broken, later].map(statusOf))).toEqual(["Delivered", "Failed", "Sent"]);
    await awaitReceipts(later, "g3");
    await receipts.applyEarly(new Date());
    expect(await statusOf(later)).toBe("Delivered");
  });

  test("are looked for while they wait, and not otherwise", async () => {
    await store.db.query("delete from early_receipts");
    const later = await newSent("e");
    const receipts = await takeAll(delivered("e"));
    expect(await holding(store.db, [hasEarlyReceipts])).toStrictEqual([true]);
    await awaitReceipts(later, "e");
    await receipts.applyEarly(new Date());
    expect(await holding(store.db, [hasEarlyReceipts])).toStrictEqual([false]);
  });

  test("with an id that was used twice deliver both messages", async () => {
    const sids = [await newSent("h"), await newSent("h")];
    for (const sid of sids) await awaitReceipts(sid, "h");
    const receipts = await takeAll(delivered("h"), delivered("h"));
    await receipts.applyEarly(new Date());
    expect(await Promise.all(sids.map(statusOf))).toEqual(["Delivered", "Delivered"]);
  });

  test("before their answers, with an id that was used twice, deliver both messages in the end", async () => {
    const sids = [await newSent("i"), await newSent("i")];
    const receipts = await takeAll(delivered("i"), delivered("i"));
    for (const sid of sids) await awaitReceipts(sid, "i");
    await receipts.applyEarly(new Date());
    await receipts.applyEarly(new Date());
    expect(await Promise.all(sids.map(statusOf))).toEqual(["Delivered", "Delivered"]);
  });
});

describe("a receipt behind an answer that is not stored yet", () => {
  const keptOf = (carrierId: string) => store.db.query("select from early_receipts where carrier_id = $1", [carrierId]);

  function newTurn(): { readonly promise: Promise<void>; resolve(): void } {
    let give: () => void = () => undefined;
    const promise = new Promise<void>((resolve) => {
      give = resolve;
    });
    return { promise, resolve: () => give() };
  }

  /** Receipts, each of which waits until the test resolves its promise, and the pauses that they request. */
  function newWaiting(count: number) {
    const turns = Array.from({ length: count }, newTurn);
    const pauses = new Set<() => void>();
    let asked = 0;
    const receipts = new StoredReceipts(store.db, {
      answersStored: () => turns[asked++]?.promise,
      clock: {
        now: () => new Date(),
        after(ms, run) {
          expect(ms).toBe(8);
          pauses.add(run);
          return () => void pauses.delete(run);
        },
      },
    });
    return { receipts, turns, pauses };
  }

  test("waits for it, and is not kept", async () => {
    const sid = await newSent("j1");
    const { receipts, turns } = newWaiting(1);
    const taken = receipts.take(delivered("j1"));
    await awaitReceipts(sid, "j1");
    turns[0]?.resolve();
    await taken;
    expect(await statusOf(sid)).toBe("Delivered");
    expect(await keptOf("j1")).toEqual([]);
  });

  test("waits a moment for others that wait, and is stored with them", async () => {
    const sids = [await newSent("k1"), await newSent("k2")];
    const { receipts, turns, pauses } = newWaiting(2);
    const taken = [receipts.take(delivered("k1")), receipts.take(delivered("k2"))];
    await awaitReceipts(sids[0] as string, "k1");
    turns[0]?.resolve();
    await expect.poll(() => pauses.size, SOON).toBe(1);
    await awaitReceipts(sids[1] as string, "k2");
    turns[1]?.resolve();
    await Promise.all(taken);
    expect(pauses.size).toBe(0);
    const [row] = await store.db.query(
      `select count(*)::int as events, count(distinct xid)::int as statements from ${EACH_EVENT} as event where resource_sid = any($1)`,
      [sids],
    );
    expect(row).toEqual({ events: 2, statements: 1 });
  });

  test("does not wait longer for others than a moment", async () => {
    const sid = await newSent("l1");
    await awaitReceipts(sid, "l1");
    const { receipts, turns, pauses } = newWaiting(2);
    const taken = [receipts.take(delivered("l1")), receipts.take(delivered("l2"))];
    turns[0]?.resolve();
    await expect.poll(() => pauses.size, SOON).toBe(1);
    for (const end of pauses) end();
    await taken[0];
    expect(await statusOf(sid)).toBe("Delivered");
    turns[1]?.resolve();
    await taken[1];
    expect(await keptOf("l2")).toHaveLength(1);
  });
});

test("a receipt that another process kept before it ended is found", async () => {
  const sid = await newSent("m1");
  const standby = new StoredReceipts(store.db);
  await standby.applyEarly(new Date());
  await new StoredReceipts(store.db).take(delivered("m1"));
  await awaitReceipts(sid, "m1");
  await standby.applyEarly(new Date());
  expect(await statusOf(sid)).toBe("Delivered");
});

test("a delivery is dated when it is stored, for its receipt may have been received before the answer was stored", async () => {
  const sid = await newSent("r1");
  await awaitReceipts(sid, "r1");
  const now = new Date(Date.now() + 5_000);
  const clock = { now: () => now, after: () => () => undefined };
  await new StoredReceipts(store.db, { clock }).take({ ...delivered("r1"), receivedOn: new Date() });
  expect(await store.db.query("select created_at from events where resource_sid = $1", [sid])).toEqual([
    { created_at: now },
  ]);
});

test("a receipt of a message that is still under way waits for nothing and is not kept", async () => {
  const receipts = new StoredReceipts(store.db, { answersStored: () => new Promise(() => undefined) });
  await receipts.take({ ...delivered("s1"), state: "enroute" });
  expect(await store.db.query("select from early_receipts where carrier_id = 's1'")).toEqual([]);
});

test("a receipt that came early is not forgotten when the database goes away while it is looked at", async () => {
  const sid = await newSent("b1");
  const db = new Database(store.connection, silent);
  const receipts = new StoredReceipts(db);
  await receipts.take(delivered("b1"));
  await awaitReceipts(sid, "b1");
  await store.db.transaction(async (unit) => {
    await unit.query("lock table early_receipts in access exclusive mode");
    const looked = expect(receipts.applyEarly(new Date())).rejects.toThrow();
    await expect.poll(() => store.db.query(WAITING), SOON).toHaveLength(1);
    await store.db.query(`select pg_terminate_backend(pid) from (${WAITING}) as waiting`);
    await looked;
  });
  await receipts.applyEarly(new Date());
  expect(await statusOf(sid)).toBe("Delivered");
  await db.close();
});

test("a NUL in what a carrier says keeps neither its own receipt nor another's from being applied", async () => {
  const [sid, other] = [await newSent("c1"), await newSent("c2")];
  await awaitReceipts(sid, "c1");
  await awaitReceipts(other, "c2");
  const receipts = new StoredReceipts(store.db);
  const failed: CarrierReceipt = { ...delivered("c1"), state: "failed", errorCode: "0\x001" };
  await Promise.all([failed, delivered("c2")].map((receipt) => receipts.take(receipt)));
  expect(await statusOf(sid)).toBe("Failed");
  expect(await statusOf(other)).toBe("Delivered");

  const early = await newSent("c3");
  await receipts.take({ ...failed, carrierId: "c3" });
  await awaitReceipts(early, "c3");
  await receipts.applyEarly(new Date());
  expect(await statusOf(early)).toBe("Failed");
});

test("an answer that comes late to a message named before lets no receipt count twice", async () => {
  const carrierIds = ["late 1", "late 2"];
  const sid = await newSent(...carrierIds);
  await store.db.query("update outbound_messages set status = 'Failed', error_code = $2 where sid = $1", [
    sid,
    FAILURES.unknownOutcome.code,
  ]);
  await awaitReceipts(sid, ...carrierIds);
  const receipts = new StoredReceipts(store.db);
  await receipts.take(delivered("late 1"));
  const link = { name: "link", carrier: "carrier", kind: "mms", capacity: () => 0, submit: () => undefined } as const;
  const message = outgoing({ sid, accountSid: store.accountSid });
  await receipts.noteLate({ message, link, outcome: { kind: "accepted", carrierIds }, at: new Date() });
  await receipts.take(delivered("late 1"));
  expect(await statusOf(sid)).toBe("Failed");
  await receipts.take(delivered("late 2"));
  expect(await statusOf(sid)).toBe("Delivered");
});

test("a message whose receipt was received before the answer is not delivered before it was sent", async () => {
  const sid = await newSent("swift");
  await store.db.query("update outbound_messages set sent_at = now() + interval '1 second' where sid = $1", [sid]);
  await awaitReceipts(sid, "swift");
  await new StoredReceipts(store.db).take(delivered("swift"));
  const isInOrder = "select delivered_at >= sent_at as is_in_order from outbound_messages where sid = $1";
  expect(await store.db.query(isInOrder, [sid])).toEqual([{ is_in_order: true }]);
});

/** A recipient that no other test writes to. */
let recipients = 0;
const newRecipient = () => `+1212556${String(++recipients).padStart(4, "0")}`;

/** A message whose carrier's answer was lost. */
async function newLost(to: string, { segments = 1, link = "link" } = {}): Promise<string> {
  const sid = store.ids.sid("OM");
  await store.db.query(
    `insert into outbound_messages (account_sid, sid, from_number, to_number, text, status, error_code, error_description, segment_count,
       encoding, priority, link, carrier_ids, created_at, expires_at)
     values ($1, $2, '+14155550150', $3, 'lost', 'Failed', $4, 'lost', $5, 'GSM7', 2, $6, '{}', now(), now())`,
    [store.accountSid, sid, to, FAILURES.unknownOutcome.code, segments, link],
  );
  return sid;
}

let lostIds = 0;
/** A receipt with an id that was in no answer. */
const ofLost = (to: string, reference: number | null, rest: Partial<CarrierReceipt> = {}): CarrierReceipt => ({
  ...delivered(`lost ${++lostIds}`),
  about: { from: "14155550150", to, reference },
  ...rest,
});

/** Stores the receipts, and compares them when they are due. */
async function receiveLost(...receipts: readonly CarrierReceipt[]): Promise<void> {
  const links = [
    { name: "link", longMessages: "udh" },
    { name: "whole", longMessages: "payload" },
  ];
  const stored = new StoredReceipts(store.db, { linksOf: (carrier) => (carrier === "carrier" ? links : []) });
  for (const receipt of receipts) await stored.take(receipt);
  await stored.applyEarly(new Date(Date.now() + 5_000));
}

const trailOf = (sid: string) => store.db.query("select step, details from message_steps where sid = $1", [sid]);

test("a message whose answer was lost is found by our reference in its receipt", async () => {
  const to = newRecipient();
  const [sid, other] = [await newLost(to), await newLost(to)];
  await receiveLost(ofLost(to, referenceOf(sid)));
  expect([await statusOf(sid), await statusOf(other)]).toEqual(["Delivered", "Failed"]);
  expect(await trailOf(sid)).toMatchObject([
    { step: "receipt", details: { state: "delivered", matchedBy: "reference" } },
  ]);
  const [row] = await store.db.query("select error_code, error_description from outbound_messages where sid = $1", [
    sid,
  ]);
  expect(row).toEqual({ error_code: 0, error_description: null });
  // A reference that matches none of them belongs to another message.
  await receiveLost(ofLost(to, referenceOf(other) ^ 1));
  expect(await statusOf(other)).toBe("Failed");
});

test.each(["as ours", "without the plus", "without the country code"])(
  "without a reference it is found by sender and recipient, written %s",
  async (spelling) => {
    const to = newRecipient();
    const sid = await newLost(to);
    const told = { "as ours": to, "without the plus": to.slice(1), "without the country code": to.slice(2) }[spelling];
    await receiveLost(ofLost(told as string, null, { state: "failed", errorCode: "27" }));
    const [row] = await store.db.query("select error_code from outbound_messages where sid = $1", [sid]);
    expect(row).toEqual({ error_code: FAILURES.unreachable.code });
    expect(await trailOf(sid)).toMatchObject([{ step: "receipt", details: { matchedBy: "sender and recipient" } }]);
  },
);

test("sender and recipient do not decide between two messages of unknown outcome", async () => {
  const to = newRecipient();
  const sids = [await newLost(to), await newLost(to)];
  await receiveLost(ofLost(to, null));
  expect(await Promise.all(sids.map(statusOf))).toEqual(["Failed", "Failed"]);
});

test("the receipt of another carrier, sender or recipient finds nothing", async () => {
  const to = newRecipient();
  const sid = await newLost(to);
  const reference = referenceOf(sid);
  await receiveLost(
    ofLost(to, reference, { carrier: "other" }),
    ofLost(to, reference, { about: { from: "+14155550151", to, reference } }),
    ofLost(newRecipient(), reference),
    delivered("without numbers"),
  );
  expect(await statusOf(sid)).toBe("Failed");
});

test("the second receipt of a delivered message does not count for one of unknown outcome", async () => {
  const to = newRecipient();
  const known = await newSent("twice");
  await store.db.query("update outbound_messages set to_number = $2 where sid = $1", [known, to]);
  await awaitReceipts(known, "twice");
  const sid = await newLost(to);
  const receipt = ofLost(to, null, { carrierId: "twice" });
  await receiveLost(receipt, receipt);
  expect([await statusOf(known), await statusOf(sid)]).toEqual(["Delivered", "Failed"]);
});

const SUBMIT =
  "insert into submits (term, number, link, account_sids, sids) values (1, 1, 'link', array[$2], array[$1])";

test("while another message to the same recipient is being sent, the receipt may be its own", async () => {
  const to = newRecipient();
  const [sid, sending] = [await newLost(to), await newLost(to)];
  await store.db.query("update outbound_messages set status = 'Queued', error_code = 0 where sid = $1", [sending]);
  await store.db.query(SUBMIT, [sending, store.accountSid]);
  await receiveLost(ofLost(to, null));
  expect(await statusOf(sid)).toBe("Failed");
  await receiveLost(ofLost(to, referenceOf(sid)));
  expect(await statusOf(sid)).toBe("Delivered");
  await store.db.query("delete from submits");
});

test("a long message of unknown outcome is delivered when each of its parts is, and none counts twice", async () => {
  const to = newRecipient();
  const sid = await newLost(to, { segments: 2 });
  const [first, second] = [ofLost(to, referenceOf(sid)), ofLost(to, referenceOf(sid))];
  await receiveLost(first);
  await receiveLost(first);
  expect(await statusOf(sid)).toBe("Failed");
  await receiveLost(second);
  expect(await statusOf(sid)).toBe("Delivered");
  const whole = await newLost(to, { segments: 3, link: "whole" });
  await receiveLost(ofLost(to, referenceOf(whole)));
  expect(await statusOf(whole)).toBe("Delivered");
});

test("a receipt that came before the crash, or comes after it, finds the message that was being sent", async () => {
  const to = newRecipient();
  const sid = await newLost(to);
  await store.db.query("update outbound_messages set status = 'Queued', error_code = 0 where sid = $1", [sid]);
  await store.db.query(SUBMIT, [sid, store.accountSid]);
  await receiveLost(ofLost(to, referenceOf(sid)));
  expect(await statusOf(sid)).toBe("Queued");
  await new StoredSendQueue(store.db, makePlacer([])).beginTerm(2, new Date());
  expect(await statusOf(sid)).toBe("Failed");
  const afterwards = new StoredReceipts(store.db, { linksOf: () => [{ name: "link", longMessages: "udh" }] });
  await afterwards.applyEarly(new Date(Date.now() + 60_000));
  expect(await statusOf(sid)).toBe("Delivered");
});

describe("an id that the carrier has used twice", () => {
  const to = "+14154740200";
  const receiptTo = (carrierId: string, recipient: string): CarrierReceipt => ({
    ...delivered(carrierId),
    about: { from: "+14155550150", to: recipient, reference: null },
  });

  test("means the newest message, and its second receipt the one before", async () => {
    const sids = [await newSent("again"), await newSent("again")] as const;
    for (const sid of sids) await awaitReceipts(sid, "again");
    const receipts = new StoredReceipts(store.db);
    await receipts.take(receiptTo("again", to));
    expect(await Promise.all(sids.map(statusOf))).toEqual(["Sent", "Delivered"]);
    await receipts.take(receiptTo("again", to));
    expect(await Promise.all(sids.map(statusOf))).toEqual(["Delivered", "Delivered"]);
  });

  test("means the message to the receipt's recipient, however it is written", async () => {
    const sids = [await newSent("shared"), await newSent("shared")] as const;
    for (const sid of sids) await awaitReceipts(sid, "shared");
    await store.db.query("update outbound_messages set to_number = '+14154740300' where sid = $1", [sids[1]]);
    await new StoredReceipts(store.db).take(receiptTo("shared", "0014154740200"));
    expect(await Promise.all(sids.map(statusOf))).toEqual(["Delivered", "Sent"]);
    const unswapped = { ...delivered("shared"), about: { from: "+14154740300", to: "+14155550150", reference: null } };
    await new StoredReceipts(store.db).take(unswapped);
    expect(await Promise.all(sids.map(statusOf))).toEqual(["Delivered", "Delivered"]);
  });

  test("does not deliver a message to another user, also when the receipt came early", async () => {
    const [sid, later] = [await newSent("strange"), await newSent("strange")] as const;
    await awaitReceipts(sid, "strange");
    await store.db.query("update outbound_messages set to_number = '+14154740300' where sid = $1", [later]);
    const receipts = new StoredReceipts(store.db);
    await receipts.take(receiptTo("strange", "+14154740300"));
    await receipts.applyEarly(new Date());
    expect(await statusOf(sid)).toBe("Sent");
    await awaitReceipts(later, "strange");
    await receipts.applyEarly(new Date());
    expect([await statusOf(sid), await statusOf(later)]).toEqual(["Sent", "Delivered"]);
  });
});
