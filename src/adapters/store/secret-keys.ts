// Which secret key is the database's, which ones it had before, and which ones the running processes have.
//
// The key of the database seals; a value that it sealed identifies it. It is replaced only when every running process
// can open with the new key: each holds shared advisory locks on the ids of its keys, in the session of its listener,
// so that PostgreSQL forgets a process that ends. The replaced key stays, sealed with the new one.
//
// A process whose session is broken at that moment is not counted. It may seal once more with the replaced key, which
// the others can open, and it reads its key file again when it meets a value that none of its keys opens.

import { type SecretKey, SecretKeys, secretKey } from "../secrets.ts";
import { KEYS_CHANGED, notify } from "./engine/channels.ts";
import type { Queryable } from "./engine/database.ts";
import { awaitLock, lock, OPENING_KEY_LOCKS, SEALING_KEY_LOCKS } from "./engine/locks.ts";
import { countOf, first, hasRow } from "./engine/statements.ts";

const TEXT = "tandem";
/** The lock of a transaction that changes the key of the database. */
const CHANGE = "secret key";

/** The sealed check value; undefined while no key was used with this database. */
export async function readKeyCheck(db: Queryable): Promise<Buffer | undefined> {
  return (await first<{ sealed: Buffer }>(db, "select sealed from secret_key_check"))?.sealed;
}

/** The key that sealed the value, if it is one of these. */
export function keyOfCheck(keys: readonly SecretKey[], sealed: Uint8Array): SecretKey | undefined {
  return keys.find((key) => {
    try {
      return new SecretKeys([key]).open(sealed) === TEXT;
    } catch {
      return false;
    }
  });
}

/** Makes this the key of a database that has none yet; returns the check value of the database's key. */
export async function claimKeyCheck(db: Queryable, key: SecretKey): Promise<Buffer> {
  const sealed = new SecretKeys([key]).seal(TEXT);
  await db.query("insert into secret_key_check (sealed) values ($1) on conflict do nothing", [sealed]);
  return (await readKeyCheck(db)) ?? sealed;
}

/** Makes this the key of the database although the previous one is lost. */
export async function replaceLostKey(db: Queryable, key: SecretKey): Promise<void> {
  const sealed = new SecretKeys([key]).seal(TEXT);
  await db.query("with unreadable as (delete from retired_keys) update secret_key_check set sealed = $1", [sealed]);
}

export interface DatabaseKeys {
  readonly present: SecretKey;
  /** The keys before the present one. */
  readonly retired: readonly SecretKey[];
}

/** Undefined when the key of the database is none of these. Waits for a replacement that is under way. */
export async function readDatabaseKeys(db: Queryable, known: readonly SecretKey[]): Promise<DatabaseKeys | undefined> {
  await awaitLock(db, CHANGE);
  const [row] = await db.query<{ sealed: Buffer; retired: Buffer[] }>(
    "select sealed, array(select sealed from retired_keys) as retired from secret_key_check",
  );
  const present = row && keyOfCheck(known, row.sealed);
  if (!present) return undefined;
  const box = new SecretKeys([present]);
  return { present, retired: row.retired.map((sealed) => secretKey(Buffer.from(box.open(sealed), "base64"))) };
}

/**
 * Makes the first of these keys the database's, in a transaction of the caller; the previous key must be among them.
 * Returns how many processes cannot open with it; unless 0, nothing is changed.
 */
export async function adoptFirstKey(unit: Queryable, known: readonly SecretKey[]): Promise<number> {
  await lock(unit, CHANGE);
  const before = await readDatabaseKeys(unit, known);
  const next = known[0];
  if (!before || !next) throw new Error("the secret key of the database is not known");
  if (before.present.id.equals(next.id)) return 0;
  const unknowing = await countProcessesWithout(unit, next);
  if (unknowing > 0) return unknowing;
  const box = new SecretKeys([next]);
  await unit.query("delete from retired_keys where id = $1", [textId(next)]);
  for (const key of [before.present, ...before.retired].filter(({ id }) => !id.equals(next.id))) {
    await unit.query(
      "insert into retired_keys (id, sealed) values ($1, $2) on conflict (id) do update set sealed = excluded.sealed",
      [textId(key), box.seal(Buffer.from(key.octets).toString("base64"))],
    );
  }
  await unit.query("update secret_key_check set sealed = $1", [box.seal(TEXT)]);
  await notify(unit, KEYS_CHANGED);
  return 0;
}

const RETIRED_DAYS = 8;

/** Deletes keys replaced so long ago that none of their links works; `isUsed`: whether one still seals a value. */
export async function forgetRetiredKeys(db: Queryable, isUsed: () => Promise<boolean>): Promise<void> {
  const old = await db.query<{ id: string }>(
    "select id from retired_keys where retired_at < now() - make_interval(days => $1)",
    [RETIRED_DAYS],
  );
  if (old.length === 0 || (await isUsed())) return;
  await db.query("delete from retired_keys where id = any($1)", [old.map(({ id }) => id)]);
}

export function hasRetiredKeys(db: Queryable): Promise<boolean> {
  return hasRow(db, "select from retired_keys limit 1");
}

const textId = ({ id }: SecretKey) => id.toString("hex");

const lockNumber = ({ id }: SecretKey) => id.readUInt32BE(0) >>> 1;

const held = (locks: number) => `pg_locks as held
  where held.locktype = 'advisory' and held.granted and held.classid = ${locks} and held.objsubid = 2
    and held.database = (select oid from pg_database where datname = current_database())`;

/** Records for the life of the session that this process can open with these keys. */
export function holdOpeningKeys(session: Queryable, keys: readonly SecretKey[]): Promise<unknown> {
  return hold(session, OPENING_KEY_LOCKS, keys);
}

/** Records for the life of the session that this process may seal with this key. */
export function holdSealingKey(session: Queryable, key: SecretKey): Promise<unknown> {
  return hold(session, SEALING_KEY_LOCKS, [key]);
}

/** Records that this process no longer seals with any other key. */
export function releaseSealingKeys(session: Queryable, except: SecretKey): Promise<unknown> {
  return session.query(
    `select pg_advisory_unlock_shared(${SEALING_KEY_LOCKS}, number)
       from (select held.objid::bigint::int as number from ${held(SEALING_KEY_LOCKS)}
                and held.pid = pg_backend_pid() and held.objid <> $1::bigint) as others`,
    [lockNumber(except)],
  );
}

/** Each lock is taken once. */
function hold(session: Queryable, locks: number, keys: readonly SecretKey[]): Promise<unknown> {
  return session.query(
    `select pg_advisory_lock_shared(${locks}, number) from unnest($1::int[]) as wanted (number)
      where not exists (select from ${held(locks)} and held.pid = pg_backend_pid() and held.objid = number::bigint)`,
    [keys.map(lockNumber)],
  );
}

function countProcessesWithout(db: Queryable, key: SecretKey): Promise<number> {
  return countOf(
    db,
    `select count(*)::int as count from (
       select held.pid from ${held(OPENING_KEY_LOCKS)} group by held.pid having not bool_or(held.objid = $1::bigint)
     ) as unknowing`,
    [lockNumber(key)],
  );
}

/** How many processes may still seal with another key. */
export function countSealingOthers(db: Queryable, key: SecretKey): Promise<number> {
  return countOf(
    db,
    `select count(distinct held.pid)::int as count from ${held(SEALING_KEY_LOCKS)} and held.objid <> $1::bigint`,
    [lockNumber(key)],
  );
}
