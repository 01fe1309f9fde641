// One process of two has a wrong clock, 60 days ahead or behind. At its start it is refused; while it runs it claims,
// expires and removes nothing until its clock is right again. Compared are the ledgers of this file, the carrier and
// the receiver: every message that either process accepted reaches the handset once, its delivery is reported, and no
// record is lost.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { Database } from "../../src/adapters/store/engine/database.ts";
import { EACH_EVENT } from "../../src/adapters/store/webhooks/event-batches.ts";
import { form, type MessageBody, SEND, UNTIL } from "../contract/messages.ts";
import { silent } from "../fakes/silent-log.ts";
import { connectionTo, dropDatabase, newDatabase } from "../shared-database.ts";
import { basic, failToStart, json, startTandem, type Tandem } from "../tandem.ts";
import { LONG_TIMEOUT_MS, roundsOf } from "./form.ts";
import { Carrier } from "./messages-carrier.ts";
import { withoutLimits } from "./other-tenants.ts";
import { type HealthyReceiver, startHealthy } from "./webhook-receivers.ts";

const ROUNDS = roundsOf({ quick: 1, long: 20 });
const DAY_MS = 86_400_000;
const MESSAGES = 20;
const SHIFTS = [
  ["60 days ahead of PostgreSQL's", 60 * DAY_MS],
  ["60 days behind PostgreSQL's", -60 * DAY_MS],
] as const;
const SHIM = new URL("../fakes/shifted-clock.mjs", import.meta.url);

const scratch = mkdtempSync(join(tmpdir(), "tandem-clock-"));
const clockFile = join(scratch, "shift");
const shifted = { NODE_OPTIONS: `--import=${SHIM.href}`, SHIFTED_CLOCK: clockFile };

let databaseUrl: string;
let database: Database;
let carrier: Carrier;
let receiver: HealthyReceiver;
let from: string;
/** What all processes share. */
let environment: Readonly<Record<string, string>>;
/** The process whose clock goes wrong. It starts first, so it is the one that sends. */
let wrong: Tandem;
let right: Tandem;
/** Sids of the messages that were accepted. */
const accepted = new Set<string>();
let texts = 0;

beforeAll(async () => {
  databaseUrl = await newDatabase();
  database = new Database(connectionTo(databaseUrl), silent);
  carrier = await Carrier.start();
  receiver = await startHealthy();
  environment = {
    TANDEM_SECRET_KEY: Buffer.alloc(32, 7).toString("hex"),
    TANDEM_OPERATOR_TOKEN: "operator-token-of-the-test-of-clocks",
    TANDEM_CONFIG: carrier.config,
  };
  wrong = await startTandem({ databaseUrl, environment: { ...environment, ...shifted } });
  from = await withoutLimits(wrong);
  const order = json("POST", { type: "OutboundMessageStatusChanged", url: receiver.url });
  expect((await wrong.get("/v1/Webhooks", order)).status).toBe(201);
  right = await startTandem({ databaseUrl, environment });
});
afterAll(async () => {
  await right?.stop();
  await wrong?.stop();
  await receiver?.close();
  await carrier?.close();
  await database?.close();
  await dropDatabase(databaseUrl);
  rmSync(scratch, { recursive: true });
});
beforeEach(() => rmSync(clockFile, { force: true }));

/** Calls either process as the account of the first. */
const call = (at: Tandem, path: string, init?: RequestInit) =>
  fetch(at.url + path, { ...init, headers: { ...basic(wrong.accountSid, wrong.token), ...init?.headers } });

function shift(ms: number): void {
  writeFileSync(clockFile, String(ms));
  process.kill(wrong.pid, "SIGUSR2");
}

async function stateOf(at: Tandem) {
  const answer = await call(at, "/readyz");
  const { clock, sending } = (await answer.json()) as { readonly clock?: string; readonly sending: string };
  return { status: answer.status, clock, sending };
}

async function sendThrough(at: Tandem): Promise<void> {
  const send = () => call(at, SEND, form({ From: from, To: "+14155550100", Text: `Hello ${++texts}` }));
  const answers = await Promise.all(Array.from({ length: MESSAGES }, send));
  for (const answer of answers) {
    expect(answer.status).toBe(200);
    const { sid, createdOn } = (await answer.json()) as MessageBody;
    expect(Math.abs(new Date(createdOn).getTime() - Date.now())).toBeLessThan(DAY_MS);
    accepted.add(sid);
  }
}

/** Messages that were reported to the receiver as delivered. */
function delivered(): ReadonlySet<string> {
  const told = receiver.requests.map(({ body }) => JSON.parse(body.toString()));
  return new Set(told.filter(({ Status }) => Status === "Delivered").map(({ Sid }) => Sid as string));
}

async function allDelivered(): Promise<void> {
  const missing = () => {
    const heard = delivered();
    return [...accepted].filter((sid) => !heard.has(sid));
  };
  await expect.poll(missing, UNTIL).toEqual([]);
  expect(carrier.smsc.received.length).toBe(texts);
  expect(carrier.arrived().size).toBe(texts);
}

async function records() {
  const [row] = await database.query<Readonly<Record<string, number>>>(
    `select (select count(*) from ${EACH_EVENT} as event)::int as events, (select count(*) from deliveries, unnest(places))::int as deliveries,
            (select count(*) from attempts, unnest(places))::int as attempts, (select count(*) from outbound_messages)::int as messages`,
  );
  return row ?? {};
}

async function expectNothingLost(before: Readonly<Record<string, number>>): Promise<void> {
  for (const [name, count] of Object.entries(await records())) {
    expect(count, name).toBeGreaterThanOrEqual(before[name] ?? 0);
  }
  const kept = await database.query<{ sid: string }>(
    "select sid from outbound_messages where status = 'Delivered' and sid = any($1)",
    [[...accepted]],
  );
  expect(kept.length).toBe(accepted.size);
}

test.each(SHIFTS)(
  "a server whose clock is %s does not start, says what to do, and leaves everything as it is",
  async (fault, shiftMs) => {
    await sendThrough(right);
    await allDelivered();
    for (let round = 1; round <= ROUNDS; round++) {
      const before = await records();
      writeFileSync(clockFile, String(shiftMs));
      const { code, output } = await failToStart({
        ...environment,
        ...shifted,
        TANDEM_DATABASE_URL: databaseUrl,
        TANDEM_DATA_DIR: join(scratch, "data"),
        TANDEM_SANDBOX: "on",
      });
      expect(code, output).toBe(1);
      expect(output).toContain(`The clock of this machine is ${fault}`);
      expect(output).toContain("NTP");
      await expectNothingLost(before);
    }
  },
  LONG_TIMEOUT_MS,
);

test.each(SHIFTS)(
  "a server whose clock is set %s while it works leaves the work to others until it is right again",
  async (fault, shiftMs) => {
    for (let round = 1; round <= ROUNDS; round++) {
      const before = await records();
      await Promise.all([sendThrough(wrong), sendThrough(right)]);
      shift(shiftMs);
      await expect.poll(() => stateOf(wrong), UNTIL).toEqual({ status: 200, clock: fault, sending: "elsewhere" });
      await expect.poll(() => stateOf(right), UNTIL).toEqual({ status: 200, clock: "ok", sending: "here" });
      await Promise.all([sendThrough(wrong), sendThrough(right)]);
      await allDelivered();
      await expect.poll(() => wrong.output(), UNTIL).toContain(`"clock":"${fault}"`);
      await expectNothingLost(before);

      // With a right clock again, it takes over from the other.
      shift(0);
      await expect.poll(async () => (await stateOf(wrong)).clock, UNTIL).toBe("ok");
      expect(await right.stop()).toBe(0);
      await expect.poll(() => stateOf(wrong), UNTIL).toEqual({ status: 200, clock: "ok", sending: "here" });
      await sendThrough(wrong);
      await allDelivered();
      await expectNothingLost(before);
      right = await startTandem({ databaseUrl, environment });
    }
  },
  LONG_TIMEOUT_MS,
);
