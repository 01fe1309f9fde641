// The guarantee of delivery: whatever receivers do, no event is lost, no delivery waits for another subscription's
// receiver, and the server's memory stays bounded. Every misbehaving receiver is subscribed beside healthy ones, and
// all get the same events.

import { readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Database } from "../../src/adapters/store/engine/database.ts";
import { emitEvents } from "../../src/adapters/store/webhooks/outbox.ts";
import { EVENT_SAMPLES } from "../../src/domain/events.ts";
import { newAccount, type TestAccount } from "../contract/account.ts";
import { json, startTandem, type Tandem } from "../tandem.ts";
import { databaseOf } from "../tandem-database.ts";
import { LONG_TIMEOUT_MS, roundsOf } from "./form.ts";
import * as zoo from "./webhook-receivers.ts";

const HEALTHY = 5;
const EVENTS = roundsOf({ quick: 300, long: 5_000 });
const EVENTS_PER_STATEMENT = 50;
/**
 * Events sent to healthy receivers alone first, so that the measured growth is the cost of hostile receivers and not of
 * the work itself.
 */
const WARM_UP_EVENTS = 300;
const GROWTH_BYTES_MAX = 100_000_000;
const UNTIL = { timeout: LONG_TIMEOUT_MS, interval: 200 };
const TYPE = "OutboundMessageStatusChanged";

/**
 * The outcome of deliveries to it. `arrives`: the response is strange, but a success. `stays`: it is retried, and the
 * attempt shows the status or why there was none.
 */
type Fate = { readonly kind: "arrives" } | { readonly kind: "stays"; readonly shows: number | RegExp };

interface Beast {
  readonly habit: string;
  readonly start: () => Promise<zoo.Receiver>;
  readonly fate: Fate;
  /** Keeps its connections open as long as possible. */
  readonly hangs?: boolean;
  /** Answers the first request of a connection completely, and not the next. */
  readonly answersOnce?: boolean;
}

const arrives: Fate = { kind: "arrives" };
const stays = (shows: number | RegExp): Fate => ({ kind: "stays", shows });

const BEASTS: readonly Beast[] = [
  { habit: "never answers", start: zoo.startSilent, fate: stays(/^timeout: .*15000 ms/), hangs: true },
  {
    habit: "never ends the TLS handshake",
    start: () => zoo.startSilent("https"),
    fate: stays(/^(connect|tls|timeout): /),
  },
  { habit: "hangs after its headers", start: zoo.startHangAfterHeaders, fate: arrives, hangs: true },
  { habit: "drips its body", start: () => zoo.startDrip("body"), fate: arrives, hangs: true },
  { habit: "drips its headers", start: () => zoo.startDrip("head"), fate: stays(/^timeout: /), hangs: true },
  { habit: "resets at once", start: zoo.startResetAtOnce, fate: stays(/^reset: /) },
  { habit: "closes without an answer", start: zoo.startCloseWithoutAnswer, fate: stays(/^reset: /) },
  { habit: "resets in mid-body", start: zoo.startResetMidBody, fate: arrives },
  { habit: "fails and resets in mid-body", start: () => zoo.startResetMidBody(503), fate: stays(503) },
  { habit: "answers 100 MB", start: zoo.startHugeAnswer, fate: arrives },
  { habit: "answers 100 MB in chunks", start: () => zoo.startHugeAnswer(100_000_000, true), fate: arrives },
  { habit: "answers with a gzip bomb", start: zoo.startGzipBomb, fate: arrives },
  { habit: "redirects without end", start: zoo.startRedirects, fate: stays(307) },
  { habit: "shows an untrusted certificate", start: zoo.startUntrustedTls, fate: stays(/^tls: /) },
  { habit: "talks garbage", start: zoo.startGarbage, fate: stays(/^protocol: /) },
  { habit: "sends endless headers", start: zoo.startHugeHeaders, fate: stays(/^too-large: /) },
  { habit: "fails with 500", start: () => zoo.startStatus(500), fate: stays(500) },
  { habit: "asks to wait", start: () => zoo.startStatus(429, { "retry-after": "3600" }), fate: stays(429) },
  { habit: "gives early hints", start: () => zoo.startInterim("early-hints"), fate: arrives, answersOnce: true },
  { habit: "upgrades unasked", start: () => zoo.startInterim("upgrade"), fate: stays(/^protocol: /) },
  { habit: "never comes to its answer", start: () => zoo.startInterim("endless"), fate: stays(/^protocol: /) },
  { habit: "answers before it reads", start: zoo.startEarlyAnswer, fate: arrives, answersOnce: true },
  { habit: "refuses before it reads", start: () => zoo.startEarlyAnswer(413), fate: stays(413), answersOnce: true },
  { habit: "promises too much", start: () => zoo.startWrongLength("long"), fate: arrives },
  { habit: "promises too little", start: () => zoo.startWrongLength("short"), fate: arrives, answersOnce: true },
];

interface Subscribed<Kind extends zoo.Receiver = zoo.Receiver> {
  readonly sid: string;
  readonly receiver: Kind;
}

let tandem: Tandem;
let database: Database;
let account: TestAccount;
const started: zoo.Receiver[] = [];

beforeAll(async () => {
  tandem = await startTandem({ environment: { TANDEM_LOG_LEVEL: "warn" } });
  database = databaseOf(tandem);
  const wide = { requests: 1_000_000, windowSeconds: 10 };
  account = await newAccount(tandem, { limits: { read: wide, write: wide } });
});
afterEach(async () => {
  for (const receiver of started.splice(0)) await receiver.close();
});
afterAll(async () => {
  await database?.close();
  await tandem?.stop();
});

test(
  "no event is lost and no healthy receiver waits, while receivers of every hostile habit are subscribed beside",
  () => whileAlive(visitZoo()),
  LONG_TIMEOUT_MS,
);

async function visitZoo(): Promise<void> {
  await warmUp();
  const target = keep(await zoo.startHealthy());
  const healthy: Subscribed<zoo.HealthyReceiver>[] = [];
  for (let at = 0; at < HEALTHY; at++) healthy.push(await subscribe(await zoo.startHealthy()));
  const beasts: (Subscribed & Beast)[] = [];
  for (const beast of BEASTS) beasts.push({ ...beast, ...(await subscribe(await beast.start())) });
  const away = await subscribe(await zoo.startStatus(302, { location: target.url }));
  const gone = await subscribe(await zoo.startStatus(410));
  const before = residentBytes();

  await emitAll("OMzoo", EVENTS);
  await Promise.all(healthy.map(({ receiver }) => receiver.whenReceived(EVENTS)));
  const hanging = beasts.filter(({ hangs }) => hangs).reduce((sum, { receiver }) => sum + receiver.open, 0);
  expect(hanging, "connections that hostile receivers still held when the healthy ones had everything").toBeGreaterThan(
    0,
  );

  for (const { sid, receiver } of healthy) {
    await expect.poll(() => countsOf(sid), UNTIL).toEqual({ Delivered: EVENTS });
    expect(new Set(receiver.requests.map(({ headers }) => headers["webhook-id"])).size).toBe(EVENTS);
    // A starved server repeats attempts that it could not record in time, and says so.
    if (/attempts not recorded|claims that no process holds|hang/.test(tandem.output())) continue;
    expect(receiver.requests).toHaveLength(EVENTS);
    expect(await attemptCountOf(sid)).toBe(EVENTS);
  }

  for (const beast of beasts) {
    const { habit, sid, fate } = beast;
    if (fate.kind === "arrives") {
      await expect.poll(async () => (await countsOf(sid)).Delivered ?? 0, UNTIL).toBeGreaterThan(0);
    }
    await expect.poll(() => attemptsOf(sid), UNTIL).not.toEqual([]);
    for (const attempt of await attemptsOf(sid)) expectShown(beast, attempt);
    const counts = await countsOf(sid);
    expect(sumOf(counts), `deliveries to the one that ${habit}`).toBe(EVENTS);
    if (fate.kind === "stays") expect(counts, habit).toEqual({ Pending: EVENTS });
    else expect(Object.keys(counts), habit).toEqual(expect.not.arrayContaining(["Failed", "Canceled"]));
    // Every unfinished delivery is still queued: none can be forgotten.
  }

  await expect
    .poll(() => subscriptionOf(gone.sid), UNTIL)
    .toMatchObject({
      enabled: false,
      disabledReason: expect.stringContaining("410"),
    });
  await expect.poll(async () => (await countsOf(gone.sid)).Pending ?? 0, UNTIL).toBe(0);
  expect(sumOf(await countsOf(gone.sid))).toBeLessThanOrEqual(EVENTS);

  await expect.poll(() => attemptsOf(away.sid), UNTIL).not.toEqual([]);
  for (const attempt of await attemptsOf(away.sid)) expect(attempt).toMatchObject({ status: 302 });
  expect(target.accepted, "connections to where the redirect led").toBe(0);

  const grown = residentBytes() - before;
  console.log(
    `${EVENTS} events to ${BEASTS.length + HEALTHY + 2} receivers; the server grew from ${Math.round(before / 1e6)} by ${Math.round(grown / 1e6)} MB`,
  );
  expect(grown).toBeLessThan(GROWTH_BYTES_MAX);
}

/** Fails when the server has ended, instead of waiting for something that will never happen. */
async function whileAlive<Value>(work: Promise<Value>): Promise<Value> {
  let watch: NodeJS.Timeout | undefined;
  const death = new Promise<never>((_, reject) => {
    watch = setInterval(() => {
      if (!isRunning(tandem.pid)) reject(new Error(`The server has ended:\n${tandem.output().slice(-2000)}`));
    }, 500);
  });
  try {
    return await Promise.race([work, death]);
  } finally {
    clearInterval(watch);
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function keep<Kind extends zoo.Receiver>(receiver: Kind): Kind {
  started.push(receiver);
  return receiver;
}

async function subscribe<Kind extends zoo.Receiver>(receiver: Kind): Promise<Subscribed<Kind>> {
  keep(receiver);
  const answer = await account.call("/v1/Webhooks", json("POST", { type: TYPE, url: receiver.url }));
  expect(answer.status).toBe(201);
  return { sid: ((await answer.json()) as { sid: string }).sid, receiver };
}

async function subscriptionOf(sid: string): Promise<unknown> {
  return (await account.call(`/v1/Webhooks/${sid}`)).json();
}

/** As many receivers as later, all of them healthy. */
async function warmUp(): Promise<void> {
  const all: Subscribed<zoo.HealthyReceiver>[] = [];
  for (let at = 0; at < BEASTS.length + HEALTHY + 2; at++) all.push(await subscribe(await zoo.startHealthy()));
  await emitAll("OMwarm", WARM_UP_EVENTS);
  for (const { sid, receiver } of all) {
    await expect.poll(() => countsOf(sid), UNTIL).toEqual({ Delivered: WARM_UP_EVENTS });
    expect((await account.call(`/v1/Webhooks/${sid}`, { method: "DELETE" })).status).toBe(204);
    await receiver.close();
  }
}

async function emitAll(name: string, count: number): Promise<void> {
  for (let at = 0; at < count; at += EVENTS_PER_STATEMENT) {
    const events = Array.from(
      { length: Math.min(EVENTS_PER_STATEMENT, count - at) },
      (_, more) =>
        ({
          accountSid: account.sid,
          type: TYPE,
          resourceSid: `${name}${at + more}`,
          fields: EVENT_SAMPLES[TYPE],
        }) as const,
    );
    await emitEvents(database, events, new Date());
  }
}

function expectShown({ habit, fate, answersOnce = false }: Beast, { status, failure }: ShownAttempt): void {
  const about = `an attempt at the one that ${habit} shows ${failure ?? status}`;
  const wanted = fate.kind === "arrives" ? 200 : fate.shows;
  if (answersOnce && failure?.startsWith("timeout: ")) return;
  if (typeof wanted === "number") expect([status, failure], about).toEqual([wanted, null]);
  else expect([status, failure], about).toEqual([null, expect.stringMatching(wanted)]);
}

interface ShownAttempt {
  readonly status: number | null;
  readonly failure: string | null;
}

function attemptsOf(sid: string): Promise<readonly ShownAttempt[]> {
  return database.query(
    `select distinct statuses[n] as status, texts[details[n] + 1]::json ->> 'failure' as failure
       from attempts join deliveries on sid = delivery_sid, generate_subscripts(attempts.places, 1) as n where subscription_sid = $1`,
    [sid],
  );
}

async function countsOf(sid: string): Promise<Readonly<Partial<Record<string, number>>>> {
  const rows = await database.query<{ status: string; count: number }>(
    `select case when exists (select from delivery_queue where delivery_sid = batch.sid and place = any (places)) then 'Pending'
                 when place = any (failed) then 'Failed' when place = any (canceled) then 'Canceled' else 'Delivered' end as status,
            count(*)::int as count
       from deliveries as batch, unnest(places) as place where subscription_sid = $1 group by 1`,
    [sid],
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

async function attemptCountOf(sid: string): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `select sum(cardinality(attempts.places))::int as count
       from attempts join deliveries on sid = delivery_sid where subscription_sid = $1`,
    [sid],
  );
  return row?.count ?? 0;
}

function sumOf(counts: Readonly<Partial<Record<string, number>>>): number {
  return Object.values(counts).reduce<number>((sum, count) => sum + (count ?? 0), 0);
}

/** Memory of the server's process alone, without PostgreSQL. */
function residentBytes(): number {
  const status = readFileSync(`/proc/${tandem.pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}
