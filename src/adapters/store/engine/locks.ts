// Every advisory lock of the store. A pair of numbers is held by a session or by the schema's transaction; a name is
// held by a transaction until it ends. Two names with the same hash wait for each other, which does no harm.

import type { Queryable } from "./database.ts";

/** "TAND"; the pair (…, 1) belongs to the owner of the built-in database. */
export const SCHEMA_LOCK = `${0x54414e44}, 2`;
/** Held by a backup. Work that would wait for the tables it reads, and make others wait, is put off meanwhile. */
export const BACKUP_LOCK = `${0x54414e44}, 3`;
/** Held by a rotation of the secret key. */
export const ROTATION_LOCK = `${0x54414e44}, 4`;
/** With the id of a secret key: shared by the processes that can open with it, and by those that may seal with it. */
export const OPENING_KEY_LOCKS = 0x54414e4b;
export const SEALING_KEY_LOCKS = 0x54414e4c;
/** With the worker's id. */
export const WORKER_LOCKS = 0x54414e45;
/** With the id of a process that has calls. */
export const CALL_LOCKS = 0x54414e56;
export const SENDING_LOCKS = 0x54414e53;
/** The number of the one sender among those locks. */
export const THE_SENDER = 0;
export const SENDING_LOCK = `${SENDING_LOCKS}, ${THE_SENDER}`;

/** Waits while another transaction holds the name. */
export async function lock(unit: Queryable, name: string): Promise<void> {
  await unit.query("select pg_advisory_xact_lock(hashtext($1))", [name]);
}

/** Takes the name unless another transaction holds it. */
export async function tryLock(unit: Queryable, name: string): Promise<boolean> {
  const [row] = await unit.query<{ isTaken: boolean }>('select pg_try_advisory_xact_lock(hashtext($1)) as "isTaken"', [
    name,
  ]);
  return row?.isTaken === true;
}

/** Waits while another transaction holds the name, without taking it. */
export async function awaitLock(db: Queryable, name: string): Promise<void> {
  await db.query("select pg_advisory_xact_lock_shared(hashtext($1))", [name]);
}
