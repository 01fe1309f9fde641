import { expect, test } from "vitest";
import { explaining } from "../../../../test/fakes/explaining.ts";
import { useWebhookStore } from "../../../../test/fakes/webhook-store.ts";
import { outboundMessageStore } from "./outbound-messages.ts";

const store = useWebhookStore();
const TO = "+14154740200";
const COUNT = 2_000;
const PAGE = { size: 3, direction: "Descending" } as const;

async function addMessages(
  count: number,
  to: string,
  recipients: readonly string[] | null,
): Promise<readonly string[]> {
  const sids = Array.from({ length: count }, () => store.ids.sid("OM"));
  await store.db.query(
    `insert into outbound_messages (account_sid, sid, from_number, to_number, recipients, text, status, segment_count, encoding, priority,
       created_at, expires_at)
     select $1, sid, '+14155550150', $3, $4, 'text', 'Sent', 1, 'GSM7', 2, $5, $5 from unnest($2::text[]) as sid`,
    [store.accountSid, sids, to, recipients, store.clock.now()],
  );
  return sids;
}

test("a page of messages to a number has those to several, too, and reads of those to it alone no more than itself", async () => {
  const [first = ""] = await addMessages(1, "+14154740201", ["+14154740201", TO]);
  const alone = await addMessages(COUNT, TO, null);
  const [last = ""] = await addMessages(1, TO, [TO, "+14154740202"]);
  await addMessages(COUNT, "+14154740203", null);
  await store.db.query("analyze outbound_messages");
  const messages = outboundMessageStore(store.db);
  const newest = await messages.list(store.accountSid, PAGE, { to: TO });
  expect(newest.items.map(({ sid }) => sid)).toEqual([last, alone.at(-1), alone.at(-2)]);
  const oldest = await messages.list(store.accountSid, { ...PAGE, direction: "Ascending" }, { to: TO });
  expect(oldest.items.map(({ sid }) => sid)).toEqual([first, alone[0], alone[1]]);
  const read: number[] = [];
  const explained = outboundMessageStore({
    async query(statement, values) {
      if (typeof statement === "string") {
        await explaining(store.db, (rows) => read.push(rows)).query(statement, values);
      }
      return store.db.query(statement, values);
    },
  });
  for (const page of [PAGE, { ...PAGE, after: alone[COUNT / 2] }, { ...PAGE, direction: "Ascending" as const }]) {
    await explained.list(store.accountSid, page, { to: TO });
  }
  // Whether those to several are few, the page, and whether as many were looked through as may be.
  expect(read).toHaveLength(9);
  expect(Math.max(...read)).toBeLessThan(10);
});
