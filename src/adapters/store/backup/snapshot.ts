// The whole database as of one moment, read while other processes continue to write: one transaction that sees what was
// committed when it began and nothing later.
//
// Guarantee: whatever was answered before the snapshot was opened is in it. Neither readers nor writers wait for it,
// and the maintenance of partitions is put off (partitions.ts).

import pg from "pg";
import { ok, type Result, refused } from "../../../base/result.ts";
import { copyOut } from "../engine/copy.ts";
import { BACKUP_LOCK } from "../engine/locks.ts";
import { listSteps, stepsUpTo } from "../schema/apply-schema.ts";
import { SCHEMA } from "../schema/index.ts";
import type { AppliedStep } from "../schema/schema-step.ts";
import { listSequences, listTables, type SequenceState, type TableShape } from "./catalogue.ts";
import { nextPosition } from "./event-positions.ts";
import { ourSession } from "./session.ts";

const NOT_UP_TO_DATE =
  "The database has not the schema of this version of Tandem: start the server once, or use the version that made it.";

export interface SnapshotFacts {
  readonly steps: readonly AppliedStep[];
  /** The check value sealed with the secret key; null while no key was used. */
  readonly keyCheck: Buffer | null;
  readonly nextPosition: bigint;
  readonly sequences: readonly SequenceState[];
  readonly tables: readonly TableShape[];
}

export interface StoredFile {
  readonly kind: "recording" | "attachment";
  readonly key: string;
}

/** Waits for another backup of the same database to end. */
export async function lockForBackup(client: pg.ClientBase): Promise<void> {
  await ourSession(client);
  await client.query(`select pg_advisory_lock(${BACKUP_LOCK})`);
}

/** Refused unless the schema of the database is up to date with this version of the program. */
export async function openSnapshot(client: pg.ClientBase): Promise<Result<SnapshotFacts, string>> {
  await client.query("begin isolation level repeatable read read only");
  const steps = await listSteps(client);
  const fault = outdatedFault(steps);
  if (fault !== undefined) return refused(fault);
  const { rows } = await client.query<{ sealed: Buffer }>("select sealed from secret_key_check");
  return ok({
    // A restore repeats every step, so the version that restores has to know them all.
    steps: steps.map(({ name, checksum }) => ({ name, checksum })),
    keyCheck: rows[0]?.sealed ?? null,
    nextPosition: await nextPosition(client),
    sequences: await listSequences(client),
    tables: await listTables(client),
  });
}

/** Why this program cannot use a database with these steps until a server has brought it up to date. */
export function outdatedFault(steps: readonly AppliedStep[]): string | undefined {
  return schemaFault(steps) ?? (stepsUpTo(steps, SCHEMA).length < SCHEMA.length ? NOT_UP_TO_DATE : undefined);
}

/** Why the steps of a database or of a backup are not those of this program. */
export function schemaFault(steps: readonly AppliedStep[]): string | undefined {
  try {
    stepsUpTo(steps, SCHEMA);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

export async function closeSnapshot(client: pg.ClientBase): Promise<void> {
  await client.query("rollback");
}

export function readTable(client: pg.ClientBase, { name, columns }: TableShape): AsyncGenerator<Buffer> {
  const list = columns.map((column) => pg.escapeIdentifier(column)).join(", ");
  // A partitioned table can be copied only by a query.
  return copyOut(client, `copy (select ${list} from ${pg.escapeIdentifier(name)}) to stdout`);
}

/** The raw files on a machine from which recordings are still to be made. */
export async function listRawFiles(client: pg.ClientBase, host: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ file: string }>(
    `select raw_file as file from recording_segments
      where raw_host = $1 and state in ('Recording', 'Waiting', 'Encoding') and raw_file is not null order by raw_file`,
    [host],
  );
  return rows.map(({ file }) => file);
}

const FILES = `
select 'recording' as kind, key from recording_segments where state = 'Done' and key is not null
union all
select distinct 'attachment', coalesce(file, sha256) from media_files`;
const FETCH_MAX = 1_000;

/** The finished files that records refer to. */
export async function* listFiles(client: pg.ClientBase): AsyncGenerator<readonly StoredFile[]> {
  await client.query(`declare stored_files no scroll cursor for ${FILES}`);
  for (;;) {
    const { rows } = await client.query<StoredFile>(`fetch ${FETCH_MAX} from stored_files`);
    if (rows.length === 0) return;
    yield rows;
  }
}
