// What the hot statements on outbound messages and a page of their list cost while messages have 1, 60 and 200 weekly
// partitions: medians in µs of PostgreSQL's processor time, over one connection. `whole` are the same statements on the
// whole table, as a process runs them that does not know the weeks.

import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startEmbeddedPostgres } from "../src/adapters/postgres/embedded-postgres.ts";
import { Database } from "../src/adapters/store/engine/database.ts";
import { layMessageWeeks, MESSAGES } from "../src/adapters/store/engine/message-weeks.ts";
import type { NamedStatement } from "../src/adapters/store/engine/named-statements.ts";
import { tendPartitions } from "../src/adapters/store/engine/partitions.ts";
import { mondayOf, partitionOf } from "../src/adapters/store/engine/weeks.ts";
import { inboxOver } from "../src/adapters/store/messaging/inbox.ts";
import { StoredIntake } from "../src/adapters/store/messaging/message-intake.ts";
import { StoredReceipts } from "../src/adapters/store/messaging/message-receipts.ts";
import { MessageWeeks } from "../src/adapters/store/messaging/message-weeks.ts";
import { outboundMessageStore } from "../src/adapters/store/messaging/outbound-messages.ts";
import { StoredSendQueue } from "../src/adapters/store/messaging/send-queue.ts";
import { applySchema } from "../src/adapters/store/schema/apply-schema.ts";
import { SCHEMA } from "../src/adapters/store/schema/index.ts";
import { systemClock } from "../src/base/clock.ts";
import { makeIds } from "../src/base/ids.ts";
import { makePlacer } from "../src/domain/messaging/index.ts";
import { newMessage } from "../test/fakes/new-message.ts";
import { median, printResult } from "./load/result.ts";

const WEEKS = [1, 60, 200];
const BATCHES = [1, 16, 64];
const ROUNDS = 60;
const PER_WEEK = 500;
const LINK = { name: "bench", carrier: "bench", longMessages: "udh" } as const;
const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** Notes how long PostgreSQL computed for each named statement. */
class Timed extends Database {
  readonly times = new Map<string, number[]>();
  pid = 0;

  /** The processor time of the session. */
  cpuMs(): number {
    return Number(readFileSync(`/proc/${this.pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
  }

  override async query<Row extends object>(statement: string | NamedStatement, values?: readonly unknown[]) {
    const startMs = this.pid && this.cpuMs();
    const rows = await super.query<Row>(statement, values);
    if (typeof statement !== "string") this.note(statement.name.split(" ")[0] as string, this.cpuMs() - startMs);
    return rows;
  }

  note(name: string, ms: number): void {
    const times = this.times.get(name) ?? [];
    this.times.set(name, times);
    times.push(ms * 1000);
  }

  /** Without the first tenth, in which plans are made and pages read. */
  takeMedians(): Readonly<Record<string, number>> {
    const found = [...this.times].map(([name, times]) => [name, Math.round(median(times.slice(times.length / 10)))]);
    this.times.clear();
    return Object.fromEntries(found);
  }
}

const dataDir = mkdtempSync(join(tmpdir(), "tandem-weeks-"));
chmodSync(dataDir, 0o755);
const postgres = await startEmbeddedPostgres({ dataDir, log: silent });
try {
  const results: Record<string, unknown> = {};
  for (const weeks of WEEKS) results[weeks] = await measure(weeks);
  printResult("weeks", results);
} finally {
  await postgres.close();
  rmSync(dataDir, { recursive: true });
}

async function measure(weeks: number): Promise<object> {
  const name = `weeks_${weeks}`;
  await admin(`create database ${name}`);
  const connection = { ...postgres.connection, database: name };
  const client = new pg.Client(connection);
  await client.connect();
  await applySchema(client, SCHEMA);
  await client.end();
  const db = new Timed({ ...connection, waitMs: 600_000 }, silent, { connectionsMax: 1 });
  try {
    const [session] = await db.query<{ pid: number }>("select pg_backend_pid() as pid");
    db.pid = session?.pid ?? 0;
    const now = new Date();
    const mondays = Array.from({ length: weeks }, (_, at) => mondayOf(now, at + 1 - weeks));
    await db.transaction((unit) =>
      layMessageWeeks(
        unit,
        mondays.map((monday) => partitionOf(MESSAGES, monday)),
      ),
    );
    await tendPartitions({ db, now, keepDays: 30 });
    const ids = makeIds(systemClock);
    const accountSid = ids.sid("AC");
    await fill(db, accountSid, mondays);
    const known = new MessageWeeks();
    await known.read(db);
    const found: Record<string, unknown> = {};
    for (const batch of BATCHES) {
      for (const [kind, of] of Object.entries({ byWeek: known, whole: new MessageWeeks() })) {
        found[`${kind} ${batch}`] = await measureBatch(db, of, accountSid, batch);
        console.log(weeks, kind, batch, JSON.stringify(found[`${kind} ${batch}`]));
      }
    }
    found.lists = await measureLists(db, known, accountSid, ids.sid("AC"));
    console.log(weeks, JSON.stringify(found.lists));
    return found;
  } finally {
    await db.close();
  }
}

/** Messages go all the way: accepted, begun, settled and delivered. */
async function measureBatch(db: Timed, weeks: MessageWeeks, accountSid: string, batch: number): Promise<object> {
  const ids = makeIds(systemClock);
  const intake = new StoredIntake(db);
  const queue = new StoredSendQueue(db, makePlacer([]), weeks);
  const receipts = new StoredReceipts(db, { weeks });
  const [row] = await db.query<{ term: number }>("select term from sending_lease");
  await queue.beginTerm(row?.term ?? 0, new Date());
  db.times.clear();
  for (let round = 0; round < ROUNDS; round++) {
    const now = new Date();
    const messages = Array.from({ length: batch }, () => newMessage({ sid: ids.sid("OM"), accountSid }));
    await Promise.all(messages.map((message) => intake.accept(message)));
    const waiting = await queue.read(messages);
    const submit = { number: round, link: LINK, messages: waiting.map((message) => ({ ...message, checkedOn: now })) };
    await queue.begin(submit as never, now);
    await queue.settle(
      waiting.map((message) => ({
        ...{ message, link: LINK, submit: round, at: now },
        outcome: { kind: "accepted", carrierIds: [`c${message.sid}`] },
      })) as never,
      [round],
      now,
    );
    const startMs = db.cpuMs();
    await Promise.all(
      messages.map(({ sid, to, from }) =>
        receipts.take({
          ...{ carrier: LINK.carrier, carrierId: `c${sid}`, state: "DELIVRD", errorCode: null, receivedOn: now },
          about: { from, to, reference: null },
        } as never),
      ),
    );
    db.note("receipts", db.cpuMs() - startMs);
  }
  return db.takeMedians();
}

async function measureLists(db: Timed, known: MessageWeeks, accountSid: string, empty: string): Promise<object> {
  const store = outboundMessageStore(db);
  const inbox = inboxOver(db, known);
  const time = async (name: string, work: () => Promise<unknown>) => {
    const startMs = db.cpuMs();
    await work();
    db.note(name, db.cpuMs() - startMs);
  };
  const page = { size: 50, direction: "Descending" } as const;
  for (let round = 0; round < 30; round++) {
    await time("page", () => store.list(accountSid, page, {}));
    await time("page of failed", () => store.list(accountSid, page, { status: "Failed" }));
    await time("page to a number", () => store.list(accountSid, page, { to: "+14154740200" }));
    await time("page of an empty account", () => store.list(empty, page, {}));
    const arrival = { to: "+14155550150", receivedOn: new Date() };
    await time("metadata of a stranger", () => inbox.metadataOf(accountSid, { ...arrival, from: "+14154749999" }));
    await time("metadata of an answer", () => inbox.metadataOf(accountSid, { ...arrival, from: "+14154740200" }));
    const { items } = await store.list(accountSid, { ...page, size: 1 }, {});
    await time("one by sid", () => store.find(accountSid, items[0]?.sid ?? ""));
  }
  return db.takeMedians();
}

async function fill(db: Database, accountSid: string, mondays: readonly Date[]): Promise<void> {
  for (const monday of mondays) {
    await db.query(
      `insert into outbound_messages (account_sid, sid, from_number, to_number, text, status, segment_count, encoding, priority, created_at, expires_at)
       select $1, 'OM' || lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5(n::text), 1, 19), '+14155550150',
              '+1415474' || lpad(n::text, 4, '0'), 'hello', case when n % 100 = 0 then 'Failed' else 'Delivered' end, 1, 'GSM7', 2, at, at
         from generate_series(1, ${PER_WEEK}) as n cross join lateral (select $2::timestamptz + n * interval '1 minute' as at) as moment`,
      [accountSid, monday],
    );
  }
  await db.query("vacuum analyze outbound_messages");
}

async function admin(statement: string): Promise<void> {
  const client = new pg.Client(postgres.connection);
  await client.connect();
  await client.query(statement);
  await client.end();
}
