// The events of a resource arrive in order although no worker delivered for more than a minute and every first attempt
// is refused: numbers that opted out and in again end as opted in. The receiver's own log is checked.

import { afterEach, beforeEach, expect, test } from "vitest";
import { emitEvents } from "../../src/adapters/store/webhooks/outbox.ts";
import { json, type Tandem } from "../tandem.ts";
import { startBeside } from "../tandem-database.ts";
import { useTandem } from "../use-tandem.ts";
import { LONG_TIMEOUT_MS, roundsOf } from "./form.ts";
import { type Answer, type HealthyReceiver, type ReceivedRequest, startHealthy } from "./webhook-receivers.ts";

const ROUNDS = roundsOf({ quick: 1, long: 20 });
/** Few enough for each subscription that its receiver is not treated as down. */
const NUMBERS = 8;
const SUBSCRIPTIONS = 12;
const PAIRS = NUMBERS * SUBSCRIPTIONS;
const STOPPED_MS = 66_000;
const CHANGES = ["OptedOut", "OptedIn"] as const;
const WORKER = { TANDEM_ROLES: "worker", TANDEM_LOG_LEVEL: "error" };

const tandem = useTandem({ environment: { TANDEM_ROLES: "api", TANDEM_LOG_LEVEL: "error" } });
const settings = { timeout: LONG_TIMEOUT_MS };

/** What the receiver accepted, in the order of arrival. */
let taken: { readonly path: string; readonly number: string; readonly change: string }[] = [];
let refused: Set<string>;
let receiver: HealthyReceiver;
/** While it is true, the receiver does not respond. */
let isSilent: boolean;
let worker: Tandem | undefined;

beforeEach(async () => {
  isSilent = false;
  receiver = await startHealthy({ answer: (request) => answerTo(request) });
});
afterEach(async () => {
  await worker?.stop();
  await receiver.close();
});

/** Refuses each delivery once. */
function answerTo({ path, headers, body }: ReceivedRequest): Answer | Promise<Answer> {
  if (isSilent) return new Promise(() => undefined);
  const id = String(headers["webhook-id"]);
  if (!refused.has(id)) {
    refused.add(id);
    return { status: 503 };
  }
  const { Number: number, Change: change } = JSON.parse(body.toString("utf8")) as Record<string, string>;
  taken.push({ path, number: number as string, change: change as string });
  return {};
}

test("events that waited for a worker for more than a minute arrive in order", settings, async () => {
  for (let round = 1; round <= ROUNDS; round++) {
    const subscriptions = await subscribe();
    await emitPairs();
    worker = await startBeside(tandem, WORKER);
    await expectAllInOrder();
    await worker.stop();
    await unsubscribe(subscriptions);
  }
});

test("events arrive in order although a worker died with the first attempts, a minute ago", settings, async () => {
  for (let round = 1; round <= ROUNDS; round++) {
    const subscriptions = await subscribe();
    await emitPairs();
    isSilent = true;
    const received = receiver.requests.length;
    worker = await startBeside(tandem, WORKER);
    await receiver.whenReceived(received + SUBSCRIPTIONS);
    await worker.kill();
    isSilent = false;
    await moveBack();
    worker = await startBeside(tandem, WORKER);
    await expectAllInOrder();
    await worker.stop();
    await unsubscribe(subscriptions);
  }
});

async function subscribe(): Promise<readonly string[]> {
  const sids: string[] = [];
  for (let at = 0; at < SUBSCRIPTIONS; at++) {
    const order = { type: "OptOutChanged", url: `${receiver.url}/${at}` };
    const answer = await tandem.get("/v1/Webhooks", json("POST", order));
    expect(answer.status).toBe(201);
    sids.push(((await answer.json()) as { sid: string }).sid);
  }
  return sids;
}

async function unsubscribe(sids: readonly string[]): Promise<void> {
  for (const sid of sids) await tandem.get(`/v1/Webhooks/${sid}`, { method: "DELETE" });
}

/** Stores the events as if before the workers stopped. */
async function emitPairs(): Promise<void> {
  taken = [];
  refused = new Set();
  for (const change of CHANGES) {
    const events = Array.from({ length: NUMBERS }, (_, at) => ({
      accountSid: tandem.accountSid,
      type: "OptOutChanged" as const,
      resourceSid: `+1415555010${at} +14155550100`,
      fields: {
        Number: `+1415555010${at}`,
        ScopeType: "SenderPhoneNumber",
        Scope: "+14155550100",
        Change: change,
        Keyword: null,
      },
    }));
    await emitEvents(tandem.database, events, new Date(Date.now() - STOPPED_MS));
  }
}

/** As if no worker had delivered for as long once more. Attempts of killed workers would only lengthen the pauses. */
async function moveBack(): Promise<void> {
  const columns = ["due_at", "first_tried_at"];
  const sets = columns.map((column) => `${column} = ${column} - interval '${STOPPED_MS} ms'`);
  await tandem.database.query(`update delivery_queue set ${sets.join(", ")}, attempt = 0`);
}

async function expectAllInOrder(): Promise<void> {
  await expect.poll(() => taken.length, { timeout: LONG_TIMEOUT_MS, interval: 20 }).toBe(CHANGES.length * PAIRS);
  const changes = new Map<string, string[]>();
  for (const { path, number, change } of taken) {
    const key = `${path} ${number}`;
    changes.set(key, [...(changes.get(key) ?? []), change]);
  }
  expect(changes.size).toBe(PAIRS);
  expect([...changes].filter(([, seen]) => seen.join() !== CHANGES.join())).toEqual([]);
}
