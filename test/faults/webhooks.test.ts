// Workers killed with kill -9 while they deliver, two at a time: every event arrives, the events of a resource arrive
// in order, and what arrives twice carries the same webhook-id. The same when PostgreSQL is killed meanwhile.

import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../src/adapters/store/engine/database.ts";
import { emitEvents } from "../../src/adapters/store/webhooks/outbox.ts";
import { clusterOf, json, startTandem, type Tandem } from "../tandem.ts";
import { databaseOf, startBeside } from "../tandem-database.ts";
import { LONG_TIMEOUT_MS, roundsOf } from "./form.ts";
import { type HealthyReceiver, startHealthy } from "./webhook-receivers.ts";

const RESOURCES = 60;
const EVENTS_PER_RESOURCE = 5;
const TOTAL = RESOURCES * EVENTS_PER_RESOURCE;

const WORKER = { TANDEM_ROLES: "worker", TANDEM_LOG_LEVEL: "error" };

let tandem: Tandem;
let database: Database;

beforeAll(async () => {
  tandem = await startTandem({ environment: { TANDEM_ROLES: "api", TANDEM_LOG_LEVEL: "error" } });
  database = databaseOf(tandem);
});

afterAll(async () => {
  await database?.close();
  await tandem?.stop();
});

test(
  "every event arrives, in order, and twice only under the same id, when workers are killed while they deliver",
  async () => {
    const rounds = roundsOf({ quick: 3, long: 30 });
    let workers = await Promise.all([startBeside(tandem, WORKER), startBeside(tandem, WORKER)]);
    let twice = 0;
    for (let round = 1; round <= rounds; round++) {
      const receiver = await startHealthy({ answer: answerSlowlyAndFailOnce() });
      const subscription = await subscribe(receiver);
      await emitAll(`round${round}`);
      await receiver.whenReceived(randomInt(10, TOTAL / 2));
      const [victim, survivor] = workers as [Tandem, Tandem];
      await victim.kill();
      workers = [survivor, await startBeside(tandem, WORKER)];
      await everythingDelivered(subscription, TOTAL);
      twice += expectAllInOrder(receiver);
      await tandem.get(`/v1/Webhooks/${subscription}`, { method: "DELETE" });
      await receiver.close();
      console.log(`round ${round}/${rounds}: ${TOTAL} events, ${receiver.requests.length} requests`);
    }
    for (const worker of workers) await worker.stop();
    console.log(`arrived twice in all rounds: ${twice}`);
  },
  LONG_TIMEOUT_MS,
);

test(
  "every event arrives when PostgreSQL is killed in the middle",
  async () => {
    const worker = await startBeside(tandem, WORKER);
    const receiver = await startHealthy();
    const subscription = await subscribe(receiver);
    await emitAll("restart");
    await receiver.whenReceived(20);
    process.kill(postmasterOf(tandem), "SIGKILL");
    await everythingDelivered(subscription, TOTAL);
    expectAllInOrder(receiver);
    await worker.stop();
    await receiver.close();
  },
  LONG_TIMEOUT_MS,
);

/** The third request fails, so that later events of its resource must wait for its retry. */
function answerSlowlyAndFailOnce() {
  let count = 0;
  return async () => {
    const status = ++count === 3 ? 500 : 200;
    await new Promise((resolve) => setTimeout(resolve, randomInt(1, 30)));
    return { status };
  };
}

async function subscribe(receiver: HealthyReceiver): Promise<string> {
  const answer = await tandem.get("/v1/Webhooks", json("POST", { type: "CallStatusChanged", url: receiver.url }));
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { sid: string }).sid;
}

async function emitAll(name: string): Promise<void> {
  for (let event = 1; event <= EVENTS_PER_RESOURCE; event++) {
    const events = Array.from({ length: RESOURCES }, (_, resource) => ({
      accountSid: tandem.accountSid,
      type: "CallStatusChangedWebhook" as const,
      resourceSid: `CA${name}r${resource}`,
      fields: {
        CallSid: `CA${name}r${resource}`,
        LegSid: `LG${event}`,
        Leg: "First" as const,
        Direction: "Inbound" as const,
        From: "+14155550101",
        To: "+14155550100",
        Status: "Ringing",
        DurationSeconds: null,
        EndReason: null,
      },
    }));
    await emitEvents(database, events, new Date());
  }
}

/** Checks the database, which holds the guarantee: nothing is left to do, and everything was delivered. */
async function everythingDelivered(subscription: string, count: number): Promise<void> {
  await expect
    .poll(() => deliveredTo(subscription), { timeout: LONG_TIMEOUT_MS, interval: 200 })
    .toEqual({ queued: 0, delivered: count });
}

async function deliveredTo(subscription: string): Promise<{ queued: number; delivered: number } | undefined> {
  try {
    const [row] = await database.query<{ queued: number; delivered: number }>(
      `select (select count(*)::int from delivery_queue where subscription_sid = $1) as queued,
              (select count(*)::int from deliveries, unnest(places) where subscription_sid = $1 and failed is null and canceled is null) as delivered`,
      [subscription],
    );
    return row;
  } catch {
    // PostgreSQL is restarting.
    return undefined;
  }
}

/** Returns how many requests were repeats. */
function expectAllInOrder(receiver: HealthyReceiver): number {
  const idBySequence = new Map<string, string>();
  const firstSeen = new Map<string, number[]>();
  let repeats = 0;
  for (const { headers, body } of receiver.requests) {
    const { CallSid, Sequence } = JSON.parse(body.toString("utf8")) as { CallSid: string; Sequence: number };
    const key = `${CallSid} ${Sequence}`;
    const id = String(headers["webhook-id"]);
    const known = idBySequence.get(key);
    if (known !== undefined) {
      repeats++;
      expect(id, `${key} arrived under two ids`).toBe(known);
      continue;
    }
    idBySequence.set(key, id);
    firstSeen.set(CallSid, [...(firstSeen.get(CallSid) ?? []), Sequence]);
  }
  expect(firstSeen.size).toBe(RESOURCES);
  for (const [callSid, sequences] of firstSeen) expect(sequences, callSid).toEqual([1, 2, 3, 4, 5]);
  expect(new Set(idBySequence.values()).size).toBe(TOTAL);
  return repeats;
}

function postmasterOf({ dataDir }: Tandem): number {
  return Number(readFileSync(join(clusterOf(dataDir), "postmaster.pid"), "utf8").split("\n", 1)[0]);
}
