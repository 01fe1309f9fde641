// Brings the schema forward. Guarantees: each migration is applied once, whole or not at all, in order, however many
// processes start at once. Forward only; a database that does not match this program is refused, not repaired.

import { createHash } from "node:crypto";
import pg from "pg";

export interface Migration {
  /** Sorts into its place: "0001-accounts". */
  readonly name: string;
  readonly sql: string;
}

interface AppliedMigration {
  readonly name: string;
  readonly checksum: string;
}

// The first number spells "TAND"; the pair (…, 1) belongs to the owner of the built-in database.
const lockClass = 0x54414e44;
const lockObject = 2;

/** Applies what is missing and answers its names. */
export async function runMigrations(
  database: pg.Pool | pg.ClientBase,
  migrations: readonly Migration[],
): Promise<readonly string[]> {
  checkOrder(migrations);
  const client = database instanceof pg.Pool ? await database.connect() : database;
  try {
    const names: string[] = [];
    for (;;) {
      const name = await applyNext(client, migrations);
      if (name === undefined) return names;
      names.push(name);
    }
  } finally {
    if (database instanceof pg.Pool) (client as pg.PoolClient).release();
  }
}

/** One transaction: the lock ends with it, so that neither a crash nor a connection pooler can leave it behind. */
async function applyNext(client: pg.ClientBase, migrations: readonly Migration[]): Promise<string | undefined> {
  await client.query("begin");
  try {
    await client.query("select pg_advisory_xact_lock($1, $2)", [lockClass, lockObject]);
    const next = nextMigration(await listApplied(client), migrations);
    if (next) await apply(client, next);
    await client.query("commit");
    return next?.name;
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    throw error;
  }
}

async function listApplied(client: pg.ClientBase): Promise<readonly AppliedMigration[]> {
  // Asked first: "create … if not exists" would need the right to create even where there is nothing to do.
  const found = await client.query<{ missing: boolean }>("select to_regclass('schema_migrations') is null as missing");
  if (found.rows[0]?.missing) {
    await client.query(
      `create table schema_migrations (
         name text primary key,
         checksum text not null,
         applied_at timestamptz not null default now()
       )`,
    );
  }
  const applied = await client.query<AppliedMigration>(
    `select name, checksum from schema_migrations order by name collate "C"`,
  );
  return applied.rows;
}

async function apply(client: pg.ClientBase, migration: Migration): Promise<void> {
  try {
    await client.query(migration.sql);
  } catch (cause) {
    throw new Error(`Migration ${migration.name} failed: ${(cause as Error).message}`, { cause });
  }
  await client.query("insert into schema_migrations (name, checksum) values ($1, $2)", [
    migration.name,
    checksumOf(migration.sql),
  ]);
}

/** The first that is not applied yet; throws where the database and the program tell different histories. */
export function nextMigration(
  applied: readonly AppliedMigration[],
  migrations: readonly Migration[],
): Migration | undefined {
  const known = new Set(migrations.map((migration) => migration.name));
  const unknown = applied.find(({ name }) => !known.has(name));
  if (unknown) {
    throw new Error(
      `The database has migration ${unknown.name}, which this version of Tandem does not know: a newer version has used it. Run that version or a later one.`,
    );
  }
  for (const [index, { name, checksum }] of applied.entries()) {
    const expected = migrations[index];
    if (expected?.name !== name) {
      throw new Error(`The database has migration ${name} but not ${expected?.name}, which comes before it.`);
    }
    if (checksumOf(expected.sql) !== checksum) {
      throw new Error(`Migration ${name} was changed after it was applied to this database.`);
    }
  }
  return migrations[applied.length];
}

function checkOrder(migrations: readonly Migration[]): void {
  for (const [index, { name }] of migrations.entries()) {
    const previous = migrations[index - 1];
    if (previous && previous.name >= name) throw new Error(`Migration ${name} is listed after ${previous.name}.`);
  }
}

export function checksumOf(sql: string): string {
  return createHash("sha256").update(sql.replaceAll("\r\n", "\n")).digest("hex");
}
