import { expect, onTestFinished, test } from "vitest";
import { openDatabaseLine } from "../../../../test/fakes/database-line.ts";
import { silent } from "../../../../test/fakes/silent-log.ts";
import { useWebhookStore } from "../../../../test/fakes/webhook-store.ts";
import { Unavailable } from "../../../base/unavailable.ts";
import { Database } from "./database.ts";
import { DatabaseHealth } from "./database-health.ts";

const store = useWebhookStore();

/** The database of requests, with one connection, and its health, over a proxy that can hold data back. */
async function watched() {
  const line = await openDatabaseLine(store.connection);
  const settings = { connectionString: line.url, waitMs: 60_000 };
  const db = new Database(settings, silent, { connectionsMax: 1 });
  const health = new DatabaseHealth(settings, silent, db);
  onTestFinished(async () => {
    line.release();
    await health.close();
    await db.close();
    await line.close();
  });
  return { line, db, health };
}

test("a database whose connections are all in use is in reach", async () => {
  const { db, health } = await watched();
  let end = () => {};
  const mayEnd = new Promise<void>((resolve) => {
    end = resolve;
  });
  let hasBegun = () => {};
  const begun = new Promise<void>((resolve) => {
    hasBegun = resolve;
  });
  const busy = db.transaction(async () => {
    hasBegun();
    await mayEnd;
  });
  await begun;
  expect(await health.fault()).toBeUndefined();
  end();
  await busy;
});

test("that PostgreSQL hangs is known sooner than a statement is given up", async () => {
  const { line, health } = await watched();
  expect(await health.fault()).toBeUndefined();
  line.hold("tandem");
  expect(await health.fault()).toBe("out of reach");
});

test("a check that is late finds a database that answers requests in reach", async () => {
  const { line, db, health } = await watched();
  await db.query("select 1");
  // New connections hang, and so does the check, which has none yet.
  line.holdNew();
  const checked = health.fault();
  await db.query("select 1");
  expect(await checked).toBeUndefined();
  expect(await health.fault()).toBe("out of reach");
});

const NO_SPACE = "raise exception 'could not extend file: No space left on device' using errcode = '53100'";

test("a full disk is out of reach, and known until there is room again", async () => {
  const { db, health } = await watched();
  await store.db.query(
    `create function no_space() returns event_trigger language plpgsql as $$ begin ${NO_SPACE}; end $$`,
  );
  await store.db.query("create event trigger no_space on ddl_command_start execute function no_space()");
  const makeRoom = () => store.db.query("drop event trigger if exists no_space");
  onTestFinished(async () => {
    await makeRoom();
    await store.db.query("drop function no_space");
  });
  // A health check of a starved machine is late, and says only that.
  await expect.poll(() => health.fault()).toBeUndefined();
  await expect(db.query(`do $$ begin ${NO_SPACE}; end $$`)).rejects.toBeInstanceOf(Unavailable);
  await expect.poll(() => health.fault()).toContain("No space left on device");
  await makeRoom();
  await expect.poll(() => health.fault()).toBeUndefined();
});
