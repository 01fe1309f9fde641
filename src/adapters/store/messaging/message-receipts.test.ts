import { expect, test } from "vitest";
import { outgoing } from "../../../../test/fakes/outgoing.ts";
import { silent } from "../../../../test/fakes/silent-log.ts";
import { useWebhookStore } from "../../../../test/fakes/webhook-store.ts";
import { type CarrierReceipt, FAILURES } from "../../../domain/messaging/index.ts";
import { Database } from "../engine/database.ts";
import { StoredReceipts } from "./message-receipts.ts";

const WAITING = "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
const SOON = { timeout: 10_000, interval: 20 };

const store = useWebhookStore();

/** A message that the carrier has taken, one id for each of its parts. */
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
    // As the other part's receipt does it.
    await unit.query("delete from awaited_receipts where carrier_id = 'a1'");
    await unit.query("update outbound_messages set parts_delivered = parts_delivered + 1 where sid = $1", [sid]);
    second = new StoredReceipts(store.db).take(delivered("a2"));
    await expect.poll(() => store.db.query(WAITING), SOON).toHaveLength(1);
  });
  await second;
  expect(await statusOf(sid)).toBe("Delivered");
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
  const link = { name: "link", carrier: "carrier", kind: "mms", room: () => 0, submit: () => undefined } as const;
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
