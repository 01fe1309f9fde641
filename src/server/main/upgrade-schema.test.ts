import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { silent } from "../../../test/fakes/silent-log.ts";
import { VirtualClock } from "../../../test/fakes/virtual-clock.ts";
import { connectionTo, dropDatabase, newDatabase } from "../../../test/shared-database.ts";
import { listTables } from "../../adapters/store/backup/catalogue.ts";
import { upgradeSchema } from "./upgrade-schema.ts";

const DUMP = readFileSync(resolve("src/adapters/store/schema/dumps/0003-segments-by-account.sql"), "utf8");
const REWRITING = "0004-delivery-batches";
const PLENTY = 1e15;

/** A database that lacks the step that writes deliveries anew. */
async function oldDatabase() {
  const url = await newDatabase("empty");
  const settings = connectionTo(url);
  const connect = async () => {
    const client = new pg.Client(settings);
    client.on("error", () => undefined);
    await client.connect();
    onTestFinished(() => client.end().catch(() => undefined));
    return client;
  };
  onTestFinished(() => dropDatabase(url));
  await (await connect()).query(DUMP);
  const clock = new VirtualClock(Date.UTC(2026, 10, 18));
  const told: string[] = [];
  const upgrade = (client: pg.ClientBase, freeBytes: number | undefined = PLENTY) =>
    upgradeSchema(client, { settings, clock, log: silent, progress: (step) => told.push(step), freeBytes });
  return { connect, clock, told, upgrade };
}

/** Every row of every table, but for when the steps were applied. */
async function contentsOf(client: pg.ClientBase): Promise<Readonly<Record<string, unknown>>> {
  await client.query("set search_path to public");
  const contents: [string, unknown][] = [];
  for (const { name } of await listTables(client)) {
    const { rows } = await client.query(
      `select (to_jsonb(row) - 'applied_at')::text as row from ${name} as row order by 1`,
    );
    contents.push([name, rows.map(({ row }) => row)]);
  }
  return Object.fromEntries(contents);
}

test("an upgrade whose process is killed in the middle of a step is made by the next one, and loses nothing", async () => {
  const killed = await oldDatabase();
  const [dying, watching, next] = [await killed.connect(), await killed.connect(), await killed.connect()];
  // The step has written all deliveries anew when it comes to the queue.
  await watching.query("begin; lock table delivery_queue in access share mode");
  const {
    rows: [session],
  } = await dying.query<{ pid: number }>("select pg_backend_pid() as pid");
  const upgrading = killed.upgrade(dying).catch((fault: Error) => fault.message);
  const waits = async () => {
    const { rows } = await next.query("select wait_event_type from pg_stat_activity where pid = $1", [session?.pid]);
    return rows[0]?.wait_event_type;
  };
  await expect.poll(waits, { timeout: 60_000 }).toBe("Lock");
  (dying as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  expect(await upgrading).toMatch(/terminated|closed/i);
  await expect.poll(waits, { timeout: 60_000 }).toBeUndefined();
  await watching.query("commit");
  await killed.upgrade(next);
  expect(killed.told.filter((step) => step.endsWith(`(${REWRITING})`))).toHaveLength(2);

  const whole = await oldDatabase();
  const client = await whole.connect();
  await whole.upgrade(client);
  expect(await contentsOf(next)).toEqual(await contentsOf(client));
});

test("an upgrade that takes long tells how far it is", async () => {
  const { connect, clock, told, upgrade } = await oldDatabase();
  const [client, blocking] = [await connect(), await connect()];
  await blocking.query("begin; lock table delivery_queue in access share mode");
  const upgrading = upgrade(client);
  await expect.poll(() => told.at(-1), { timeout: 60_000 }).toContain(REWRITING);
  for (const seconds of [10, 20]) {
    await clock.advance(10_000);
    await expect
      .poll(() => told.at(-1), { timeout: 60_000 })
      .toMatch(new RegExp(`\\(${REWRITING}\\): for ${seconds} s, the database has \\d+\\.\\d GB$`));
  }
  await blocking.query("commit");
  await upgrading;
  expect(told.at(-1)).not.toContain(REWRITING);
});

test("an upgrade for which the disk has too little space is refused, and changes nothing", async () => {
  const { connect, told, upgrade } = await oldDatabase();
  const client = await connect();
  const before = await contentsOf(client);
  await expect(upgrade(client, 1e9)).rejects.toThrow(/needs \d\.\d GB of disk space, and 1\.0 GB are free/);
  expect(told).toEqual([expect.stringContaining("GB of disk space")]);
  expect(await contentsOf(client)).toEqual(before);
  await upgrade(client, undefined);
});
