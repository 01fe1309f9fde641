// Migrations while servers are killed: two processes on one database, one or both ended by kill -9 again and again.
// Every number ends Active, every change of it has one event, in order, and nothing is delivered under two ids. In
// addition, very many migrations at the same time: their cost depends on what changes, not on what exists.

import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { answerOf, type List, newCampaignId } from "../contract/numbers.ts";
import { formOf, letter, orderData } from "../contract/port-orders.ts";
import { Chance } from "../fakes/chance.ts";
import { type Received, startReceiver } from "../journeys/listen-receiver.ts";
import { json } from "../tandem.ts";
import { LONG_TIMEOUT_MS, roundsOf } from "./form.ts";
import { SEED } from "./messages-chance.ts";
import { dearerThan, lessThan, passesOf, type Rows, rowsRead, sumOf } from "./migration-rows.ts";
import { faultsIn, storedOf, WAY } from "./migration-verdict.ts";
import { MigrationWorld, type Owner } from "./migration-world.ts";

const ROUNDS = roundsOf({ quick: 1, long: 30 });
const NUMBERS = 100;
const KILLS_MAX = 3;
const JITTER_MS_MAX = 150;
const PORT_MS = 1_500;
const LOOK_MS = 5;
const STORM = "very many migrations at once come to their end, and cost what changes";
const MIGRATIONS = roundsOf({ quick: 12, long: 1000 });
const NUMBERS_EACH = 10;
const OWNERS = 4;
const AT_ONCE = 8;
const TELL_MS = roundsOf({ quick: 2, long: 20 }) * 1000;
/** In transactions: each pass of each process is a few. */
const PASSES = 200;
/** A pass that read all numbers, or all campaigns, would soon exceed this. */
const ROWS_IDLE_MAX = 20_000;
/** Longer than the leases of a killed process. */
const SETTLED = { timeout: 180_000, interval: 200 };

let world: MigrationWorld;
let numbersMade = 0;

beforeEach(async ({ task }) => {
  console.log(`FAULTS_SEED=${SEED}`);
  const isStorm = task.name === STORM;
  // In the storm very many requests wait for each other.
  world = await MigrationWorld.start({
    portMs: PORT_MS,
    pollSeconds: isStorm ? 60 : 1,
    deadlineMs: isStorm ? 20_000 : 3_000,
  });
});
afterEach(() => world?.close());

/** Numbers that were not used before. */
const newNumbers = (count: number) =>
  Array.from({ length: count }, () => `+1720${String(2_000_000 + ++numbersMade).padStart(7, "0")}`);

interface Migration {
  readonly owner: Owner;
  readonly id: string;
  readonly config: string;
  readonly numbers: readonly string[];
}

async function plan(owner: Owner, count: number): Promise<Migration> {
  const id = newCampaignId();
  const order = () => json("POST", { name: `Shop ${id}` });
  const { sid: config } = await answerOf<{ sid: string }>(await owner.call("/v1/MessagingConfigs", order), 201);
  return { owner, id, config, numbers: newNumbers(count) };
}

let paper: Uint8Array | undefined;

/** Repeats the order as an owner does who does not know whether the first attempt arrived. */
async function orderNumbers({ owner, config, numbers }: Migration): Promise<void> {
  paper ??= await letter();
  const bytes = paper;
  const answer = await owner.call("/v1/Phones/port-in", () => formOf(orderData(config, numbers), [bytes]));
  const text = await answer.text();
  if (answer.status !== 200) expect(text).toContain("This number is yours already, or on its way");
}

async function subscribe(owner: Owner, type: string) {
  const receiver = await startReceiver();
  const order = () => json("POST", { type, url: receiver.url });
  const { secret } = await answerOf<{ secret: string }>(await owner.call("/v1/Webhooks", order), 201);
  receiver.state.secret = secret;
  return receiver;
}

async function activeOf({ sid }: Owner): Promise<number> {
  const [row] = await world.database.query<{ count: number }>(
    "select count(*)::integer as count from phones where account_sid = $1 and status = 'Active'",
    [sid],
  );
  return row?.count ?? 0;
}

/** Stages of a migration at which a kill may do harm, each recognised by what is stored. */
const MOMENTS = {
  "the order is on its way": "true",
  "the order is taken": "exists (select 1 from port_orders where account_sid = account)",
  "the order is submitted": "exists (select 1 from port_orders where account_sid = account and sequence > 0)",
  "the date is confirmed": "exists (select 1 from port_orders where account_sid = account and status <> 'Submitted')",
  "the campaign is seen": "exists (select 1 from registry_campaigns where tcr_campaign_id = campaign)",
  "the campaign is accepted":
    "exists (select 1 from registry_campaigns where tcr_campaign_id = campaign and standing in ('AwaitingUpstream', 'Ours'))",
  "the campaign is imported": "exists (select 1 from tcr_campaigns where tcr_campaign_id = campaign)",
  "messaging has moved": "exists (select 1 from phones where account_sid = account and status <> 'PendingPortIn')",
  "numbers are being added":
    "exists (select 1 from phones where account_sid = account and (activate_at is not null or status = 'Active'))",
  "a number is Active": "exists (select 1 from phones where account_sid = account and status = 'Active')",
} as const;
type Moment = keyof typeof MOMENTS;
const NAMES = Object.keys(MOMENTS) as [Moment, ...Moment[]];
const VICTIMS: readonly [readonly (0 | 1)[], ...(readonly (0 | 1)[])[]] = [[0], [1], [0, 1]];

async function whenItIs(moment: Moment, { owner, id }: Migration): Promise<void> {
  const text = `select 1 from (select $1::text as account, $2::text as campaign) as migration where ${MOMENTS[moment]}`;
  while ((await world.database.query(text, [owner.sid, id])).length === 0) await pause(LOOK_MS);
}

async function killAlongTheWay(migration: Migration, chance: Chance): Promise<string> {
  const told: string[] = [];
  const kills = chance.integer(1, KILLS_MAX + 1);
  const moments = Array.from({ length: kills }, () => chance.oneOf(NAMES)).sort(
    (left, right) => NAMES.indexOf(left) - NAMES.indexOf(right),
  );
  for (const moment of moments) {
    const victims = chance.oneOf(VICTIMS);
    const laterMs = chance.integer(0, JITTER_MS_MAX);
    await whenItIs(moment, migration);
    await pause(laterMs);
    await world.kill(...victims);
    await world.startAgain(...victims);
    told.push(`${victims.map((place) => place + 1).join("+")} ${laterMs} ms after ${moment}`);
  }
  return told.join(", ");
}

test(
  "numbers become Active and every change is reported once, whichever processes are killed on the way",
  async () => {
    for (let round = 1; round <= ROUNDS; round++) {
      const chance = new Chance(SEED + round);
      const owner = await world.newOwner();
      const statuses = await subscribe(owner, "PhoneNumberStatusChanged");
      const imports = await subscribe(owner, "TcrCampaignImported");
      const migration = await plan(owner, NUMBERS);
      const isCampaignFirst = chance.happens(0.3);
      const begin = async () => {
        if (isCampaignFirst) world.registry.migrate(migration.id);
        await orderNumbers(migration);
        world.registry.migrate(migration.id);
      };
      const [killed] = await Promise.all([killAlongTheWay(migration, chance), begin()]);
      await expect.poll(() => activeOf(owner), SETTLED).toBe(NUMBERS);

      const stored = await storedOf(world.database, owner.sid, "PhoneNumberStatusChanged");
      expect([...stored.keys()].sort()).toEqual([...migration.numbers].sort());
      expect(new Set([...stored.values()].map((told) => told.join(", ")))).toEqual(new Set([WAY.join(", ")]));
      expect(await storedOf(world.database, owner.sid, "TcrCampaignImported")).toEqual(
        new Map([[migration.id, ["Linked"]]]),
      );
      await expect.poll(() => faultsIn(statuses.received, migration.numbers), SETTLED).toEqual([]);
      await expect.poll(() => idsOf(imports.received).size, SETTLED).toBe(1);
      const [orders] = await world.database.query<{ count: number }>(
        "select count(*)::integer as count from port_orders where account_sid = $1",
        [owner.sid],
      );
      expect(orders?.count).toBe(1);
      const repeats = statuses.received.length - 3 * NUMBERS;
      console.log(`round ${round}/${ROUNDS}: killed ${killed}; ${repeats} deliveries were repeated under the same id`);
      await statuses.close();
      await imports.close();
    }
  },
  LONG_TIMEOUT_MS,
);

const idsOf = (received: readonly Received[]) => new Set(received.map(({ id }) => id));

test(
  STORM,
  async () => {
    const migrations = await plans(MIGRATIONS);
    const before = await rowsRead(world.database);
    const startedMs = performance.now();
    await sideBySide(migrations, async (migration) => {
      await orderNumbers(migration);
      world.registry.migrate(migration.id);
    });
    const wanted = MIGRATIONS * NUMBERS_EACH;
    for (let active = 0; active < wanted; active = await activeCount()) {
      console.log(
        `${active} of ${wanted} numbers are Active after ${Math.round((performance.now() - startedMs) / 1000)} s`,
      );
      await pause(TELL_MS);
    }
    const after = await rowsRead(world.database);
    for (const owner of new Set(migrations.map((migration) => migration.owner))) {
      const own = migrations.filter((migration) => migration.owner === owner);
      const stored = await storedOf(world.database, owner.sid, "PhoneNumberStatusChanged");
      expect([...stored.keys()].sort()).toEqual(own.flatMap(({ numbers }) => numbers).sort());
      expect(new Set([...stored.values()].map((told) => told.join(", ")))).toEqual(new Set([WAY.join(", ")]));
      const imported = await storedOf(world.database, owner.sid, "TcrCampaignImported");
      expect(imported).toEqual(new Map(own.map(({ id }) => [id, ["Linked"]])));
    }
    const onTheWay = lessThan(after, before);
    // Requests to the registry are rate limited, and its last list named nearly all campaigns again.
    await expect.poll(dueCount, { ...SETTLED, timeout: LONG_TIMEOUT_MS }).toBe(0);
    // PostgreSQL updates a session's statistics some seconds later: the first passes may include reads from before
    // them.
    const idle = async () => sumOf(await rowsReadInPasses(() => Promise.resolve()));
    await expect.poll(idle, SETTLED).toBeLessThan(ROWS_IDLE_MAX);
    const id = migrations[0]?.id as string;
    const oneChange = await rowsReadInPasses(async () => {
      world.registry.suspend(id);
      await expect.poll(() => statusOf(id), SETTLED).toBe("Suspended");
    });
    console.log(`rows read: ${JSON.stringify({ onTheWay, oneChange })}`);
    expect(dearerThan(onTheWay, MIGRATIONS)).toEqual([]);
    expect(sumOf(oneChange)).toBeLessThan(ROWS_IDLE_MAX);
    // Last: lists read every number, and PostgreSQL counts what an idle session has read up to ten seconds later.
    for (const owner of new Set(migrations.map((migration) => migration.owner))) {
      const own = migrations.filter((migration) => migration.owner === owner && migration.id !== id);
      const path = "/v1/Migrations?PageSize=1000";
      const { items } = await answerOf<List<{ tcrCampaignId: string; status: string }>>(await owner.call(path), 200);
      const others = items.filter(({ tcrCampaignId }) => tcrCampaignId !== id);
      expect(others.map(({ status }) => status)).toEqual(own.map(() => "Completed"));
    }
  },
  LONG_TIMEOUT_MS,
);

async function plans(count: number): Promise<readonly Migration[]> {
  const owners = await Promise.all(Array.from({ length: OWNERS }, () => world.newOwner()));
  const made: Migration[] = [];
  await sideBySide(
    Array.from({ length: count }, (_, at) => owners[at % OWNERS] as Owner),
    async (owner) => {
      made.push(await plan(owner, NUMBERS_EACH));
    },
  );
  return made;
}

async function sideBySide<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = items.values();
  const migrateSome = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, migrateSome));
}

/** Counts events, so that the check itself does not count as a read. */
async function activeCount(): Promise<number> {
  const [row] = await world.database.query<{ count: number }>(
    `select count(*)::integer as count from events
      where type = 'PhoneNumberStatusChanged' and fields->>'Status' = 'Active' and fields->>'PortOrderSid' is not null`,
  );
  return row?.count ?? 0;
}

async function dueCount(): Promise<number> {
  const text = "select count(*)::integer as count from registry_campaigns where ask_at <= now()";
  const [row] = await world.database.query<{ count: number }>(text);
  return row?.count ?? 0;
}

async function statusOf(id: string): Promise<string | undefined> {
  const text = "select status from tcr_campaigns where tcr_campaign_id = $1";
  return (await world.database.query<{ status: string }>(text, [id]))[0]?.status;
}

/** The rows that both servers' reconciles read in many passes. */
async function rowsReadInPasses(happens: () => Promise<void>): Promise<Rows> {
  const before = await rowsRead(world.database);
  const ended = (await passesOf(world.database)) + PASSES;
  await happens();
  while ((await passesOf(world.database)) < ended) await pause(LOOK_MS * 20);
  return lessThan(await rowsRead(world.database), before);
}
