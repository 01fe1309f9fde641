// A restore to a moment, as docs/database.md describes it: a copy of PostgreSQL's files and its archived log.

import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { withClient } from "../../src/server/main/with-client.ts";
import { requireStockPostgres, StockPostgres } from "../stock-postgres.ts";

const PATIENT = { timeout: 120_000 };

describe.skipIf(!requireStockPostgres())("PostgreSQL", () => {
  test("is restored to a moment by a copy of its files and its archived log", async () => {
    const directory = mkdtempSync(join(tmpdir(), "tandem-moment-"));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const archive = join(directory, "archive");
    mkdirSync(archive);
    chmodSync(directory, 0o755);
    chmodSync(archive, 0o777);
    const primary = await StockPostgres.startIn(join(directory, "primary"), {
      archive_mode: "on",
      archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f`,
    });
    onTestFinished(() => primary.close());

    const run = (text: string) =>
      withClient(primary.connection, async (client) => (await client.query<{ value: string }>(text)).rows[0]?.value);
    await run("create table kept (word text)");
    await primary.copyTo(join(directory, "copy"));
    await run("insert into kept values ('before')");
    const moment = await run("select clock_timestamp()::text as value");
    await run("delete from kept");
    const last = await run("select pg_walfile_name(pg_switch_wal()) as value");
    const archived = () => run("select last_archived_wal as value from pg_stat_archiver");
    await vi.waitUntil(async () => ((await archived()) ?? "") >= (last ?? ""), PATIENT);
    await primary.close();

    const restored = await StockPostgres.startRecovering(join(directory, "copy"), {
      restore_command: `cp ${archive}/%f %p`,
      recovery_target_time: moment ?? "",
      recovery_target_action: "promote",
    });
    onTestFinished(() => restored.close());
    const read = (text: string) => withClient(restored.connection, async (client) => (await client.query(text)).rows);
    await vi.waitUntil(async () => (await read("select where not pg_is_in_recovery()")).length === 1, PATIENT);
    expect(await read("select word from kept")).toEqual([{ word: "before" }]);
  });
});
