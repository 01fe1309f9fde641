// Rotates the secret key: everything that is sealed with an earlier key is sealed with the new one, while servers run.
//
// Guarantees: every value can be opened at all times, by running servers and by those that start, even if this is
// killed at any point; run again, it continues. At the end, no value that one of the keys can open is still sealed with
// an earlier key.
//
// 1. The new key is put before the current one in the key file. With keys in the environment the operator does that.
// 2. When every running process has it, it becomes the key of the database; all seal with it from then on.
// 3. What earlier keys have sealed is sealed again with it.
// 4. The earlier keys are removed from the key file.

import { setTimeout as pause } from "node:timers/promises";
import { differentKeys, newSecretKey, type SecretKey } from "../../adapters/secrets.ts";
import { outdatedFault } from "../../adapters/store/backup/snapshot.ts";
import { KEYS_CHANGED, notify } from "../../adapters/store/engine/channels.ts";
import { Database, queryableOver } from "../../adapters/store/engine/database.ts";
import { ROTATION_LOCK } from "../../adapters/store/engine/locks.ts";
import { listSteps } from "../../adapters/store/schema/apply-schema.ts";
import { countUnderOthers, sealAnew } from "../../adapters/store/sealed-values.ts";
import { adoptFirstKey, countSealingOthers, readDatabaseKeys } from "../../adapters/store/secret-keys.ts";
import type { Log } from "../../base/log.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import { Unavailable } from "../../base/unavailable.ts";
import { openExisting, UnusableDatabase, withClient } from "../backup/database.ts";
import type { Config } from "../config/config.ts";
import { keyFileIn, notTheKey, readGivenKeys, replaceKeyFile } from "./given-keys.ts";

export interface RotationOrder {
  readonly config: Config;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Only counts what would be sealed. */
  readonly isDryRun: boolean;
  /** Called while this waits for running processes. */
  readonly waits: (processes: number) => void;
  readonly progress: (sealed: number, total: number) => void;
}

export interface Rotation {
  /** Where the keys are: the path of the file, or TANDEM_SECRET_KEY. */
  readonly keys: string;
  /** The file already held several keys: an earlier rotation was resumed. */
  readonly isResumed: boolean;
  /** How many values there were to seal, by kind. */
  readonly found: Readonly<Record<string, number>>;
  readonly sealed: number;
  /** Sealed with a lost key, and left unchanged. */
  readonly unreadable: number;
}

const WAIT_MS_MAX = 60_000;
const POLL_MS = 50;
const STATEMENT_MS_MAX = 60_000;

export async function rotateKeys(order: RotationOrder): Promise<Result<Rotation, string>> {
  const database = await openExisting(order.config, order.log);
  if (!database.ok) return database;
  try {
    return await withClient(database.value.settings, "tandem keys", async (client) => {
      const fault = outdatedFault(await listSteps(client));
      if (fault !== undefined) return refused(fault);
      const [lock] = await queryableOver(client).query<{ isOurs: boolean }>(
        `select pg_try_advisory_lock(${ROTATION_LOCK}) as "isOurs"`,
      );
      if (!lock?.isOurs) return refused("The key of this database is being rotated by another command.");
      const settings = { ...database.value.settings, waitMs: STATEMENT_MS_MAX };
      const db = new Database(settings, order.log, { connectionsMax: 1 });
      return await rotate(order, db).finally(() => db.close());
    });
  } catch (error) {
    if (error instanceof UnusableDatabase) return refused(error.message);
    if (error instanceof Unavailable)
      return refused(`The database was lost (${error.message}). Run this again to continue.`);
    throw error;
  } finally {
    await database.value.close();
  }
}

async function rotate(order: RotationOrder, db: Database): Promise<Result<Rotation, string>> {
  const { config, isDryRun } = order;
  const isInFile = config.settings.TANDEM_SECRET_KEY === undefined;
  const given = givenKeys(config);
  if (!given.ok) return given;
  const before = await readDatabaseKeys(db, given.value);
  if (!before) return refused(notTheKey(config));
  const isResumed = given.value.length > 1;
  if (!isInFile && !isResumed && before.retired.length === 0) return refused(ONE_KEY);
  const next = isInFile && !isResumed ? newSecretKey() : (given.value[0] as SecretKey);
  const known = differentKeys([next, ...given.value]);
  const found = Object.fromEntries(await countUnderOthers(db, next));
  const summary = { keys: isInFile ? keyFileIn(config.dataDir) : "TANDEM_SECRET_KEY", isResumed, found };
  if (isDryRun) return ok({ ...summary, sealed: 0, unreadable: 0 });
  if (isInFile && !isResumed) replaceKeyFile(config.dataDir, known);
  const fault = await switchTo(order, db, known);
  if (fault !== undefined) return refused(fault);
  const keys = differentKeys([...known, ...before.retired]);
  const counts = await sealEverything(
    order,
    db,
    keys,
    Object.values(found).reduce((sum, count) => sum + count, 0),
  );
  if (isInFile) replaceKeyFile(config.dataDir, [next]);
  await notify(db, KEYS_CHANGED);
  return ok({ ...summary, ...counts });
}

const ONE_KEY =
  "TANDEM_SECRET_KEY holds one key. Put a new one before it, separated by a comma (openssl rand -base64 32), restart the servers with both, and run this with both.";

function givenKeys(config: Config): Result<readonly SecretKey[], string> {
  try {
    return ok(readGivenKeys(config));
  } catch (error) {
    return refused((error as Error).message);
  }
}

/** Makes the first key the key of the database and waits until every process seals with it; returns why it cannot. */
async function switchTo(order: RotationOrder, db: Database, known: readonly SecretKey[]): Promise<string | undefined> {
  const { config } = order;
  await notify(db, KEYS_CHANGED);
  const unknowing = await untilNone(order, () => db.transaction((unit) => adoptFirstKey(unit, known)));
  if (unknowing > 0) {
    const whatToDo = config.settings.TANDEM_SECRET_KEY
      ? "Restart them with the same TANDEM_SECRET_KEY"
      : `Copy ${keyFileIn(config.dataDir)} to the data directories of the other machines, or restart with both keys what has TANDEM_SECRET_KEY`;
    return `${unknowing} of the running processes cannot read the new key. ${whatToDo}, and run this again to continue.`;
  }
  const slow = await untilNone(order, () => countSealingOthers(db, known[0] as SecretKey));
  if (slow > 0) return `${slow} of the running processes go on with the previous key. Run this again to continue.`;
  return undefined;
}

/** Waits for the count to be 0, up to a limit; returns the last count. */
async function untilNone({ signal, waits }: RotationOrder, count: () => Promise<number>): Promise<number> {
  const endMs = performance.now() + WAIT_MS_MAX;
  for (;;) {
    signal.throwIfAborted();
    const counted = await count();
    if (counted === 0 || performance.now() > endMs) return counted;
    waits(counted);
    await pause(POLL_MS);
  }
}

async function sealEverything(
  { signal, progress }: RotationOrder,
  db: Database,
  keys: readonly SecretKey[],
  total: number,
): Promise<Pick<Rotation, "sealed" | "unreadable">> {
  let sealed = 0;
  for (;;) {
    const pass = await sealAnew(db, keys, (more) => {
      signal.throwIfAborted();
      sealed += more;
      progress(Math.min(sealed, total), total);
    });
    if (pass.sealed === 0 && pass.left === 0) return { sealed, unreadable: pass.unreadable };
    if (pass.sealed === 0) await pause(POLL_MS);
  }
}
