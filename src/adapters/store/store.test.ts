import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { secretBox } from "../../../test/fakes/secret-box.ts";
import { silent } from "../../../test/fakes/silent-log.ts";
import { connectionTo, dropDatabase, newDatabase } from "../../../test/shared-database.ts";
import { systemClock } from "../../base/clock.ts";
import { makeIds } from "../../base/ids.ts";
import { createAccount } from "../../domain/accounts/index.ts";
import { tokenMaker } from "../secrets.ts";
import { applySchema } from "./schema/apply-schema.ts";
import { SCHEMA } from "./schema/index.ts";
import { openStore } from "./store.ts";

/** Shorter than the 10 s after which an idle connection closes by itself. */
const SOON = { timeout: 120_000 };

let url: string;
let client: pg.Client;

beforeAll(async () => {
  url = await newDatabase("empty");
  client = new pg.Client({ ...connectionTo(url), application_name: "onlooker" });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await dropDatabase(url);
});

const open = () =>
  openStore({
    settings: connectionTo(url),
    box: secretBox(randomBytes(32)),
    activationMs: 0,
    clock: systemClock,
    log: silent,
  });

async function sessions(): Promise<readonly string[]> {
  const here = "select application_name as name from pg_stat_activity where datname = current_database()";
  const { rows } = await client.query<{ name: string }>(`${here} and application_name like 'tandem%'`);
  return rows.map(({ name }) => name);
}

test("a store that cannot be opened leaves no connection behind", async () => {
  // There is no schema yet.
  await expect(open()).rejects.toThrow("does not exist");
  await expect.poll(sessions, SOON).toStrictEqual([]);
});

test("what changed while the listening connection was broken is known when it is back", async () => {
  await applySchema(client, SCHEMA);
  const store = await open();
  try {
    const deps = { tokens: tokenMaker, ids: makeIds(systemClock), now: new Date() };
    const order = { name: "Test", features: [], limitChanges: {}, allowedCountries: null, country: null };
    const { account, token } = await store.transaction((unit) =>
      createAccount({ ...deps, accounts: unit.accounts }, order, { signs: false, toolWrites: false }),
    );
    expect(await store.directory.account(account.sid, token)).toMatchObject({ account: { sid: account.sid } });
    expect(store.directory.weightOf(account.sid)).toBe(1);
    const limitChanges = { weight: { requests: 3, windowSeconds: 1 } };
    await store.transaction((unit) => unit.accounts.change(account.sid, { limitChanges }));
    expect(store.directory.weightOf(account.sid)).toBe(3);
    // Without a notification, as if it had been sent while the connection was broken.
    await client.query("delete from account_tokens where account_sid = $1", [account.sid]);
    const cut =
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'tandem listener %'";
    expect((await client.query(cut)).rowCount).toBe(1);
    await expect.poll(() => store.directory.account(account.sid, token), { timeout: 120_000 }).toBeUndefined();
  } finally {
    await store.close();
  }
  await expect.poll(sessions, SOON).toStrictEqual([]);
});
