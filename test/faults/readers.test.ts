// Lists, trails, the event log and its stream, deliveries, replays, retention, backup and restore return what a plain
// model in memory says they must, over generated histories of several accounts, page by page. `READERS_SEED=N` runs the
// history of one seed.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { Database } from "../../src/adapters/store/engine/database.ts";
import { backlogOf } from "../../src/adapters/store/webhooks/delivery-backlog.ts";
import { eventLog } from "../../src/adapters/store/webhooks/event-log.ts";
import { emitEvents } from "../../src/adapters/store/webhooks/outbox.ts";
import { EVENT_SAMPLES } from "../../src/domain/events.ts";
import { backUp } from "../../src/server/backup/back-up.ts";
import { restore } from "../../src/server/backup/restore.ts";
import { type Config, readConfig } from "../../src/server/config/config.ts";
import { silent } from "../fakes/silent-log.ts";
import { useWebhookStore } from "../fakes/webhook-store.ts";
import { socketUrl } from "../tandem.ts";
import { LONG_TIMEOUT_MS, roundsOf } from "./form.ts";
import { MessageHistory } from "./readers-messages.ts";
import type { DeliveryEntry } from "./readers-model.ts";
import { Readers } from "./readers-verdict.ts";
import { WebhookHistory } from "./readers-webhooks.ts";
import { DAY, ReadersWorld } from "./readers-world.ts";

const SEEDS = process.env.READERS_SEED
  ? [Number(process.env.READERS_SEED)]
  : Array.from({ length: roundsOf({ quick: 8, long: 500 }) }, (_, at) => at + 1);
const STEPS = roundsOf({ quick: 30, long: 80 });
const CHECKED_EVERY = 10;
const ACCOUNTS = 3;
/** Changes that one statement stores. */
const MANY = 300;

const store = useWebhookStore({ hasOwnPostgres: true });
const settings = { timeout: LONG_TIMEOUT_MS };

/** A history of one seed. */
class History {
  readonly world: ReadersWorld;
  readonly messages: MessageHistory;
  readonly webhooks: WebhookHistory;
  readonly readers: Readers;

  constructor(seed: number) {
    this.world = new ReadersWorld(store, seed);
    const { model, accounts, chance } = this.world;
    this.readers = new Readers({ db: store.db, model, accounts, chance });
    this.messages = new MessageHistory(this.world);
    this.webhooks = new WebhookHistory(this.world, () => this.readers.learnDeliveries());
  }

  async open(): Promise<void> {
    onTestFinished(async () => {
      await this.messages.close();
      await store.clear();
    });
    await this.world.addAccounts(ACCOUNTS);
    await this.messages.open();
    await this.readers.open();
    for (let count = 0; count < 2 * ACCOUNTS; count++) await this.webhooks.subscribe();
  }

  /** Carries out one operation. */
  async step(): Promise<void> {
    const { model, chance } = this.world;
    model.nextOperation();
    this.world.pass(chance.integer(1, 5_000));
    await chance.oneOf(OPERATIONS)(this);
  }

  /** Everything ends: nothing waits to be delivered any more, and first attempts were made in order. */
  async end(): Promise<void> {
    const { model } = this.world;
    await this.messages.drain();
    await this.webhooks.drain();
    await this.readers.check();
    expect(model.deliveries.filter(({ status }) => status === "Pending")).toEqual([]);
    expect(await backlogOf(store.db, this.world.now)).toEqual({ count: 0, oldestMs: 0 });
    expect(overtaken(model.deliveries)).toEqual([]);
  }
}

const OPERATIONS: readonly [Operation, ...Operation[]] = [
  ({ messages }) => messages.cancel(),
  ({ messages }) => messages.expire(),
  ({ messages }) => messages.clearOut(),
  ({ messages }) => messages.takeOver(),
  ({ webhooks }) => webhooks.emit(),
  ({ webhooks }) => webhooks.emit(),
  ({ webhooks }) => webhooks.ask(),
  ({ webhooks }) => webhooks.subscribe(),
  ({ webhooks }) => webhooks.changeSubscription(),
  ({ webhooks }) => webhooks.replay(),
  ...fourTimes(({ messages }) => messages.accept()),
  ...fourTimes(({ messages }) => messages.begin()),
  ...fourTimes(({ messages }) => messages.settle()),
  ...fourTimes(({ messages }) => messages.receive()),
  ...fourTimes(({ webhooks }) => webhooks.dispatch()),
];
type Operation = (history: History) => Promise<void>;

function fourTimes(operation: Operation): readonly Operation[] {
  return Array.from({ length: 4 }, () => operation);
}

/** Deliveries whose first attempt came after that of a later event of the same resource. */
function overtaken(deliveries: readonly DeliveryEntry[]): readonly string[] {
  const firsts = deliveries
    .filter(({ attempts, wasReplayedUntried }) => attempts.length > 0 && !wasReplayedUntried)
    .toSorted((one, other) => one.sequence - other.sequence);
  const latest = new Map<string, number>();
  return firsts.flatMap(({ accountSid, subscriptionSid, resourceSid, sequence, attempts: [first] }) => {
    const key = `${accountSid} ${subscriptionSid} ${resourceSid}`;
    const at = Number(first?.at);
    const isLate = at < (latest.get(key) ?? 0);
    latest.set(key, at);
    return isLate ? [`${key} ${sequence}`] : [];
  });
}

test.each(SEEDS)("all readers agree with the model over the history of seed %i", settings, async (seed) => {
  const history = new History(seed);
  await history.open();
  for (let step = 1; step <= STEPS; step++) {
    await history.step();
    if (step % CHECKED_EVERY === 0) await history.readers.check();
  }
  if (seed % 3 === 0) {
    await history.webhooks.settle();
    await history.readers.check();
    await history.world.retain();
    history.webhooks.forgetResources();
    await history.readers.check();
    for (let step = 1; step <= CHECKED_EVERY; step++) await history.step();
  }
  await history.end();
});

test("readers agree with the model when hundreds of changes are stored together", settings, async () => {
  const history = new History(MANY);
  const { messages, readers, webhooks, world } = history;
  await history.open();
  await messages.accept(MANY);
  world.pass(1_000);
  for (let rounds = 0; rounds < 10; rounds++) {
    await messages.begin();
    world.model.nextOperation();
  }
  await messages.settle();
  world.model.nextOperation();
  await messages.receive();
  world.model.nextOperation();
  await webhooks.emit(MANY);
  await readers.check();
  await webhooks.dispatch();
  await readers.check();
  await history.end();
});

test("a restored backup is read as the database was, and its log goes on", settings, async () => {
  const history = new History(3);
  await history.open();
  for (let step = 1; step <= STEPS; step++) await history.step();
  await history.readers.check();
  const { model, accounts, chance, now } = history.world;

  const admin = new pg.Client(store.connection);
  await admin.connect();
  await admin.query("create database restored");
  await admin.end();
  const folder = mkdtempSync(join(tmpdir(), "tandem-readers-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const parts: Uint8Array[] = [];
  const signal = new AbortController().signal;
  const common = { log: silent, signal, progress: () => undefined };
  const write = async (octets: Uint8Array) => void parts.push(octets.slice());
  const made = { version: "test", commit: null, hasMedia: false, now, write };
  expect(await backUp({ config: configOf(folder, store.connection.database), ...made, ...common })).toMatchObject({
    ok: true,
  });
  expect(
    await restore({ config: configOf(folder, "restored"), source: Readable.from(parts), ...common }),
  ).toMatchObject({ ok: true });

  const db = new Database({ ...store.connection, database: "restored", waitMs: 60_000 }, silent);
  onTestFinished(() => db.close());
  const restored = new Readers({ db, model, accounts, chance });
  await restored.check();
  const accountSid = accounts[0] as string;
  const end = await eventLog(db).end(accountSid);
  const event = { accountSid, type: "OptOutChanged", resourceSid: "new", fields: EVENT_SAMPLES.OptOutChanged } as const;
  await emitEvents(db, [event], new Date(now.getTime() + DAY));
  await expect.poll(() => eventLog(db).after(accountSid, end, 10)).toMatchObject([{ resourceSid: "new" }]);
  await history.end();
});

function configOf(dataDir: string, database: string): Config {
  const url = socketUrl(store.connection.host, database);
  const config = readConfig({ TANDEM_DATA_DIR: dataDir, TANDEM_DATABASE_URL: url });
  if (!config.ok) throw new Error(config.refusal.join());
  return config.value;
}
