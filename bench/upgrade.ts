// How long the upgrade of a full database takes: 1,000,000 messages, events, deliveries and attempts of the last four
// weeks, or as many as the argument says (`npm run bench -- upgrade 100000`), stored as at step 0003, the last at which
// deliveries were rows of their own. Prints the seconds of each later step, the rate of the whole, and the disk space.

import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startEmbeddedPostgres } from "../src/adapters/postgres/embedded-postgres.ts";
import { Database } from "../src/adapters/store/engine/database.ts";
import { makeNamedPartitions, RECORD_TABLES } from "../src/adapters/store/engine/partitions.ts";
import { mondayOf, partitionOf } from "../src/adapters/store/engine/weeks.ts";
import { applySchema, bytesToRewrite } from "../src/adapters/store/schema/apply-schema.ts";
import { SCHEMA } from "../src/adapters/store/schema/index.ts";
import { silent } from "../test/fakes/silent-log.ts";
import { countCpu } from "./load/processor-time.ts";
import { printResult, round } from "./load/result.ts";

const ROWS = Number(process.argv[2] ?? 1_000_000);
const STEPS_BEFORE = 3;
const WEEKS_BACK = 4;
const ROWS_AT_ONCE = 50_000;
const PATIENT_MS = 3_600_000;

/** One in a hundred has failed. `$1` to `$2` are the numbers, `$3` the time of the first, `$4` ms between them. */
const FILLED = `
select n, at, 'AC' || repeat('0', 32) as account_sid, 'WS' || repeat('0', 32) as subscription_sid, n % 100 = 0 as has_failed,
       'OM' || stamp || '7' || substr(md5(n::text), 1, 19) as sid, 'WH' || stamp || '7' || substr(md5('d' || n), 1, 19) as delivery_sid
  from generate_series($1::bigint, $2::bigint) as n
 cross join lateral (select $3::timestamptz + (n - 1) * $4::double precision * interval '1 millisecond' as at) as moment
 cross join lateral (select lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') as stamp) as stamped`;

const INSERTS = [
  `insert into outbound_messages (account_sid, sid, from_number, to_number, text, status, segment_count, encoding, carrier, priority,
          link, carrier_ids, parts_delivered, events_told, created_at, expires_at, sent_at, delivered_at)
   select account_sid, sid, '+14155550150', '+14154740000', 'Your code is 123456. It is valid for ten minutes.', 'Delivered', 1, 'GSM7',
          'T-Mobile USA', 2, 'bench', array['carrier-' || n], 1, 2, at, at + interval '1 day', at, at from`,
  `insert into events (id, account_sid, type, resource_sid, sequence, fields, created_at) overriding system value
   select n, account_sid, 'OutboundMessageStatusChanged', sid, 2,
          ('{"Sid":"' || sid || '","From":"+14155550150","To":"+14154740000","Status":"Delivered","PreviousStatus":"Sent","ErrorCode":0,'
           || '"ErrorDescription":null,"SegmentCount":1,"Carrier":"T-Mobile USA"}')::json, at from`,
  `insert into deliveries (sid, account_sid, subscription_sid, event_id, type, resource_sid, sequence, status, attempt_count, created_at, finished_at)
   select delivery_sid, account_sid, subscription_sid, n, 'OutboundMessageStatusChanged', sid, 2,
          case when has_failed then 'Failed' else 'Delivered' end, 1, at, at from`,
  `insert into attempts (delivery_sid, at, url, status, ms, answer)
   select delivery_sid, at, 'https://receiver.example/hook', case when has_failed then 500 else 200 end, 3, 'ok' from`,
];

const dataDir = mkdtempSync(join(tmpdir(), "tandem-upgrade-"));
chmodSync(dataDir, 0o755);
const postgres = await startEmbeddedPostgres({ dataDir, log: silent });
const client = new pg.Client(postgres.connection);
try {
  await client.connect();
  await applySchema(client, SCHEMA.slice(0, STEPS_BEFORE));
  await fill();
  const bytesBefore = await databaseBytes();
  const rewrittenBytes = await bytesToRewrite(client, SCHEMA);
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  const cpuFor = countCpu({ postgres: rows[0]?.pid ?? 0 });
  const startMs = performance.now();
  const seconds: Record<string, number> = {};
  for (const [at, { name }] of SCHEMA.entries()) {
    if (at < STEPS_BEFORE) continue;
    const stepMs = performance.now();
    await applySchema(client, SCHEMA.slice(0, at + 1));
    seconds[name] = round((performance.now() - stepMs) / 1000);
    console.log(JSON.stringify(seconds));
  }
  const wholeSeconds = (performance.now() - startMs) / 1000;
  const bytesAfter = await databaseBytes();
  printResult("upgrade", {
    rows: ROWS,
    seconds,
    deliveriesPerSecond: Math.round(ROWS / wholeSeconds),
    deliveryCpuUs: cpuFor(ROWS).all,
    bytes: { before: bytesBefore, rewritten: rewrittenBytes, after: bytesAfter },
    grownPerRewritten: round((bytesAfter - bytesBefore) / rewrittenBytes),
  });
} finally {
  await client.end();
  await postgres.close();
  rmSync(dataDir, { recursive: true });
}

async function fill(): Promise<void> {
  const now = new Date();
  const from = mondayOf(now, -WEEKS_BACK);
  const db = new Database({ ...postgres.connection, waitMs: PATIENT_MS }, silent);
  await db.transaction(async (unit) => {
    for (const table of RECORD_TABLES) {
      const mondays = Array.from({ length: WEEKS_BACK + 1 }, (_, at) => mondayOf(now, at - WEEKS_BACK));
      await makeNamedPartitions(
        unit,
        table,
        mondays.map((monday) => partitionOf(table, monday)),
      );
    }
  });
  const stepMs = (now.getTime() - from.getTime()) / ROWS;
  for (let first = 1; first <= ROWS; first += ROWS_AT_ONCE) {
    const last = Math.min(ROWS, first + ROWS_AT_ONCE - 1);
    for (const insert of INSERTS) await db.query(`${insert} (${FILLED}) as filled`, [first, last, from, stepMs]);
    console.log(`${last} of ${ROWS} rows stored`);
  }
  await db.query("vacuum analyze");
  await db.close();
}

async function databaseBytes(): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>("select pg_database_size(current_database())::text as bytes");
  return Number(rows[0]?.bytes);
}
