// Whatever a process claims is completed or released, whichever of its statements fails and however: messages,
// deliveries, calls and segments of recordings. Observed from outside: by the API, the carrier, the receiver, and one
// query for each kind, which counts the recorded claims.

import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../src/adapters/store/engine/database.ts";
import { newAccount, type TestAccount } from "../contract/account.ts";
import { form, type MessageBody, newSender, SEND } from "../contract/messages.ts";
import { answerOf, type List, WIDE } from "../contract/numbers.ts";
import type { RecordedCall } from "../contract/recordings.ts";
import { Chance } from "../fakes/chance.ts";
import { FAULTS, type Fault, openSpoiledLine, type SpoiledLine } from "../fakes/spoiled-line.ts";
import { connectionTo, dropDatabase, newDatabase } from "../shared-database.ts";
import { json } from "../tandem.ts";
import { databaseOf } from "../tandem-database.ts";
import { useTandem } from "../use-tandem.ts";
import { LONG_TIMEOUT_MS, roundsOf } from "./form.ts";
import { Carrier } from "./messages-carrier.ts";
import { type HealthyReceiver, startHealthy } from "./webhook-receivers.ts";

const ROUNDS = roundsOf({ quick: 1, long: 20 });
const MESSAGES = 20;
const CALLS = 3;
const DATABASE_SECONDS = 3;
const LATE_SECONDS = DATABASE_SECONDS + 2;
const SETTLED = { timeout: 150_000, interval: 200 };
const ANSWERS_AT_ONCE = "+14155550111";
const HANGS_UP = "+14155550107";

/** The number of recorded claims, of each kind. */
const OWNED = {
  messages: "select count(*)::int as count from submits",
  deliveries: "select count(*)::int as count from delivery_queue where claimed_by is not null",
  calls: "select count(*)::int as count from calls where process is not null and status <> 'Completed'",
  segments: "select count(*)::int as count from recording_segments where state = 'Encoding'",
} as const;
const CLAIMED = /\b(outbound_queue|submits|delivery_queue|calls|recording_segments)\b|; commit$/;

let carrier: Carrier;
let receiver: HealthyReceiver;
let line: SpoiledLine;
let databaseUrl: string;
/** Not through the proxy. */
let database: Database;
afterAll(async () => {
  await database.close();
  await line.close();
  await dropDatabase(databaseUrl);
  await receiver.close();
  await carrier.close();
});
/** Through the proxy. */
const tandem = useTandem(async () => {
  carrier = await Carrier.start();
  receiver = await startHealthy();
  databaseUrl = await newDatabase();
  database = databaseOf({ databaseUrl });
  line = await openSpoiledLine(connectionTo(databaseUrl), LATE_SECONDS * 1_000);
  const environment = {
    TANDEM_LOG_LEVEL: "error",
    TANDEM_CONFIG: carrier.config,
    TANDEM_DATABASE_SECONDS: String(DATABASE_SECONDS),
  };
  return { databaseUrl: line.url, environment };
});

let account: TestAccount;
let from: string;
beforeAll(async () => {
  const limits = { read: WIDE, write: WIDE, send: WIDE, sendToRecipient: WIDE, call: WIDE, concurrentCalls: WIDE };
  account = await newAccount(tandem, { features: ["voice"], limits });
  ({ number: from } = await newSender(tandem, database, account));
  for (const type of ["CallStatusChangedWebhook", "CallRecordingCompleted"])
    await answerOf(await account.call("/v1/Webhooks", json("POST", { type, url: receiver.url })), 201);
});

/** Repeats a request under one key until it is acknowledged; returns its sid. */
async function acknowledged(path: string, order: object, status: number, key: string): Promise<string> {
  for (;;) {
    const { headers, ...init } = json("POST", order);
    const answer = await account.call(path, { ...init, headers: { ...headers, "Idempotency-Key": key } });
    if (answer.status === status) return ((await answer.json()) as { sid: string }).sid;
    const text = await answer.text();
    // Refused temporarily, or a repeat of a request that is still running.
    expect([503, 409], text).toContain(answer.status);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

/** Messages with and without a key, each with a callback, and recorded calls. Returns what was acknowledged. */
async function work(
  round: string,
): Promise<{ readonly messages: readonly string[]; readonly calls: readonly string[] }> {
  const text = (at: number) => `${round}-${at} hello`;
  const order = (at: number) => ({
    From: from,
    To: `+1415474${String(1_000 + at)}`,
    Text: text(at),
    CallbackUrlOverride: receiver.url,
  });
  const keyed = Array.from({ length: MESSAGES }, (_, at) => acknowledged(SEND, order(at), 200, text(at)));
  const plain = Array.from({ length: MESSAGES }, async (_, at) => {
    const answer = await account.call(SEND, form(order(MESSAGES + at)));
    return answer.status === 200 ? [((await answer.json()) as MessageBody).sid] : [];
  });
  const calls = Array.from({ length: CALLS }, (_, at) =>
    acknowledged("/v1/Voice/Calls", { from: ANSWERS_AT_ONCE, to: HANGS_UP, record: true }, 201, `${round} call ${at}`),
  );
  return {
    messages: [...(await Promise.all(keyed)), ...(await Promise.all(plain)).flat()],
    calls: await Promise.all(calls),
  };
}

async function listed<Item>(path: string): Promise<readonly Item[]> {
  return (await answerOf<List<Item>>(await account.call(`${path}PageSize=1000`), 200)).items;
}

const ownedNow = async () => {
  const counts = Object.entries(OWNED).map(async ([kind, query]) => {
    const [row] = await database.query<{ count: number }>(query);
    return [kind, row?.count] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
};
const NOTHING = { messages: 0, deliveries: 0, calls: 0, segments: 0 };

/** Waits until all is done, and compares the API's records with what the carrier and the receiver saw. */
async function expectAllDone(round: string, { messages, calls }: Awaited<ReturnType<typeof work>>): Promise<void> {
  const unfinished = async () => [
    ...(await listed<MessageBody>(`${SEND}?`)).filter(({ status }) => status === "Queued" || status === "Sent"),
    ...(await listed<RecordedCall>("/v1/Voice/Calls?")).filter(
      ({ status, recordings }) => status !== "Completed" || !["Completed", "Failed"].includes(recordings.status),
    ),
  ];
  const brief = async () => (await unfinished()).map(({ sid, status }) => `${sid} ${status}`);
  await expect.poll(brief, SETTLED).toEqual([]);
  await expect.poll(ownedNow, SETTLED).toEqual(NOTHING);
  // No response of the carrier was lost: no outcome is unknown, and nothing arrived twice.
  const records = (await listed<MessageBody>(`${SEND}?`)).filter(({ text }) => String(text).startsWith(`${round}-`));
  expect(records.filter(({ status }) => status !== "Delivered")).toEqual([]);
  expect(records.map(({ sid }) => sid)).toEqual(expect.arrayContaining([...messages]));
  const arrived = carrier.takeLedger().received.map(({ text }) => text);
  expect(arrived.toSorted()).toEqual(records.map(({ text }) => String(text)).toSorted());
  await expect.poll(() => untold(records, calls), SETTLED).toEqual([]);
}

/** Resources whose events are missing at the receiver, or out of order; repeats carry the same id. */
function untold(records: readonly MessageBody[], calls: readonly string[]): readonly string[] {
  const told = new Map<string, string[]>();
  const seen = new Set<string>();
  for (const { headers, body } of receiver.requests) {
    const id = String(headers["webhook-id"]);
    if (seen.has(id)) continue;
    seen.add(id);
    const { Sid, CallSid, Leg = "", Status = "Recorded" } = JSON.parse(body.toString()) as Record<string, string>;
    const about = Sid ?? CallSid ?? "";
    told.set(about, [...(told.get(about) ?? []), `${Leg} ${Status}`.trim()]);
  }
  const faults = records.filter(({ sid }) => told.get(sid)?.join() !== "Sent,Delivered").map(({ sid }) => sid);
  const openCalls = calls.filter(
    (sid) =>
      !ENDS.has(
        told
          .get(sid)
          ?.filter((one) => one.endsWith("Completed"))
          .join() ?? "",
      ),
  );
  return [...faults, ...openCalls].map((sid) => `${sid}: ${told.get(sid)?.join()}`);
}
/** A call that was never connected has one leg. */
const ENDS = new Set(["First Completed,Second Completed", "First Completed"]);

test(
  "nothing stays claimed, whichever statement is killed, cut off from its answer or answered too late",
  async () => {
    await expectAllDone("0", await work("0"));
    const texts = [...line.seen].filter((text) => CLAIMED.test(text)).sort();
    expect(texts.length).toBeGreaterThan(20);
    const seed = roundsOf({ quick: 1, long: Date.now() % 1_000_000 });
    const chance = new Chance(seed);
    for (let round = 1; round <= ROUNDS; round++) {
      line.spoil(new Map(texts.map((text) => [text, chance.oneOf(FAULTS) as Fault])));
      await expectAllDone(`${round}`, await work(`${round}`));
      console.log(`round ${round}/${ROUNDS}, seed ${seed}: ${texts.length - line.left.size} statements spoiled`);
    }
  },
  LONG_TIMEOUT_MS,
);

/** The change by which a claim of each kind is recognised. */
const CLAIMS = {
  submits: { change: "insert", when: "true" },
  delivery_queue: { change: "update", when: "old.claimed_by is null and new.claimed_by is not null" },
  calls: { change: "update", when: "old.process is null and new.process is not null" },
  recording_segments: { change: "update", when: "old.state = 'Waiting' and new.state = 'Encoding'" },
};

/** A claim in a table that `late_commits` names commits after its caller has given up. */
async function installLateCommits(): Promise<void> {
  await database.query("create table late_commits (name text)");
  await database.query(`
    create function commit_late() returns trigger language plpgsql as $$ begin
      delete from late_commits where ctid in
        (select ctid from late_commits where name = tg_table_name limit 1 for update skip locked);
      if found then perform pg_sleep(${LATE_SECONDS}); end if;
      return null;
    end $$`);
  for (const [table, { change, when }] of Object.entries(CLAIMS)) {
    await database.query(`
      create constraint trigger commit_late after ${change} on ${table} deferrable initially deferred
        for each row when (${when}) execute function commit_late()`);
  }
}

test(
  "a claim that commits after its caller gave up is given back",
  async () => {
    await installLateCommits();
    for (let round = 1; round <= ROUNDS; round++) {
      await database.query("insert into late_commits select unnest($1::text[])", [Object.keys(CLAIMS)]);
      // A claim that fails before it commits was not late: the next one of its kind is.
      for (let part = 1; (await database.query("select name from late_commits")).length > 0; part++) {
        await expectAllDone(`late ${round}.${part}`, await work(`late ${round}.${part}`));
      }
      console.log(`round ${round}/${ROUNDS}: a claim of every kind committed late`);
    }
  },
  LONG_TIMEOUT_MS,
);
