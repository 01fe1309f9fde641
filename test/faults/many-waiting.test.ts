// Ten thousand accounts with a million messages that wait, half of them one account's, and as many subscriptions with
// deliveries. What decides who is next reads a bounded number of blocks for each account or subscription, however much
// these have waiting. Prints what each statement read and how long it took.

import { expect, test } from "vitest";
import type { Database } from "../../src/adapters/store/engine/database.ts";
import { type NamedStatement, textOf } from "../../src/adapters/store/engine/named-statements.ts";
import { MessageWeeks } from "../../src/adapters/store/messaging/message-weeks.ts";
import { WaitingMessages } from "../../src/adapters/store/messaging/waiting-messages.ts";
import { claimRows, readDueEndpoints } from "../../src/adapters/store/webhooks/claim-deliveries.ts";
import { type LoadedKeys, type LoadOrder, makePlacer } from "../../src/domain/messaging/index.ts";
import { outgoing } from "../fakes/outgoing.ts";
import { EVERY_SLOT, useWebhookStore } from "../fakes/webhook-store.ts";
import { isLong, LONG_TIMEOUT_MS, roundsOf } from "./form.ts";

const ACCOUNTS = roundsOf({ quick: 3_000, long: 10_000 });
const ROWS = roundsOf({ quick: 60_000, long: 1_000_000 });
const FILLED_AT_ONCE = 20_000;
const LOADED_AT_ONCE = 2_048;
const LOOKED_AT_ONCE = 1_000;
const CLAIMED_AT_ONCE = 256;
/** For each account or subscription: two or three descents of an index, of four levels at most, and the rows. */
const BLOCKS_EACH = 20;
const ROWS_EACH = 6;
const PLACER = makePlacer([]);
const { route } = PLACER.placeOf(outgoing());
const SHARDS = Array.from({ length: 64 }, (_, shard) => shard);
const FIRST_HALF = SHARDS.slice(0, 32);
/** One row of every account, and then 11 of 20 are those of the first one. */
const ACCOUNT_OF_ROW = `case when n < ${ACCOUNTS} then n when n % 20 < 11 then 0 else n % ${ACCOUNTS} end`;

const store = useWebhookStore();

interface Plan {
  readonly "Shared Hit Blocks": number;
  readonly "Shared Read Blocks": number;
  readonly "Node Type": string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly Plan[];
}

interface Explained {
  readonly Plan: Plan;
  readonly "Execution Time": number;
}

/** The rows that came from tables and indexes. */
function rowsOf(plan: Plan): number {
  const own = /^(Seq|Index|Index Only|Bitmap Heap) Scan$/.test(plan["Node Type"])
    ? (plan["Actual Rows"] + (plan["Rows Removed by Filter"] ?? 0)) * plan["Actual Loops"]
    : 0;
  return (plan.Plans ?? []).reduce((sum, child) => sum + rowsOf(child), own);
}

/** Runs each statement twice: explained, and for its rows. A claim takes other rows the second time. */
function measured(counted: (blocks: number, rows: number, ms: number) => void): Database {
  const query = async (statement: string | NamedStatement, values: readonly unknown[] = []) => {
    await store.db.transaction(async (unit) => {
      const [row] = await unit.query<{ "QUERY PLAN": readonly [Explained] }>(
        `explain (analyze, buffers, format json) ${textOf(statement)}`,
        values,
      );
      const { Plan: plan, "Execution Time": ms } = (row as NonNullable<typeof row>)["QUERY PLAN"][0];
      counted(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"], rowsOf(plan), ms);
    });
    return store.db.query(statement, values);
  };
  return { query } as unknown as Database;
}

/** `$1` and `$2`: the first row and the last one. */
async function fill(statement: string, values: readonly unknown[] = []): Promise<void> {
  for (let first = 0; first < ROWS; first += FILLED_AT_ONCE) {
    await store.db.query(statement, [first, Math.min(ROWS, first + FILLED_AT_ONCE) - 1, ...values]);
  }
}

async function measure<Value>(what: string, count: number, run: (db: Database) => Promise<Value>): Promise<Value> {
  let [blocks, rows, ms] = [0, 0, 0];
  const value = await run(
    measured((readBlocks, readRows, tookMs) => {
      blocks += readBlocks;
      rows += readRows;
      ms += tookMs;
    }),
  );
  if (isLong) console.log(`${what}: ${rows} rows in ${blocks} blocks, ${Math.round(ms)} ms`);
  expect(blocks, `blocks read for ${what}`).toBeLessThanOrEqual(BLOCKS_EACH * count);
  expect(rows, `rows read for ${what}`).toBeLessThanOrEqual(ROWS_EACH * count);
  return value;
}

test(
  "to find whose messages are next costs by the account, however many an account has",
  async () => {
    await fill(
      `insert into outbound_queue (sid, account_sid, from_number, priority, due_at, expires_at, route, shard, is_ready)
       select 'OM' || lpad(n::text, 32, '0'), 'AC' || lpad((${ACCOUNT_OF_ROW})::text, 32, '0'), '+18005550190', n % 4,
              now(), now() + interval '1 day', $3, n % 64, true from generate_series($1::int, $2::int) as n`,
      [route],
    );
    await store.db.query("vacuum analyze outbound_queue");
    const now = store.clock.now();
    const found = new Set<string>();
    let after: string | undefined = "";
    for (let page = 1; after !== undefined; page++) {
      const order: LoadOrder = { route, shards: SHARDS, after };
      const load = (db: Database) => new WaitingMessages(db, PLACER, new MessageWeeks()).load(order, now);
      const loaded: LoadedKeys = await measure(`page ${page} of a round`, LOADED_AT_ONCE, load);
      expect(loaded.keys.length).toBeLessThanOrEqual(LOADED_AT_ONCE);
      for (const { accountSid } of loaded.keys) found.add(accountSid);
      after = loaded.last;
    }
    expect(found.size).toBe(ACCOUNTS);
    // One that has run dry, the greedy one, over one of two links.
    const dry = { route, shards: FIRST_HALF, accounts: [`AC${"0".repeat(32)}`] };
    const load = (db: Database) => new WaitingMessages(db, PLACER, new MessageWeeks()).load(dry, now);
    const { keys } = await measure("the greedy account's", LOADED_AT_ONCE, load);
    expect(keys).toHaveLength(LOADED_AT_ONCE);
    await store.db.query("truncate outbound_queue");
  },
  LONG_TIMEOUT_MS,
);

test(
  "to find which subscription is next costs by the subscription, however many deliveries it has",
  async () => {
    await fill(
      `insert into delivery_queue (is_ready, due_at, event_id, created_at, delivery_sid, subscription_sid, places, urls)
       select true, now(), 0, now(), 'WH' || lpad(n::text, 32, '0'), 'WS' || lpad((${ACCOUNT_OF_ROW})::text, 32, '0'),
              array[0::smallint], array[null::text] from generate_series($1::int, $2::int) as n`,
    );
    await store.db.query("vacuum analyze delivery_queue");
    const due: string[] = [];
    for (let page = 1; due.length < ACCOUNTS; page++) {
      const read = (db: Database) => readDueEndpoints(db, due.at(-1) ?? "", LOOKED_AT_ONCE);
      due.push(...(await measure(`page ${page} of due subscriptions`, LOOKED_AT_ONCE, read)));
    }
    expect(new Set(due).size).toBe(ACCOUNTS);
    const limits = due.slice(0, CLAIMED_AT_ONCE).map((subscriptionSid) => ({ subscriptionSid, countMax: 4 }));
    const claim = (db: Database) => claimRows(db, limits, EVERY_SLOT.id);
    const rows = await measure("a claim from 256 of them", 4 * CLAIMED_AT_ONCE, claim);
    expect(rows.filter(({ subscriptionSid }) => subscriptionSid === due[0])).toHaveLength(4);
    await store.db.query("truncate delivery_queue");
  },
  LONG_TIMEOUT_MS,
);
