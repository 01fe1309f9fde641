// A primary and a standby as one address with two servers: connections go to the one that takes writes, and follow a
// promotion.

import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { Database } from "../../src/adapters/store/engine/database.ts";
import { HeldConnection } from "../../src/adapters/store/engine/held-connection.ts";
import { withClient } from "../../src/server/main/with-client.ts";
import { type DatabaseLine, openDatabaseLine } from "../fakes/database-line.ts";
import { silent } from "../fakes/silent-log.ts";
import { requireStockPostgres, StockPostgres } from "../stock-postgres.ts";

const TAKES_WRITES = "select not pg_is_in_recovery() as writes, inet_server_port() as port";

describe.skipIf(!requireStockPostgres())("a primary and a standby", () => {
  /** Both, each over a proxy; the standby is named first. */
  async function startPair() {
    const directory = mkdtempSync(join(tmpdir(), "tandem-pair-"));
    chmodSync(directory, 0o755);
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const primary = await StockPostgres.startIn(join(directory, "primary"));
    onTestFinished(() => primary.close());
    const standby = await StockPostgres.startStandby(join(directory, "standby"), primary);
    onTestFinished(() => standby.close());
    const [first, second] = [await openDatabaseLine(standby.connection), await openDatabaseLine(primary.connection)];
    onTestFinished(async () => {
      await first.close();
      await second.close();
    });
    return { primary, standby, lines: [first, second] as const, connectionString: addressOf([first, second]) };
  }

  test("connections go to the primary, and to the standby once it is promoted", async () => {
    const { primary, standby, connectionString } = await startPair();
    const db = new Database({ connectionString }, silent);
    onTestFinished(() => db.close());
    const sessions: pg.Client[] = [];
    const held = new HeldConnection({
      settings: { connectionString },
      name: "test",
      log: silent,
      opened: async (client) => void sessions.push(client),
    });
    onTestFinished(() => held.close());
    await held.open();
    await db.query("create table kept (word text)");
    await db.query("insert into kept values ('before')");
    await whenSame(standby, primary);

    await primary.close();
    await expect(db.query("select 1")).rejects.toThrow();
    await promote(standby);

    await vi.waitUntil(
      () =>
        db.query("insert into kept values ('after')").then(
          () => true,
          () => false,
        ),
      PATIENT,
    );
    expect(await db.query("select word from kept order by word")).toEqual([{ word: "after" }, { word: "before" }]);
    await vi.waitUntil(() => sessions.length === 2, PATIENT);
    const [session] = sessions.slice(-1);
    expect((await session?.query(TAKES_WRITES))?.rows).toMatchObject([{ writes: true }]);
  });

  test("a server that hangs is passed over", async () => {
    const { standby, primary, lines } = await startPair();
    const [first, second] = lines;
    const connectionString = addressOf([second, first]);
    await whenSame(standby, primary);
    second.hold("");
    await promote(standby);
    expect(await withClient({ connectionString }, writes)).toBe(true);
  });

  test("a start waits while both are standbys", async () => {
    const { lines } = await startPair();
    const connectionString = addressOf([lines[0], lines[0]]);
    await expect(withClient({ connectionString }, writes)).rejects.toMatchObject({ code: "57P03" });
  });
});

const PATIENT = { timeout: 120_000 };

const addressOf = ([one, two]: readonly [DatabaseLine, DatabaseLine]) => {
  const [first, second] = [new URL(one.url), new URL(two.url)];
  return `postgres://${first.username}@${first.host},${second.host}${first.pathname}?target_session_attrs=read-write`;
};

async function writes(client: pg.ClientBase): Promise<boolean> {
  return (await client.query<{ writes: boolean }>(TAKES_WRITES)).rows[0]?.writes === true;
}

/** Waits until the standby has what the primary has. */
async function whenSame(standby: StockPostgres, primary: StockPostgres): Promise<void> {
  const written = await withClient(primary.connection, (client) => ask(client, "pg_current_wal_flush_lsn()::text"));
  const isThere = () =>
    withClient(standby.connection, (client) => ask(client, `pg_last_wal_replay_lsn() >= '${written}'`));
  await vi.waitUntil(isThere, PATIENT);
}

async function promote(standby: StockPostgres): Promise<void> {
  await withClient(standby.connection, (client) => ask(client, "pg_promote(true, 120)"));
}

async function ask(client: pg.ClientBase, expression: string): Promise<unknown> {
  return (await client.query(`select ${expression} as answer`)).rows[0].answer;
}
