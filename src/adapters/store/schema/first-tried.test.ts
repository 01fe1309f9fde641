import pg from "pg";
import { expect, test } from "vitest";
import { connectionTo, dropDatabase, newDatabase } from "../../../../test/shared-database.ts";
import { applySchema } from "./apply-schema.ts";
import { firstTriedSchema } from "./first-tried.ts";
import { SCHEMA } from "./index.ts";

test("what was tried before the step has the time of its first attempt in this round, and nothing else has one", async () => {
  const url = await newDatabase("empty");
  const client = new pg.Client(connectionTo(url));
  await client.connect();
  await applySchema(client, SCHEMA.slice(0, SCHEMA.indexOf(firstTriedSchema)));
  const queue = (sid: string, attempt: number) =>
    client.query(
      `insert into delivery_queue (delivery_sid, subscription_sid, resource_sid, sequence, event_id, created_at, queued_at, due_at, attempt)
       values ($1, 'WS1', $1, 1, 1, '2026-11-16T08:00Z', '2026-11-16T09:00Z', '2026-11-16T12:00Z', $2)`,
      [sid, attempt],
    );
  await queue("WHretried", 2);
  await queue("WHreplayed", 0);
  await queue("WHclaimed", 1);
  const attempts = [
    ["WHretried", "08:10"],
    ["WHretried", "09:10"],
    ["WHretried", "09:20"],
    ["WHreplayed", "08:10"],
  ];
  for (const [sid, time] of attempts)
    await client.query("insert into attempts (delivery_sid, at, url, ms) values ($1, $2, '', 1)", [
      sid,
      `2026-11-16T${time}Z`,
    ]);
  expect(await applySchema(client, SCHEMA)).toContain(firstTriedSchema.name);
  const { rows } = await client.query(
    "select delivery_sid as sid, first_tried_at as at from delivery_queue order by 1",
  );
  await client.end();
  await dropDatabase(url);
  expect(rows).toEqual([
    { sid: "WHclaimed", at: null },
    { sid: "WHreplayed", at: null },
    { sid: "WHretried", at: new Date("2026-11-16T09:10:00Z") },
  ]);
});
