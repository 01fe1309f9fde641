// A database that falls silent, hangs or has no room: who lost a right loses it, callers are told, and nothing that was
// given up is done later.

import { afterAll, expect, onTestFinished, test } from "vitest";
import { ACCOUNT_CHANGED, notify, OPERATORS_CHANGED } from "../../src/adapters/store/engine/channels.ts";
import type { Database } from "../../src/adapters/store/engine/database.ts";
import { newAccount } from "../contract/account.ts";
import { UNTIL } from "../contract/messages.ts";
import { type DatabaseLine, openDatabaseLine } from "../fakes/database-line.ts";
import { connectionTo, dropDatabase, newDatabase } from "../shared-database.ts";
import { basic, json } from "../tandem.ts";
import { databaseOf } from "../tandem-database.ts";
import { useTandem } from "../use-tandem.ts";

let line: DatabaseLine;
let databaseUrl: string;
/** Without the line. */
let database: Database;
// After the server has stopped: what is said last is done first.
afterAll(async () => {
  await database.close();
  await line.close();
  await dropDatabase(databaseUrl);
});
/** By way of the line. */
const tandem = useTandem(async () => {
  databaseUrl = await newDatabase();
  database = databaseOf({ databaseUrl });
  line = await openDatabaseLine(connectionTo(databaseUrl));
  return { databaseUrl: line.url, environment: { TANDEM_LOG_LEVEL: "error" } };
});

test("a revoked token, a suspended account and a deleted operator token count, however silent the notifications are", async () => {
  const [revoked, suspended, other] = [await newAccount(tandem), await newAccount(tandem), await newAccount(tandem)];
  const made = await tandem.operator("/operator/v1/Tokens", json("POST", { name: "leaving", role: "admin" }));
  const { token } = (await made.json()) as { token: string };
  const asLeaving = () => fetch(`${tandem.url}/operator/v1/Accounts`, { headers: basic("operator", token) });
  const statuses = async () => {
    const answers = [revoked.call("/v1/Phones"), suspended.call("/v1/Phones"), asLeaving(), other.call("/v1/Phones")];
    return (await Promise.all(answers)).map(({ status }) => status);
  };
  expect(await statuses()).toEqual([200, 200, 200, 200]);
  line.hold("tandem listener");
  onTestFinished(() => line.release());
  // As another process does it.
  await database.transaction(async (unit) => {
    await unit.query("delete from account_tokens where account_sid = $1", [revoked.sid]);
    await unit.query("update accounts set status = 'Suspended' where sid = $1", [suspended.sid]);
    await unit.query("delete from operator_tokens where name = 'leaving'");
    for (const { sid } of [revoked, suspended]) await notify(unit, ACCOUNT_CHANGED, sid);
    await notify(unit, OPERATORS_CHANGED);
  });
  const changedMs = performance.now();
  await expect.poll(statuses, UNTIL).toEqual([401, 403, 401, 200]);
  console.log(`rights lost after ${Math.round(performance.now() - changedMs)} ms while notifications are silent`);
});
