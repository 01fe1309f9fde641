import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { silent } from "../../../test/fakes/silent-log.ts";
import { connectionTo, dropDatabase, newDatabase } from "../../../test/shared-database.ts";
import { newSecretKey, type SecretKey, SecretKeys } from "../secrets.ts";
import { Database, type Queryable, queryableOver } from "./engine/database.ts";
import {
  adoptFirstKey,
  claimKeyCheck,
  countSealingOthers,
  forgetRetiredKeys,
  hasRetiredKeys,
  holdOpeningKeys,
  holdSealingKey,
  readDatabaseKeys,
  releaseSealingKeys,
  replaceLostKey,
} from "./secret-keys.ts";

const [first, second, third] = [newSecretKey(), newSecretKey(), newSecretKey()];

let url: string;
let db: Database;
let clients: pg.Client[];
beforeEach(async () => {
  url = await newDatabase();
  db = new Database(connectionTo(url), silent);
  clients = [];
  await claimKeyCheck(db, first);
});
afterEach(async () => {
  await Promise.all(clients.map((client) => client.end()));
  await db.close();
  await dropDatabase(url);
});

/** The session of a process that has these keys. */
async function processWith(...keys: readonly SecretKey[]): Promise<{ session: Queryable; end(): Promise<void> }> {
  const client = new pg.Client(connectionTo(url));
  clients.push(client);
  await client.connect();
  const session = queryableOver(client);
  await holdOpeningKeys(session, keys);
  return { session, end: () => client.end() };
}

const adopt = (...known: readonly SecretKey[]) => db.transaction((unit) => adoptFirstKey(unit, known));

test("a key becomes the database's when every process has it, and the ones before are kept", async () => {
  const one = await processWith(first);
  await processWith(first, second);
  expect(await adopt(second, first)).toBe(1);
  expect(await readDatabaseKeys(db, [second])).toBeUndefined();
  await holdOpeningKeys(one.session, [second, first]);
  expect(await adopt(second, first)).toBe(0);
  expect(await readDatabaseKeys(db, [second])).toStrictEqual({ present: second, retired: [first] });
  await one.end();
  expect(await adopt(third, second)).toBe(1);
  for (const client of clients) await client.end();
  clients = [];
  expect(await adopt(third, second)).toBe(0);
  const found = await readDatabaseKeys(db, [third]);
  expect(found?.present).toStrictEqual(third);
  expect(new Set(found?.retired.map(({ id }) => id.toString("hex")))).toStrictEqual(
    new Set([first, second].map(({ id }) => id.toString("hex"))),
  );
  // Back to an earlier key, which is then no longer among the retired ones.
  expect(await adopt(first, third)).toBe(0);
  expect((await readDatabaseKeys(db, [first]))?.retired).toHaveLength(2);
});

test("who reads the key of the database sees one that is being adopted", async () => {
  const adopting = new pg.Client(connectionTo(url));
  clients.push(adopting);
  await adopting.connect();
  await adopting.query("begin");
  expect(await adoptFirstKey(queryableOver(adopting), [second, first])).toBe(0);
  const reading = readDatabaseKeys(db, [first, second]);
  const waiting = () =>
    db.query(
      `select from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`,
    );
  await expect.poll(waiting).toHaveLength(1);
  await adopting.query("commit");
  expect((await reading)?.present).toStrictEqual(second);
});

test("it is known who may still seal with another key", async () => {
  const { session } = await processWith(first);
  await holdSealingKey(session, first);
  await holdSealingKey(session, first);
  expect(await countSealingOthers(db, second)).toBe(1);
  await holdSealingKey(session, second);
  expect(await countSealingOthers(db, second)).toBe(1);
  await releaseSealingKeys(session, second);
  expect(await countSealingOthers(db, second)).toBe(0);
  expect(await countSealingOthers(db, first)).toBe(1);
});

test("a retired key is forgotten after eight days, unless something is left that it sealed", async () => {
  await adopt(second, first);
  const forget = (isUsed: boolean) => forgetRetiredKeys(db, async () => isUsed);
  await forget(false);
  expect(await hasRetiredKeys(db)).toBe(true);
  await db.query("update retired_keys set retired_at = now() - interval '9 days'");
  await forget(true);
  expect(await hasRetiredKeys(db)).toBe(true);
  await forget(false);
  expect(await hasRetiredKeys(db)).toBe(false);
});

test("a key that replaces a lost one starts again", async () => {
  await adopt(second, first);
  await replaceLostKey(db, third);
  expect(await readDatabaseKeys(db, [third])).toStrictEqual({ present: third, retired: [] });
  expect(() => new SecretKeys([first]).open(new SecretKeys([third]).seal("x"))).toThrow();
});
