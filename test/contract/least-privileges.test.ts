// The database user that we recommend for a PostgreSQL of one's own has the rights that suffice, and no others.

import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { Database } from "../../src/adapters/store/engine/database.ts";
import { withClient } from "../../src/server/main/with-client.ts";
import { silent } from "../fakes/silent-log.ts";
import { startHealthy } from "../faults/webhook-receivers.ts";
import { runCommand } from "../journeys/tandem-command.ts";
import { connectionTo, dropDatabase, newDatabase } from "../shared-database.ts";
import { startTandem } from "../tandem.ts";
import { newMessenger, newSender, send } from "./messages.ts";

const SQL = readFileSync(new URL("../../deploy/postgresql/tandem.sql", import.meta.url), "utf8");
const USER = `tandem_least_${process.pid}`;

/** The statements, for a database that is there already, and without a password. */
const statementsFor = (database: string) =>
  SQL.replace(/^create database .*$/m, "")
    .replace(/^\\connect .*$/m, "")
    .replace(" password :'password'", "")
    .replaceAll("database tandem", `database ${database}`)
    .replace(/\b(role|to) tandem\b/g, `$1 ${USER}`);

test("a server as that user sends a text and delivers its webhook, and can do nothing beyond its tables", async () => {
  const url = await newDatabase("empty");
  const { user, database } = connectionTo(url);
  await withClient({ connectionString: url }, (admin) => admin.query(statementsFor(database)));
  const databaseUrl = url.replace(`//${user}@`, `//${USER}@`);
  expect(databaseUrl).not.toBe(url);
  const tandem = await startTandem({ databaseUrl });
  const db = new Database({ connectionString: databaseUrl }, silent);
  onTestFinished(async () => {
    await db.close();
    await tandem.stop();
    await dropDatabase(url);
    await withClient({ ...connectionTo(url), database: "postgres" }, (admin) => admin.query(`drop role ${USER}`));
  });

  const account = await newMessenger(tandem);
  const sender = await newSender(tandem, db, account);
  const receiver = await startHealthy();
  onTestFinished(() => receiver.close());
  await send(account, { From: sender.number, To: "+12125550100", Text: "Hi", CallbackUrlOverride: receiver.url });
  await receiver.whenReceived(2);
  const environment = { TANDEM_DATABASE_URL: databaseUrl, TANDEM_DATA_DIR: tandem.dataDir, TANDEM_PORT: "0" };
  expect((await runCommand(["doctor"], { environment })).stdout).not.toMatch(/^FAIL +(Database|Schema)/m);

  for (const statement of [
    "create database other",
    "create role other",
    "create schema other",
    "create extension dblink",
  ]) {
    await expect(db.query(statement)).rejects.toThrow(/permission denied/);
  }
});
