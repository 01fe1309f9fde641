// Deliveries per second with every attempt stored on a durable PostgreSQL, compared with a bare undici loop that signs
// and posts the same bodies to the same receiver, with the processor time of each. Then the time from an event's commit
// to its arrival at 200 events a second to 1,000 endpoints, all healthy and with 300 of them hanging. Both sides
// alternate in rounds; the median of the rounds counts.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { emitEvents } from "../src/adapters/store/webhooks/outbox.ts";
import { basic, json, startTandem } from "../test/tandem.ts";
import { databaseOf, startBeside } from "../test/tandem-database.ts";
import { countDatabaseWork, type DatabaseWork } from "./load/database-work.ts";
import { type CpuUs, compareCpu, countCpu, processesOf } from "./load/processor-time.ts";
import { median, medians, printResult, round } from "./load/result.ts";
import { sampleFields } from "./webhooks/sample.ts";

const ROUNDS = 3;
const DELIVERIES = 40_000;
/** Before those, by each new process of both sides: V8 optimises code by how often it has run. */
const WARM_UP_DELIVERIES = 20_000;
const DELIVERIES_OF_A_ROUND = WARM_UP_DELIVERIES + DELIVERIES;
const ACCOUNTS = 4;
const CONCURRENCY = 32;
const ENDPOINTS = 1_000;
const HOSTILE = 300;
const EVENTS_PER_SECOND = 200;
const LATENCY_SECONDS = 20;
/** The timeout of a delivery to an endpoint that hangs. */
const DEADLINE_MS = 15_000;

interface Latency {
  readonly p50: number;
  readonly p99: number;
  readonly events: number;
}

interface Figures {
  readonly perSecond: number;
  /** For each delivery. */
  readonly cpuUs: CpuUs;
  /** Of the side that stores. */
  readonly database?: DatabaseWork;
}

interface Account {
  readonly sid: string;
  readonly token: string;
}

const receiver = spawn(process.execPath, ["--import", "tsx", "bench/webhooks/receiver.ts"], {
  stdio: ["ignore", "pipe", "inherit"],
});
const [portLine] = await once(receiver.stdout, "data");
const port = Number(String(portLine));
const tandem = await startTandem({ environment: { TANDEM_LOG_LEVEL: "error", TANDEM_ROLES: "api" } });
const database = databaseOf(tandem);

try {
  const accounts = await Promise.all(Array.from({ length: ACCOUNTS }, (_, at) => makeAccount(`account ${at}`)));
  for (const account of accounts) await subscribe(account, `http://127.0.0.1:${port}/hook`);
  const rounds = { bare: [] as Figures[], ours: [] as Figures[] };
  for (let round = 1; round <= ROUNDS; round++) {
    rounds.bare.push(await bare());
    await emitBacklog(accounts, round);
    rounds.ours.push(await ours());
    for (const name of ["bare", "ours"] as const) {
      console.log(`round ${round}: ${name} ${JSON.stringify(rounds[name].at(-1))}`);
    }
  }
  const worker = await startBeside(tandem, { TANDEM_LOG_LEVEL: "error", TANDEM_ROLES: "worker" });
  const endpoints = { healthy: await makeEndpoints(0), mixed: await makeEndpoints(HOSTILE) };
  await latency(endpoints.healthy, 0, "warm-up");
  const latencies = { healthy: [] as Latency[], mixed: [] as Latency[] };
  for (let round = 1; round <= ROUNDS; round++) {
    latencies.healthy.push(await latency(endpoints.healthy, 0, `healthy${round}`));
    latencies.mixed.push(await latency(endpoints.mixed, HOSTILE, `mixed${round}`));
    console.log(
      `round ${round}: ${JSON.stringify({ healthy: latencies.healthy.at(-1), mixed: latencies.mixed.at(-1) })}`,
    );
    await forgetHanging();
  }
  await worker.stop();
  const rateOf = (name: "bare" | "ours") => median(rounds[name].map(({ perSecond }) => perSecond));
  const cpuOf = (name: "bare" | "ours") => medians(rounds[name].map(({ cpuUs }) => cpuUs));
  printResult("webhooks", {
    ratio: round(rateOf("ours") / rateOf("bare")),
    oursPerSecond: rateOf("ours"),
    barePerSecond: rateOf("bare"),
    ...compareCpu(cpuOf("ours"), cpuOf("bare")),
    ...medians(rounds.ours.flatMap(({ database = [] }) => database)),
    firstAttemptMs: { healthy: medians(latencies.healthy), mixed: medians(latencies.mixed) },
  });
} finally {
  receiver.kill();
  await database.close();
  await tandem.stop();
}

async function makeAccount(name: string): Promise<Account> {
  const limit = { requests: 1_000_000, windowSeconds: 10 };
  const order = { name, limits: { write: limit, read: limit } };
  return (await (await tandem.operator("/operator/v1/Accounts", json("POST", order))).json()) as Account;
}

async function subscribe(account: Account, url: string): Promise<void> {
  const order = json("POST", { type: "OutboundMessageStatusChanged", url });
  const answer = await fetch(`${tandem.url}/v1/Webhooks`, {
    ...order,
    headers: { ...order.headers, ...basic(account.sid, account.token) },
  });
  if (answer.status !== 201) throw new Error(await answer.text());
}

async function bare(): Promise<Figures> {
  const args = [
    "--import",
    "tsx",
    "bench/webhooks/bare.ts",
    `http://127.0.0.1:${port}/hook`,
    ...[WARM_UP_DELIVERIES, DELIVERIES, CONCURRENCY].map(String),
  ];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(child.stdout, "data");
  await once(child, "exit");
  const { sinceMs, cpuUs } = JSON.parse(String(line)) as { readonly sinceMs: number; readonly cpuUs: CpuUs };
  const times = await arrivals(DELIVERIES_OF_A_ROUND);
  return { perSecond: perSecondOf(times.filter((time) => time >= sinceMs)), cpuUs };
}

/** Figures exclude the worker's start and what arrived until it was warm. */
async function ours(): Promise<Figures> {
  const worker = await startBeside(tandem, { TANDEM_LOG_LEVEL: "error", TANDEM_ROLES: "worker" });
  const { postgres = 0 } = processesOf(tandem);
  const early = await arrivals(WARM_UP_DELIVERIES);
  const workFor = await countDatabaseWork(database);
  const cpuFor = countCpu({ worker: worker.pid, postgres });
  const sinceMs = performance.timeOrigin + performance.now();
  const times = (await arrivals(DELIVERIES_OF_A_ROUND - early.length)).filter((time) => time >= sinceMs);
  for (let left = 1; left > 0; ) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const [row] = await database.query<{ count: number }>("select count(*)::int from delivery_queue");
    left = row?.count ?? 0;
  }
  const figures = { perSecond: perSecondOf(times), cpuUs: cpuFor(times.length) };
  const work = await workFor(times.length);
  await worker.stop();
  return { ...figures, database: work };
}

async function emitBacklog(accounts: readonly Account[], round: number): Promise<void> {
  const events = Array.from({ length: DELIVERIES_OF_A_ROUND }, (_, at) =>
    eventFor(accounts[at % accounts.length] as Account, `OMr${round}n${at}`),
  );
  for (let at = 0; at < events.length; at += 500) await emitEvents(database, events.slice(at, at + 500), new Date());
}

function eventFor(account: Account, sid: string) {
  return {
    accountSid: account.sid,
    type: "OutboundMessageStatusChanged" as const,
    resourceSid: sid,
    fields: sampleFields(sid),
  };
}

/** Waits until so many more have arrived; returns the times in the order of arrival. */
async function arrivals(count: number): Promise<readonly number[]> {
  const times: number[] = [];
  while (times.length < count) {
    for (const [, at] of await report()) times.push(at);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return times;
}

/** From the first arrival to the last. */
function perSecondOf(times: readonly number[]): number {
  const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000;
  return Math.round(times.length / seconds);
}

async function report(): Promise<[string, number][]> {
  return (await (await fetch(`http://127.0.0.1:${port}/report`)).json()) as [string, number][];
}

/** One subscription and one host for each account; the first `hostile` hang. */
async function makeEndpoints(hostile: number): Promise<readonly Account[]> {
  const accounts: Account[] = [];
  for (let at = 0; at < ENDPOINTS; at++) {
    const account = await makeAccount(`endpoint ${hostile} ${at}`);
    const host = `127.${hostile === 0 ? 1 : 2}.${at >> 8}.${at & 255 || 1}`;
    await subscribe(account, `http://${host}:${port}/${at < hostile ? "hang" : "hook"}/${at}`);
    accounts.push(account);
  }
  return accounts;
}

/** Keeps hanging deliveries from being retried while the next round is measured. */
async function forgetHanging(): Promise<void> {
  await database.query("delete from delivery_queue");
  await new Promise((resolve) => setTimeout(resolve, DEADLINE_MS + 1_000));
  await database.query("delete from delivery_queue");
}

async function latency(accounts: readonly Account[], hostile: number, name: string): Promise<Latency> {
  const committed = new Map<string, number>();
  const total = EVENTS_PER_SECOND * LATENCY_SECONDS;
  const startMs = performance.now();
  for (let at = 0; at < total; at++) {
    const dueMs = startMs + (at / EVENTS_PER_SECOND) * 1000;
    const waitMs = dueMs - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    const index = (at * 7) % accounts.length;
    const sid = `OM${name}n${at}`;
    void emitEvents(database, [eventFor(accounts[index] as Account, sid)], new Date()).then(() => {
      if (index >= hostile) committed.set(sid, performance.timeOrigin + performance.now());
    });
  }
  const latencies: number[] = [];
  const seen = new Set<string>();
  for (let tries = 0; latencies.length < committed.size && tries < 300; tries++) {
    for (const [sid, at] of await report()) {
      const since = committed.get(sid);
      if (since === undefined || seen.has(sid)) continue;
      seen.add(sid);
      latencies.push(Math.max(0, at - since));
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  if (latencies.length < committed.size) throw new Error(`${committed.size - latencies.length} events did not arrive`);
  latencies.sort((a, b) => a - b);
  const percentile = (share: number) =>
    Math.round((latencies[Math.floor((latencies.length - 1) * share)] ?? 0) * 10) / 10;
  return { p50: percentile(0.5), p99: percentile(0.99), events: latencies.length };
}
