import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { silent } from "../../../test/fakes/silent-log.ts";
import { connectionTo, dropDatabase, newDatabase } from "../../../test/shared-database.ts";
import { newSecretKey, type SecretKey, SecretKeys } from "../../adapters/secrets.ts";
import { Database, queryableOver } from "../../adapters/store/engine/database.ts";
import { countSealingOthers, readDatabaseKeys } from "../../adapters/store/secret-keys.ts";
import type { Settings } from "../config/settings.ts";
import { type FollowedKeys, openKeys } from "./followed-keys.ts";

const [older, newer] = [newSecretKey(), newSecretKey()];
const textOf = (...keys: readonly SecretKey[]) =>
  keys.map(({ octets }) => Buffer.from(octets).toString("base64")).join("\n");

let url: string;
let folder: string;
let closes: (() => Promise<void>)[];
beforeEach(async () => {
  url = await newDatabase();
  folder = mkdtempSync(join(tmpdir(), "tandem-followed-"));
  closes = [];
});
afterEach(async () => {
  for (const close of closes) await close();
  await dropDatabase(url);
  rmSync(folder, { recursive: true });
});

interface Process {
  readonly keys: FollowedKeys;
  readonly db: Database;
  follow(): Promise<void>;
}

/** Starts a process with these keys in the environment, or with the key file of the folder. */
async function start(...given: readonly SecretKey[]): Promise<Process> {
  const settings = {
    TANDEM_ACCEPT_NEW_KEY: "off",
    TANDEM_SECRET_KEY: given.length > 0 ? given : undefined,
  } as unknown as Settings;
  const keys = await openKeys({ settings, dataDir: folder }, connectionTo(url), silent);
  const db = new Database(connectionTo(url), silent);
  const client = new pg.Client(connectionTo(url));
  await client.connect();
  closes.push(
    () => client.end(),
    () => db.close(),
  );
  const follow = () => keys.follow(queryableOver(client), db);
  await follow();
  return { keys, db, follow };
}

const sealsWith = ({ keys }: Process) => keys.box.all[0]?.id.toString("hex");
const idOf = ({ id }: SecretKey) => id.toString("hex");

test("a process may seal with the key before until all that it had begun to store is stored", async () => {
  const one = await start(older, newer);
  let commit = () => {};
  const mayCommit = new Promise<void>((resolve) => {
    commit = resolve;
  });
  const storing = one.db.transaction(async (unit) => {
    await unit.query("select $1::bytea", [one.keys.box.seal("in a transaction")]);
    await mayCommit;
  });
  const two = await start(newer, older);
  expect(sealsWith(two)).toBe(idOf(newer));
  await one.follow();
  expect(sealsWith(one)).toBe(idOf(newer));
  expect(await countSealingOthers(two.db, newer)).toBe(1);
  commit();
  await storing;
  await expect.poll(() => countSealingOthers(two.db, newer)).toBe(0);
});

test("two processes with different first keys do not go back and forth", async () => {
  const one = await start(older, newer);
  const two = await start(newer, older);
  for (const each of [one, two, one, two]) await each.follow();
  expect([sealsWith(one), sealsWith(two)]).toStrictEqual([idOf(newer), idOf(newer)]);
  expect((await readDatabaseKeys(one.db, [newer]))?.present).toStrictEqual(newer);
});

test("the file is read again when it changed; one that cannot be read changes nothing", async () => {
  const path = join(folder, "secret.key");
  writeFileSync(path, textOf(older));
  const one = await start();
  let told = 0;
  const watch = () =>
    one.keys.watchFile(async () => {
      told += 1;
      await one.follow();
    });
  await watch();
  expect(told).toBe(0);
  writeFileSync(path, textOf(newer, older));
  await watch();
  await watch();
  expect([told, sealsWith(one)]).toStrictEqual([1, idOf(newer)]);
  writeFileSync(path, "not a key");
  await watch();
  expect([told, sealsWith(one)]).toStrictEqual([2, idOf(newer)]);
  expect(await one.keys.state(one.db)).toBe("ok");
  expect(one.keys.box.open(new SecretKeys([older]).seal("of before"))).toBe("of before");
});

test("a value of a key that has just come into the file is opened at once", async () => {
  writeFileSync(join(folder, "secret.key"), textOf(older));
  const one = await start();
  const sealed = new SecretKeys([newer]).seal("by another process");
  expect(() => one.keys.box.open(sealed)).toThrow("none of the secret keys");
  writeFileSync(join(folder, "secret.key"), textOf(newer, older));
  expect(one.keys.box.open(sealed)).toBe("by another process");
});
