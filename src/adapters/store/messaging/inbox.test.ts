import { expect, test } from "vitest";
import { useWebhookStore } from "../../../../test/fakes/webhook-store.ts";
import { firstSidAt } from "../../../base/ids.ts";
import type { Queryable } from "../engine/database.ts";
import { textOf } from "../engine/named-statements.ts";
import { tendPartitions } from "../engine/partitions.ts";
import { mondayOf, partitionOf } from "../engine/weeks.ts";
import { inboxOver } from "./inbox.ts";
import { MessageWeeks } from "./message-weeks.ts";

const WAITING = "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
const SOON = { timeout: 120_000, interval: 20 };

const store = useWebhookStore();

const isRepeat = (unit: Queryable, repeatKey: string, session: string) =>
  inboxOver(unit).isRepeat({ carrier: "carrier", repeatKey, session, receivedOn: new Date() });

test("what came over another connection is a repeat, over the same one it is another message", async () => {
  expect(await isRepeat(store.db, "a", "1")).toBe(false);
  expect(await isRepeat(store.db, "a", "1")).toBe(false);
  expect(await isRepeat(store.db, "a", "2")).toBe(true);
  expect(await isRepeat(store.db, "a", "2")).toBe(false);
});

test("so is what comes again while the first is still being stored", async () => {
  let second: Promise<boolean> | undefined;
  await store.db.transaction(async (unit) => {
    expect(await isRepeat(unit, "b", "1")).toBe(false);
    second = store.db.transaction((other) => isRepeat(other, "b", "2"));
    await expect.poll(() => store.db.query(WAITING), SOON).toHaveLength(1);
  });
  expect(await second).toBe(true);
});

test("and when the first could not be stored, the second is the first", async () => {
  let second: Promise<boolean> | undefined;
  const first = store.db.transaction(async (unit) => {
    await isRepeat(unit, "c", "1");
    second = store.db.transaction((other) => isRepeat(other, "c", "2"));
    await expect.poll(() => store.db.query(WAITING), SOON).toHaveLength(1);
    throw new Error("not stored");
  });
  await expect(first).rejects.toThrow("not stored");
  expect(await second).toBe(false);
});

test("an answer gets the metadata of the last message to its sender, of this week or of an earlier one", async () => {
  const receivedOn = new Date();
  await tendPartitions({ db: store.db, now: receivedOn, keepDays: 30 });
  const weeks = new MessageWeeks();
  await weeks.read(store.db);
  const [ours, answering, silent, stranger] = ["+14155550150", "+14154740201", "+14154740202", "+14154740203"];
  const add = (at: Date, to: string | undefined, metadata: string) =>
    store.db.query(
      `insert into outbound_messages (account_sid, sid, from_number, to_number, text, status, segment_count, encoding, priority,
         created_at, expires_at, conversation_metadata)
       values ($1, $2, $3, $4, 'text', 'Sent', 1, 'GSM7', 2, $5, $5, $6)`,
      [store.accountSid, `${firstSidAt("OM", at)}7000${metadata.padEnd(16, "0")}`, ours, to, at, metadata],
    );
  const before = mondayOf(receivedOn, -2);
  await add(before, answering, "old");
  await add(before, silent, "older");
  await add(receivedOn, answering, "new");
  const asked: string[] = [];
  const inbox = inboxOver(
    {
      query(statement, values) {
        asked.push(/from (outbound_messages\w*)/.exec(textOf(statement))?.[1] ?? "");
        return store.db.query(statement, values);
      },
    },
    weeks,
  );
  const metadataOf = (from = "") => inbox.metadataOf(store.accountSid, { from, to: `${ours}`, receivedOn });
  const week = partitionOf("outbound_messages", mondayOf(receivedOn));
  expect(await metadataOf(answering)).toBe("new");
  expect(asked.splice(0)).toEqual([week]);
  expect(await metadataOf(silent)).toBe("older");
  expect(await metadataOf(stranger)).toBeNull();
  expect(asked).toEqual([week, "outbound_messages", week, "outbound_messages"]);
});
