import { expect, test } from "vitest";
import { explaining } from "../../../test/fakes/explaining.ts";
import { useWebhookStore } from "../../../test/fakes/webhook-store.ts";
import { madeByRequests } from "./made-by-requests.ts";

const store = useWebhookStore();
const GIVEN = "nightly-job";
const STRANGERS = 300;

async function addMessages(accountSid: string, count: number): Promise<readonly string[]> {
  const sids = Array.from({ length: count }, () => store.ids.sid("OM"));
  await store.db.query(
    `insert into outbound_messages (account_sid, sid, from_number, to_number, text, status, segment_count, encoding, priority, request_id,
       created_at, expires_at)
     select $1, sid, '+14155550150', '+14154740200', 'text', 'Sent', 1, 'GSM7', 2, $3, $4, $4 from unnest($2::text[]) as sid`,
    [accountSid, sids, GIVEN, store.clock.now()],
  );
  return sids;
}

test("an id that others gave, too, finds one's own, and costs no more for that", async () => {
  const other = await store.addAccount();
  await addMessages(other, STRANGERS);
  const [own = ""] = await addMessages(store.accountSid, 1);
  expect(await madeByRequests(store.db).find(GIVEN, store.accountSid)).toMatchObject([{ kind: "Message", sid: own }]);
  expect(await madeByRequests(store.db).find(GIVEN, other)).toHaveLength(50);
  expect(await madeByRequests(store.db).find(GIVEN, undefined)).toHaveLength(50);
  const read: number[] = [];
  const explained = madeByRequests(explaining(store.db, (rows) => read.push(rows)));
  for (const accountSid of [store.accountSid, other, undefined]) await explained.find(GIVEN, accountSid);
  expect(read).toHaveLength(3);
  expect(Math.max(...read)).toBeLessThan(STRANGERS / 2);
});
