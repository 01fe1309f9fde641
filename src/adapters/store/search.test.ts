import { expect, test } from "vitest";
import { explaining } from "../../../test/fakes/explaining.ts";
import { useWebhookStore } from "../../../test/fakes/webhook-store.ts";
import { searchStore } from "./search.ts";

const store = useWebhookStore();
const PERSON = "+14154740200";
const STRANGERS = 2_000;
const BUSY = 50;

/** A message in either direction and a call with each of these people, of a number of the account's own. */
async function addTraffic(accountSid: string, people: readonly string[]): Promise<void> {
  const sids = (prefix: "OM" | "IM" | "CA") => people.map(() => store.ids.sid(prefix));
  const own = people.map((_, at) => `+1415555${String(at).padStart(4, "0")}`);
  const now = store.clock.now();
  const made = "unnest($2::text[], $3::text[], $4::text[]) as made (sid, person, own)";
  await store.db.query(
    `insert into outbound_messages (account_sid, sid, from_number, to_number, text, status, segment_count, encoding, priority, created_at, expires_at)
     select $1, sid, own, person, 'text', 'Sent', 1, 'GSM7', 2, $5, $5 from ${made}`,
    [accountSid, sids("OM"), people, own, now],
  );
  await store.db.query(
    `insert into inbound_messages (account_sid, sid, from_number, to_number, additional_recipients, text, media, segment_count, link, created_at)
     select $1, sid, person, own, '{}', 'text', '[]', 1, 'link', $5 from ${made}`,
    [accountSid, sids("IM"), people, own, now],
  );
  await store.db.query(
    `insert into calls (sid, account_sid, direction, from_party, to_party, caller_id, status, created_at, phone)
     select sid, $1, 'Inbound', person, own, person, 'Completed', $5, own from ${made}`,
    [accountSid, sids("CA"), people, own, now],
  );
}

test("what is found by a number, a name or a sid is found by an index, however much others have", async () => {
  const other = await store.addAccount();
  const strangers = Array.from({ length: STRANGERS }, (_, at) => `+1212555${String(at).padStart(4, "0")}`);
  await addTraffic(other, [...strangers, ...Array<string>(BUSY).fill("+14154740299")]);
  await addTraffic(store.accountSid, [PERSON]);
  await store.db.query(
    "insert into accounts (sid, name, status, features, limit_changes, created_at) select 'AC' || n, 'Shop ' || n, 'Active', '{}', '{}', now() from generate_series(1, $1) as n",
    [STRANGERS / 10],
  );
  await store.db.query("analyze");
  const search = searchStore(store.db);
  const messages = await search.messages([PERSON, "+4154740200"]);
  expect(messages).toMatchObject([
    { accountSid: store.accountSid, direction: expect.any(String) },
    { accountSid: store.accountSid },
  ]);
  expect(new Set(messages.map(({ direction }) => direction))).toStrictEqual(new Set(["Outbound", "Inbound"]));
  expect(await search.calls([PERSON])).toMatchObject([{ accountSid: store.accountSid, from: PERSON }]);
  expect(await search.messages(["+14154740299"])).toHaveLength(20);
  expect(await search.calls(["+14154740299"])).toHaveLength(20);
  expect(await search.accounts("shop 117")).toStrictEqual([{ sid: "AC117", name: "Shop 117", status: "Active" }]);
  const read: number[] = [];
  const explained = searchStore(explaining(store.db, (rows) => read.push(rows)));
  await explained.messages([PERSON, "+14154740299"]);
  await explained.calls([PERSON, "+14154740299"]);
  await explained.accounts("shop 117");
  await explained.phones([PERSON]);
  for (const sid of ["IM1", "RE1", "LG1", "WH00", "CABC123"]) await explained.records(sid);
  expect(read).toHaveLength(9);
  // Every account once, and a page of each kind.
  expect(Math.max(...read)).toBeLessThan(STRANGERS / 4);
});
