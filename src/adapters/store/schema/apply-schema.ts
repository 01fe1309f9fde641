// Brings the schema forward. Guarantees: each step is applied once, whole or not at all, in order, however many
// processes start at the same time. Forward only; a database that does not match this program is refused, not repaired.

import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { SCHEMA_LOCK } from "../engine/locks.ts";
import { type AppliedStep, isAdditive, type SchemaStep } from "./schema-step.ts";
import { areSquashed } from "./squashed-steps.ts";

/** How long a step waits for a table that others use, and how often it is tried again. */
const LOCK_WAIT = "2s";
const PAUSE_MS = 1_000;
const TRIES_MAX = 100;
const LOCK_NOT_AVAILABLE = "55P03";

/** Applies the missing steps and returns their names. Calls `onUpgrade` before a step that may have rows to change. */
export async function applySchema(
  database: pg.Pool | pg.ClientBase,
  steps: readonly SchemaStep[],
  onUpgrade: (name: string) => void = () => undefined,
): Promise<readonly string[]> {
  checkOrder(steps);
  const client = database instanceof pg.Pool ? await database.connect() : database;
  try {
    const names: string[] = [];
    for (;;) {
      const isNew = names[0] === steps[0]?.name;
      const name = await patiently(() => applyNext(client, steps, isNew ? () => undefined : onUpgrade));
      if (name === undefined) return names;
      names.push(name);
    }
  } finally {
    if (database instanceof pg.Pool) (client as pg.PoolClient).release();
  }
}

/** Begins again after a step that could not have its tables in time. */
async function patiently<Value>(work: () => Promise<Value>): Promise<Value> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (fault) {
      const { cause } = fault as { readonly cause?: { readonly code?: string } };
      if (cause?.code !== LOCK_NOT_AVAILABLE || tries === TRIES_MAX) throw fault;
      await delay(PAUSE_MS);
    }
  }
}

/** One transaction: the lock ends with it, so that neither a crash nor a connection pooler can leave it behind. */
async function applyNext(
  client: pg.ClientBase,
  steps: readonly SchemaStep[],
  onUpgrade: (name: string) => void,
): Promise<string | undefined> {
  await client.query("begin");
  try {
    // The step of a process that was killed ends with it. Otherwise PostgreSQL would go on, for minutes, with a
    // transaction that nothing can commit, and the next process would wait for it.
    await client.query("set local client_connection_check_interval = '1s'");
    await client.query(`select pg_advisory_xact_lock(${SCHEMA_LOCK})`);
    const applied = await listApplied(client);
    const done = stepsUpTo(applied, steps);
    if (areSquashed(applied)) await replaceSquashed(client, done);
    const next = steps[done.length];
    if (next && done.length > 0) onUpgrade(next.name);
    // Statements of servers that serve meanwhile wait behind one that waits for a table.
    if (next && isAdditive(next)) await client.query(`set local lock_timeout = '${LOCK_WAIT}'`);
    if (next) await apply(client, next);
    await client.query("commit");
    return next?.name;
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    throw error;
  }
}

async function listApplied(client: pg.ClientBase): Promise<readonly AppliedStep[]> {
  // Checked first, because "create … if not exists" needs the right to create even where there is nothing to do.
  const applied = await readApplied(client);
  if (applied) return applied;
  await client.query(
    `create table schema_steps (
       name text primary key,
       checksum text not null,
       applied_at timestamptz not null default now()
     )`,
  );
  return [];
}

/** Undefined when no step was ever applied; throws when the database is older than these steps. */
async function readApplied(client: pg.ClientBase): Promise<readonly AppliedStep[] | undefined> {
  const found = await client.query<{ has_steps: boolean; is_older: boolean }>(
    "select to_regclass('schema_steps') is not null as has_steps, to_regclass('schema_migrations') is not null as is_older",
  );
  if (found.rows[0]?.has_steps) {
    const applied = await client.query<AppliedStep>(
      // Databases of earlier versions have no such column.
      `select name, checksum, coalesce((to_jsonb(step) ->> 'is_additive')::boolean, false) as "isAdditive"
         from schema_steps as step order by name collate "C"`,
    );
    return applied.rows;
  }
  if (found.rows[0]?.is_older) {
    throw new Error(
      "The database was made by an earlier version of Tandem, and this one cannot take its tables over. Move the data directory away, or name an empty database in TANDEM_DATABASE_URL, and start again.",
    );
  }
  return undefined;
}

/** How many steps were applied, and the first that was not; throws where applying them would. Changes nothing. */
export async function inspectSchema(client: pg.ClientBase, steps: readonly SchemaStep[]) {
  const applied = (await readApplied(client)) ?? [];
  const { length } = stepsUpTo(applied, steps);
  return { appliedCount: length, next: steps[length] };
}

/** The steps that were applied to a database; throws when the database is older than these steps. */
export async function listSteps(client: pg.ClientBase): Promise<readonly AppliedStep[]> {
  return (await readApplied(client)) ?? [];
}

/** Applies to an empty database the steps that were applied to another one, in a transaction of the caller. */
export async function repeatSteps(
  client: pg.ClientBase,
  applied: readonly AppliedStep[],
  steps: readonly SchemaStep[],
): Promise<void> {
  await listApplied(client);
  for (const step of stepsUpTo(applied, steps)) await apply(client, step);
}

/** The size of the tables that missing steps write anew. */
export async function bytesToRewrite(client: pg.ClientBase, steps: readonly SchemaStep[]): Promise<number> {
  const { length } = stepsUpTo((await readApplied(client)) ?? [], steps);
  if (length === 0) return 0;
  const tables = steps.slice(length).flatMap(({ rewrites = [] }) => rewrites);
  const { rows } = await client.query<{ bytes: string }>(
    `select coalesce(sum(pg_total_relation_size(part.relid)), 0)::text as bytes
       from unnest($1::text[]) as name cross join lateral pg_partition_tree(name::regclass) as part`,
    [tables],
  );
  return Number(rows[0]?.bytes);
}

async function apply(client: pg.ClientBase, step: SchemaStep): Promise<void> {
  try {
    await client.query(step.sql);
  } catch (cause) {
    throw new Error(`Schema step ${step.name} failed: ${(cause as Error).message}`, { cause });
  }
  await record(client, step);
}

async function replaceSquashed(client: pg.ClientBase, steps: readonly SchemaStep[]): Promise<void> {
  await client.query("delete from schema_steps");
  for (const step of steps) await record(client, step);
}

async function record(client: pg.ClientBase, step: SchemaStep): Promise<void> {
  const values = [step.name, checksumOf(step.sql)];
  // The column for others is made by an earlier step.
  if (isAdditive(step)) {
    await client.query("insert into schema_steps (name, checksum, is_additive) values ($1, $2, true)", values);
  } else {
    await client.query("insert into schema_steps (name, checksum) values ($1, $2)", values);
  }
}

/** The program's steps that were applied; throws where they differ. Later ones that only add make no difference. */
export function stepsUpTo(all: readonly AppliedStep[], steps: readonly SchemaStep[]): readonly SchemaStep[] {
  if (areSquashed(all)) return steps.slice(0, 1);
  const last = steps.at(-1)?.name ?? "";
  const applied = all.filter((step) => step.isAdditive !== true || step.name <= last);
  const known = new Set(steps.map((step) => step.name));
  const unknown = applied.find(({ name }) => !known.has(name));
  if (unknown) {
    throw new Error(
      `The database has schema step ${unknown.name}, which this version of Tandem does not know: a newer version has used it. Run that version or a later one.`,
    );
  }
  for (const [index, { name, checksum }] of applied.entries()) {
    const expected = steps[index];
    if (expected?.name !== name) {
      throw new Error(`The database has schema step ${name} but not ${expected?.name}, which comes before it.`);
    }
    if (checksumOf(expected.sql) !== checksum) {
      throw new Error(`Schema step ${name} was changed after it was applied to this database.`);
    }
  }
  return steps.slice(0, applied.length);
}

function checkOrder(steps: readonly SchemaStep[]): void {
  for (const [index, { name }] of steps.entries()) {
    const previous = steps[index - 1];
    if (previous && previous.name >= name) throw new Error(`Schema step ${name} is listed after ${previous.name}.`);
  }
}

function checksumOf(sql: string): string {
  return createHash("sha256").update(sql.replaceAll("\r\n", "\n")).digest("hex");
}
