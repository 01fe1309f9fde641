import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { connectionTo, dropDatabase, newDatabase } from "../../../../test/shared-database.ts";
import { firstSidAt } from "../../../base/ids.ts";
import { applySchema } from "./apply-schema.ts";
import { SCHEMA } from "./index.ts";

const DAY = 86_400_000;

test("what is there is one partition up to the next week, and a message that is ahead of the clock stays reachable", async () => {
  const url = await newDatabase("empty");
  const client = new pg.Client(connectionTo(url));
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await dropDatabase(url);
  });
  await applySchema(client, SCHEMA.slice(0, 4));
  const now = Date.now();
  const sids = [-900, -1, 0, 30, 4_000].map(
    (days) => `${firstSidAt("OM", new Date(now + days * DAY))}7000aaaaaaaaaaaaaaaa`,
  );
  await client.query(
    `insert into outbound_messages (account_sid, sid, from_number, to_number, text, status, segment_count, encoding, priority, created_at, expires_at)
     select 'AC1', sid, '+1', '+2', 'hello', 'Failed', 1, 'GSM7', 2, now(), now() from unnest($1::text[]) as sid`,
    [sids],
  );
  await applySchema(client, SCHEMA);
  const { rows } = await client.query(
    "select sid, tableoid::regclass::text as place, unhappy from outbound_messages where account_sid = 'AC1' order by sid",
  );
  const places = ["older", "older", "older", "later", "later"];
  expect(rows).toEqual(sids.map((sid, at) => ({ sid, place: `outbound_messages_${places[at]}`, unhappy: "Failed" })));
  const invalid = await client.query("select from pg_index where not indisvalid");
  expect(invalid.rowCount).toBe(0);
});
