// A database that falls silent, hangs or is out of space: revoked rights end, callers get an error, and a request that
// was given up is not carried out later.

import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { ACCOUNT_CHANGED, notify, OPERATORS_CHANGED } from "../../src/adapters/store/engine/channels.ts";
import type { Database } from "../../src/adapters/store/engine/database.ts";
import { EACH_EVENT } from "../../src/adapters/store/webhooks/event-batches.ts";
import { newAccount } from "../contract/account.ts";
import { form, type MessageBody, SEND, UNTIL } from "../contract/messages.ts";
import type { List } from "../contract/numbers.ts";
import { problemOf } from "../contract/problem.ts";
import { type DatabaseLine, openDatabaseLine } from "../fakes/database-line.ts";
import { connectionTo, dropDatabase, newDatabase } from "../shared-database.ts";
import { basic, json, type Tandem } from "../tandem.ts";
import { databaseOf, startBeside } from "../tandem-database.ts";
import { startOnShared, useTandem } from "../use-tandem.ts";
import { LONG_TIMEOUT_MS, roundsOf } from "./form.ts";
import { NO_LIMITS, OtherTenants, withoutLimits } from "./other-tenants.ts";

let line: DatabaseLine;
let databaseUrl: string;
/** Not through the proxy. */
let database: Database;
// After the server has stopped: afterAll hooks run in reverse order.
afterAll(async () => {
  await database.close();
  await line.close();
  await dropDatabase(databaseUrl);
});
/** Through the proxy. */
const tandem = useTandem(async () => {
  databaseUrl = await newDatabase();
  database = databaseOf({ databaseUrl });
  line = await openDatabaseLine(connectionTo(databaseUrl));
  return { databaseUrl: line.url, environment: { TANDEM_LOG_LEVEL: "warn", TANDEM_DATABASE_SECONDS: "6" } };
});
let from: string;
let others: OtherTenants;
beforeAll(async () => {
  from = await withoutLimits(tandem);
  const { call } = await newAccount(tandem, { limits: NO_LIMITS });
  others = await OtherTenants.watch([() => call("/carrierLookup/v1/Numbers/+12024561414")]);
});

interface ReadyBody {
  readonly checks: { readonly store: string };
}
const ready = async () => {
  const answer = await tandem.get("/readyz");
  return { status: answer.status, store: ((await answer.json()) as ReadyBody).checks.store };
};

// Before notifications are silent: requests then wait for what is read in their place, too.
test("a server whose connections are all in use stays ready, and tells those that wait too long when to ask again", async () => {
  const waiting = () =>
    database.query("select from pg_stat_activity where application_name = $1 and wait_event_type = 'Lock'", [
      `tandem ${tandem.pid}`,
    ]);
  const ask = () => tandem.get(`/v1/Phones/${encodeURIComponent(from)}`);
  const answers: Response[] = [];
  let isAsking = true;
  const askOnAndOn = async () => {
    while (isAsking) answers.push(await ask());
  };
  await database.transaction(async (unit) => {
    await unit.query("lock table phones in access exclusive mode");
    let isOver = false;
    const asking = Promise.all(Array.from({ length: 20 }, askOnAndOn)).finally(() => {
      isOver = true;
    });
    // PostgreSQL ends a transaction that is idle for long.
    const stayLocked = () => unit.query("select pg_sleep(0.1)");
    const waitingNow = async () => {
      await stayLocked();
      return waiting();
    };
    await expect.poll(waitingNow, UNTIL).toHaveLength(10);
    expect(await ready()).toEqual({ status: 200, store: "ok" });
    isAsking = false;
    while (!isOver) await stayLocked();
    await asking;
  });
  for (const answer of answers) {
    expect((await problemOf(answer, 503)).code).toBe("unavailable");
    expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  }
  await expect.poll(async () => (await ask()).status, UNTIL).toBe(200);
});

test("a revoked token, a suspended account and a deleted operator token count, however silent the notifications are", async () => {
  const [revoked, suspended, other] = [await newAccount(tandem), await newAccount(tandem), await newAccount(tandem)];
  const made = await tandem.operator("/operator/v1/Tokens", json("POST", { name: "leaving", role: "admin" }));
  const { token } = (await made.json()) as { token: string };
  const asLeaving = () => fetch(`${tandem.url}/operator/v1/Accounts`, { headers: basic("operator", token) });
  const statuses = async () => {
    const answers = [revoked.call("/v1/Phones"), suspended.call("/v1/Phones"), asLeaving(), other.call("/v1/Phones")];
    return (await Promise.all(answers)).map(({ status }) => status);
  };
  expect(await statuses()).toEqual([200, 200, 200, 200]);
  line.hold("tandem listener");
  onTestFinished(() => line.release());
  // As another process would do it.
  await database.transaction(async (unit) => {
    await unit.query("delete from account_tokens where account_sid = $1", [revoked.sid]);
    await unit.query("update accounts set status = 'Suspended' where sid = $1", [suspended.sid]);
    await unit.query("delete from operator_tokens where name = 'leaving'");
    for (const { sid } of [revoked, suspended]) await notify(unit, ACCOUNT_CHANGED, sid);
    await notify(unit, OPERATORS_CHANGED);
  });
  const changedMs = performance.now();
  await others.beside("silent notifications", () => expect.poll(statuses, UNTIL).toEqual([401, 403, 401, 200]));
  console.log(`rights lost after ${Math.round(performance.now() - changedMs)} ms while notifications are silent`);
});

const send = (text: string) => tandem.get(SEND, form({ From: from, To: "+14155550100", Text: text }));

async function storedTexts(): Promise<readonly string[]> {
  const rows = await database.query<{ text: string }>("select text from outbound_messages order by text");
  return rows.map(({ text }) => text);
}

test("a database that hangs is reported with 503, and what was given up is not done when it goes on", async () => {
  const makeAccount = (headers: Readonly<Record<string, string>> = {}) => {
    const order = json("POST", { name: "Given up" });
    return tandem.operator("/operator/v1/Accounts", { ...order, headers: { ...order.headers, ...headers } });
  };
  // The message is in PostgreSQL's socket; later requests wait behind it.
  line.holdFrom("given up 0");
  onTestFinished(() => line.release());
  const times: number[] = [];
  const timed = async (asked: Promise<Response>) => {
    const startMs = performance.now();
    const answer = await asked;
    times.push(Math.round(performance.now() - startMs));
    return answer;
  };
  const first = timed(send("given up 0"));
  await expect.poll(() => line.isHeld(), UNTIL).toBe(true);
  const later = Array.from({ length: 20 }, (_, at) => send(`given up ${at + 1}`));
  later.push(makeAccount(), makeAccount({ "Idempotency-Key": "given up" }));
  const all = Promise.all([first, ...later.map(timed)]);
  const answers = await others.beside("a database that hangs", () => all, [200, 503]);
  for (const answer of answers) {
    expect((await problemOf(answer, 503)).code).toBe("unavailable");
    expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  }
  expect(await ready()).toEqual({ status: 503, store: "out of reach" });
  line.release();
  const releasedMs = performance.now();
  await expect.poll(async () => (await send("afterwards")).status, UNTIL).toBe(200);
  const backMs = Math.round(performance.now() - releasedMs);
  await expect.poll(ready, UNTIL).toEqual({ status: 200, store: "ok" });
  expect(await storedTexts()).toEqual(["afterwards"]);
  expect(await database.query("select from accounts where name = 'Given up'")).toEqual([]);
  expect(await database.query("select from kept_answers")).toEqual([]);
  console.log(
    `hung: 503 after ${Math.min(...times)} to ${Math.max(...times)} ms; back ${backMs} ms after the database`,
  );
});

/** The error that PostgreSQL reports when a message needs a new page. */
async function fillDisk(): Promise<void> {
  const raise = "begin raise exception 'No space left on device' using errcode = '53100'; end";
  await database.query(`create function disk_full() returns trigger language plpgsql as $$ ${raise} $$`);
  await database.query(`create function no_page() returns event_trigger language plpgsql as $$ ${raise} $$`);
  await database.query("create trigger disk_full before insert on outbound_messages execute function disk_full()");
  await database.query("create event trigger no_page on ddl_command_start execute function no_page()");
}

async function freeDisk(): Promise<void> {
  await database.query("drop event trigger no_page");
  await database.query("drop trigger disk_full on outbound_messages");
  await database.query("drop function no_page");
  await database.query("drop function disk_full");
}

test("a full disk is reported with 503, and /readyz reports it until there is space", async () => {
  await fillDisk();
  const refused = await send("no room");
  expect((await problemOf(refused, 503)).code).toBe("unavailable");
  expect(refused.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  expect(await ready()).toEqual({ status: 503, store: expect.stringContaining("No space left on device") });
  expect((await tandem.get("/carrierLookup/v1/Numbers/+12024561414")).status).toBe(200);
  await freeDisk();
  expect(await ready()).toEqual({ status: 200, store: "ok" });
  expect((await send("room")).status).toBe(200);
});

test(
  "a log that no one reads stops nothing, however much there is to tell",
  async () => {
    await fillDisk();
    tandem.readOutput(false);
    onTestFinished(() => tandem.readOutput(true));
    const told = tandem.output().length;
    const statuses = await others.beside("a log that nobody reads", async () => {
      const seen = new Set<number>();
      // More output than a pipe holds: every refusal is logged.
      for (let round = 0; round < roundsOf({ quick: 12, long: 1_000 }); round++) {
        const answers = await Promise.all(Array.from({ length: 50 }, () => send("unread")));
        for (const answer of answers) seen.add((await problemOf(answer, 503)).status);
      }
      return seen;
    });
    expect(statuses).toEqual(new Set([503]));
    await freeDisk();
    expect((await send("unread, and sent")).status).toBe(200);
    expect(tandem.output()).toHaveLength(told);
    tandem.readOutput(true);
    await expect.poll(() => tandem.output().length - told, UNTIL).toBeGreaterThan(100_000);
  },
  LONG_TIMEOUT_MS,
);

test("a sender that hangs is replaced by the next worker, which sends everything once", async () => {
  const hasty = { TANDEM_LOG_LEVEL: "error", TANDEM_DATABASE_SECONDS: "3" };
  const first = await startOnShared({ environment: hasty });
  const second = await startBeside(first, hasty);
  const own = databaseOf(first);
  onTestFinished(async () => {
    process.kill(first.pid, "SIGCONT");
    await own.close();
    await second.stop();
    await first.stop();
  });
  const standing = async (server: Tandem) =>
    ((await (await server.get("/readyz")).json()) as { sending: string }).sending;
  expect([await standing(first), await standing(second)]).toEqual(["here", "elsewhere"]);
  const { items } = (await (await first.get("/v1/Phones")).json()) as List<{ readonly number: string }>;
  process.kill(first.pid, "SIGSTOP");
  const stoppedMs = performance.now();
  const times: number[] = [];
  const sids: string[] = [];
  for (let at = 0; at < roundsOf({ quick: 20, long: 80 }); at++) {
    const startMs = performance.now();
    const answer = await fetch(second.url + SEND, {
      ...form({ From: items[0]?.number as string, To: `+1415555${String(1_000 + at)}`, Text: `message ${at}` }),
      headers: { ...basic(first.accountSid, first.token), "Content-Type": "application/x-www-form-urlencoded" },
    });
    expect(answer.status).toBe(200);
    times.push(performance.now() - startMs);
    sids.push(((await answer.json()) as MessageBody).sid);
  }
  const unsent = () => own.query("select sid from outbound_messages where sid = any($1) and sent_at is null", [sids]);
  await expect.poll(unsent, UNTIL).toEqual([]);
  const takenMs = Math.round(performance.now() - stoppedMs);
  expect(await standing(second)).toBe("here");
  process.kill(first.pid, "SIGCONT");
  await expect.poll(() => standing(first), UNTIL).toBe("elsewhere");
  const submits = await own.query<{ count: number }>(
    `select count(*)::int from ${EACH_EVENT} as event where resource_sid = any($1) and first_fields::json ->> 'Status' = 'Sent'`,
    [sids],
  );
  expect(submits).toEqual([{ count: sids.length }]);
  times.sort((a, b) => a - b);
  console.log(
    `frozen sender: all sent ${takenMs} ms after the freeze; accepted meanwhile, median ${Math.round(times[times.length >> 1] as number)} ms`,
  );
});
