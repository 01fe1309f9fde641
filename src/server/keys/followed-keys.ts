// The secret keys of a running server. It reads the key file again when the file changes, publishes which keys it can
// open values with, and seals with the key of the database.
//
// The first of its keys becomes the key of the database as soon as every running process has it; until then all
// processes keep using the previous key. A process adopts each key only once, so that two processes with different
// first keys do not switch back and forth.

import { differentKeys, isSameKey, type SecretKey, SecretKeys } from "../../adapters/secrets.ts";
import { type ConnectionSettings, Database, type Queryable } from "../../adapters/store/engine/database.ts";
import {
  adoptFirstKey,
  claimKeyCheck,
  holdOpeningKeys,
  holdSealingKey,
  keyOfCheck,
  readDatabaseKeys,
  readKeyCheck,
  releaseSealingKeys,
  replaceLostKey,
} from "../../adapters/store/secret-keys.ts";
import type { Log } from "../../base/log.ts";
import { ensureGivenKeys, type KeyPlace, keyFileVersion, notTheKey, readGivenKeys } from "./given-keys.ts";

export type KeyState = "ok" | "not the one of the database" | "the first key waits for processes that do not have it";

/** Refuses keys that are not the database's, unless a lost key is to be replaced. */
export async function openKeys(place: KeyPlace, connection: ConnectionSettings, log: Log): Promise<FollowedKeys> {
  const db = new Database(connection, log, { connectionsMax: 1 });
  try {
    const mayReplace = place.settings.TANDEM_ACCEPT_NEW_KEY === "on";
    if (mayReplace || (await readKeyCheck(db)) === undefined) ensureGivenKeys(place);
    const given = readGivenKeys(place);
    const first = given[0] as SecretKey;
    if (!keyOfCheck(given, await claimKeyCheck(db, first))) {
      if (!mayReplace) throw new Error(notTheKey(place));
      await replaceLostKey(db, first);
      log.warn({}, "another secret key accepted: values that the previous one encrypted cannot be read");
    }
    return new FollowedKeys(place, given, log);
  } finally {
    await db.close();
  }
}

export class FollowedKeys {
  readonly box: SecretKeys;
  readonly #place: KeyPlace;
  readonly #log: Log;
  /** All keys that were ever given to this process, those of the last reading first. */
  #given: readonly SecretKey[];
  /** The first key that this process last made the key of the database, or found to be. */
  #adopted: SecretKey | undefined;
  #isWaiting = false;
  #hasFitted = false;
  #following: Promise<void> = Promise.resolve();
  #fileVersion: string | undefined;

  constructor(place: KeyPlace, given: readonly SecretKey[], log: Log) {
    this.#place = place;
    this.#given = given;
    this.#log = log;
    this.#fileVersion = keyFileVersion(place.dataDir);
    this.box = new SecretKeys(given, () => this.#readAgain());
  }

  /** Learns the keys of the file and of the database. At the start, throws when they do not match. */
  follow(session: Queryable, db: Database): Promise<void> {
    const next = this.#following.catch(() => undefined).then(() => this.#follow(session, db));
    this.#following = next;
    return next;
  }

  async state(db: Queryable): Promise<KeyState | null> {
    const sealed = await readKeyCheck(db).catch(() => null);
    if (sealed === null) return null;
    if (!sealed || !keyOfCheck(this.box.all, sealed)) return "not the one of the database";
    return this.#isWaiting ? "the first key waits for processes that do not have it" : "ok";
  }

  /** Calls `tell` when the key file has changed since the last call that succeeded. */
  async watchFile(tell: () => Promise<void>): Promise<void> {
    const version = keyFileVersion(this.#place.dataDir);
    if (version === this.#fileVersion) return;
    await tell();
    this.#fileVersion = version;
  }

  async #follow(session: Queryable, db: Database): Promise<void> {
    const given = this.#readAgain();
    await holdOpeningKeys(session, given);
    await holdSealingKey(session, this.box.all[0] as SecretKey);
    await this.#adopt(given, db);
    const found = await readDatabaseKeys(session, given);
    if (!found) {
      if (!this.#hasFitted) throw new Error(notTheKey(this.#place));
      this.#log.error({}, "the database has another secret key, which this process does not have");
      return;
    }
    this.#hasFitted = true;
    const { present, retired } = found;
    const isNew = !isSameKey(present, this.box.all[0] as SecretKey);
    this.box.replace(differentKeys([present, ...given, ...retired]));
    if (!isNew) return;
    this.#log.info({ key: present.id.toString("hex") }, "sealing with another secret key");
    await holdSealingKey(session, present);
    // Not awaited, so that no notification waits for slow statements. If the session breaks, its locks are released.
    db.settled()
      .then(() => releaseSealingKeys(session, this.box.all[0] as SecretKey))
      .catch(() => undefined);
  }

  async #adopt(given: readonly SecretKey[], db: Database): Promise<void> {
    const first = given[0] as SecretKey;
    if (this.#adopted && isSameKey(this.#adopted, first)) return;
    const sealed = await readKeyCheck(db);
    if (!sealed || !keyOfCheck(given, sealed)) return;
    const unknowing = await db.transaction((unit) => adoptFirstKey(unit, given));
    this.#isWaiting = unknowing > 0;
    if (this.#isWaiting) this.#log.warn({ processes: unknowing }, "the first secret key waits for other processes");
    else this.#adopted = first;
  }

  #readAgain(): readonly SecretKey[] {
    try {
      this.#given = differentKeys([...readGivenKeys(this.#place), ...this.#given]);
    } catch (error) {
      this.#log.error({ reason: (error as Error).message }, "secret key not read again");
    }
    return this.#given;
  }
}
