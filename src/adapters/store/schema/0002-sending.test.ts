import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { connectionTo, dropDatabase, newDatabase } from "../../../../test/shared-database.ts";
import { applySchema } from "./apply-schema.ts";
import { SCHEMA } from "./index.ts";

test("what was being sent stays on record as such, and the rest waits, ready or not", async () => {
  const url = await newDatabase("empty");
  const client = new pg.Client(connectionTo(url));
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await dropDatabase(url);
  });
  await applySchema(client, SCHEMA.slice(0, 1));
  const insert = (sid: string, dueAt: string, claimedBy: number | null, submitting: string | null) =>
    client.query(
      `insert into outbound_queue (sid, account_sid, from_number, priority, due_at, expires_at, claimed_by, submitting)
       values ($1, 'AC1', '+14155550100', 2, $2, 'infinity', $3, $4)`,
      [sid, dueAt, claimedBy, submitting],
    );
  await insert("OM1", "2026-01-01", 3, "north");
  await insert("OM2", "2026-01-01", 3, "south");
  await insert("OM3", "2026-01-01", 3, null);
  await insert("OM4", "2026-01-01", null, null);
  await insert("OM5", "2126-01-01", null, null);
  await insert("OM6", "infinity", null, null);
  await applySchema(client, SCHEMA);
  const submits = await client.query("select term, link, account_sids, sids from submits order by link");
  expect(submits.rows).toEqual([
    { term: 3, link: "north", account_sids: ["AC1"], sids: ["OM1"] },
    { term: 3, link: "south", account_sids: ["AC1"], sids: ["OM2"] },
  ]);
  const waiting = await client.query("select sid, route, is_ready from outbound_queue order by sid");
  expect(waiting.rows).toEqual([
    { sid: "OM3", route: "", is_ready: true },
    { sid: "OM4", route: "", is_ready: true },
    { sid: "OM5", route: "", is_ready: false },
    { sid: "OM6", route: "", is_ready: false },
  ]);
});
