import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { silent } from "../../../../test/fakes/silent-log.ts";
import { connectionTo, dropDatabase, newDatabase } from "../../../../test/shared-database.ts";
import { Database } from "../engine/database.ts";
import { deliveryStore } from "../webhooks/deliveries.ts";
import { applySchema } from "./apply-schema.ts";
import { SCHEMA } from "./index.ts";

const ACCOUNT = "AC01935f1e4c7b7000a3c41f0e5d9b2a10";
const WEBHOOK = "WS01935f1e4c7b7000a3c41f0e5d9b2a11";
const sidOf = (digits: string) => `WH01935f1e4c7b7000a3c41f0e5d9b2a${digits}`;
const MADE = new Date("2026-01-01T09:00:00.000Z");
const AFTER = (seconds: number) => new Date(MADE.getTime() + seconds * 1000);

const OLD = [
  { digits: "0f", event: 1, status: "Delivered", attempts: [200], finished: AFTER(3) },
  { digits: "ff", event: 2, status: "Failed", attempts: [500, 503], finished: AFTER(9) },
  { digits: "00", event: 300, status: "Canceled", attempts: [], finished: AFTER(5) },
  { digits: "a1", event: 301, status: "Pending", attempts: [429], finished: null },
] as const;

test("deliveries of before are batches of one, with their sids, events, outcomes and attempts", async () => {
  const url = await newDatabase("empty");
  const client = new pg.Client(connectionTo(url));
  await client.connect();
  const db = new Database(connectionTo(url), silent);
  onTestFinished(async () => {
    await client.end();
    await db.close();
    await dropDatabase(url);
  });
  await applySchema(client, SCHEMA.slice(0, 3));
  for (const [at, { digits, event, status, attempts, finished }] of OLD.entries()) {
    // Each has a time of its own, so that batches of these sids, which differ in their last digits, stay apart.
    const made = AFTER(at);
    const ofEvent = [event, ACCOUNT, `OM${event}`, made];
    await client.query(
      `insert into events (id, account_sid, type, resource_sid, sequence, fields, created_at) overriding system value
       values ($1, $2, 'OptOutChanged', $3, 1, '{}', $4)`,
      ofEvent,
    );
    await client.query(
      `insert into deliveries (sid, account_sid, subscription_sid, event_id, type, resource_sid, sequence, status, attempt_count, next_attempt_at, created_at, finished_at)
       values ($1, $2, $3, $4, 'OptOutChanged', $5, 1, $6, $7, $8, $9, $10)`,
      [sidOf(digits), ACCOUNT, WEBHOOK, event, `OM${event}`, status, attempts.length, AFTER(60), made, finished],
    );
    for (const answer of attempts)
      await client.query(
        "insert into attempts (delivery_sid, at, url, status, ms, answer, exchange) values ($1, $2, 'https://a.example/', $3, 7, 'no', $4)",
        [sidOf(digits), AFTER(answer / 100), answer, '{"requestHeaders":[],"answerHeaders":null}'],
      );
  }
  await client.query(
    `insert into delivery_queue (delivery_sid, subscription_sid, resource_sid, sequence, event_id, created_at, queued_at, attempt, url, due_at, first_tried_at)
     values ($1, $2, 'OM301', 1, 301, $3, $3, 1, 'https://b.example/', $4, $5)`,
    [sidOf("a1"), WEBHOOK, AFTER(3), AFTER(60), AFTER(4)],
  );
  await applySchema(client, SCHEMA);
  const store = deliveryStore(db);
  const { items } = await store.list(ACCOUNT, { size: 10, direction: "Ascending" }, {});
  expect(items).toHaveLength(OLD.length);
  for (const { digits, event, status, attempts, finished } of OLD) {
    const shown = items.find(({ sid }) => sid === sidOf(digits));
    expect(shown).toMatchObject({ status, resourceSid: `OM${event}`, type: "OptOutChanged", sequence: 1 });
    expect(shown?.attempts.map((attempt) => attempt.status)).toEqual(attempts);
    expect(shown?.finishedOn === null).toBe(finished === null);
    expect(shown?.nextAttemptOn).toEqual(status === "Pending" ? AFTER(60) : null);
    expect(
      await store.list(ACCOUNT, { size: 10, direction: "Ascending" }, { resourceSid: `OM${event}` }),
    ).toMatchObject({
      items: [shown],
    });
  }
  const exchange = { requestHeaders: [], answerHeaders: null };
  expect(items.find(({ sid }) => sid === sidOf("0f"))?.attempts).toEqual([
    { at: AFTER(2), url: "https://a.example/", status: 200, failure: null, ms: 7, answer: "no", exchange },
  ]);
  const queued = await db.query("select attempt, is_ready, first_tried_at, places, urls from delivery_queue");
  expect(queued).toEqual([
    { attempt: 1, is_ready: true, first_tried_at: AFTER(4), places: [0xa1], urls: ["https://b.example/"] },
  ]);
  const [next] = await db.query<{ id: string }>("select nextval('events_id_seq') as id");
  expect([Number(next?.id) % 256, Number(next?.id) > 301]).toEqual([0, true]);
});
