// Checks the database that the server would use: the built-in one with its programs, or an external one. Changes
// nothing.

import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { runAs } from "../../../adapters/postgres/postgres-account.ts";
import { findPostgresPackage } from "../../../adapters/postgres/postgres-binaries.ts";
import {
  clusterVersion,
  databaseName,
  databasePort,
  databaseUser,
  findCluster,
} from "../../../adapters/postgres/postgres-cluster.ts";
import { runningSocketDir } from "../../../adapters/postgres/postmaster.ts";
import { KEY_ID_BYTES } from "../../../adapters/secrets.ts";
import { type ConnectionSettings, type Queryable, queryableOver } from "../../../adapters/store/engine/database.ts";
import { readServerFacts, readUserRights } from "../../../adapters/store/engine/server-facts.ts";
import { DatabaseSession } from "../../../adapters/store/engine/session.ts";
import { inspectSchema } from "../../../adapters/store/schema/apply-schema.ts";
import { SCHEMA } from "../../../adapters/store/schema/index.ts";
import { countUnderOthers } from "../../../adapters/store/sealed-values.ts";
import { hasRetiredKeys, readKeyCheck } from "../../../adapters/store/secret-keys.ts";
import { type Finding, fail, ok } from "./finding.ts";

const CONNECT_MS_MAX = 5_000;
const VERSION_MIN = 140_000;

export interface DatabaseReport {
  readonly findings: readonly Finding[];
  /** How far its clock is ahead of ours. */
  readonly aheadMs?: number;
  /** A value sealed with its secret key. */
  readonly keyCheck?: Buffer;
  /** How many values were sealed with earlier secret keys. */
  readonly underEarlierKeys?: number;
  /** A built-in database exists, though it may not be running. */
  readonly isBuiltInMade?: boolean;
}

export async function checkDatabase(url: string | undefined, dataDir: string): Promise<DatabaseReport> {
  return url === undefined ? checkBuiltIn(dataDir) : checkOutside(url);
}

async function checkOutside(url: string): Promise<DatabaseReport> {
  try {
    return await look({ connectionString: url }, "outside");
  } catch (error) {
    const advice = "Start that PostgreSQL, let this machine in, or correct TANDEM_DATABASE_URL.";
    return { findings: [fail("Database", `TANDEM_DATABASE_URL: ${reasonOf(error)}`, advice)] };
  }
}

async function checkBuiltIn(dataDir: string): Promise<DatabaseReport> {
  const programs = await checkPrograms();
  const { findings, ...report } = await checkCluster(dataDir);
  return { ...report, findings: [programs, ...findings] };
}

async function checkPrograms(): Promise<Finding> {
  const check = "PostgreSQL programs";
  try {
    const { native, version } = await findPostgresPackage();
    const { code, output } = await runAs(undefined, join(native, "bin", "postgres"), ["--version"]);
    if (code === 0) return ok(check, `${version} for ${process.platform}-${process.arch}`);
    const advice = "Run `npm ci` again, or set TANDEM_DATABASE_URL to a PostgreSQL of your own.";
    return fail(check, `do not run on this machine: ${output}`, advice);
  } catch (error) {
    const [found = "", ...advice] = (error as Error).message.split(/(?<=\)\.) /);
    return fail(check, found, advice.join(" ") || "Run `npm ci` again.");
  }
}

async function checkCluster(dataDir: string): Promise<DatabaseReport> {
  const check = "Database";
  try {
    if (!existsSync(dataDir)) return { findings: [ok(check, "built in, made at the first start")] };
    const { cluster } = await findCluster(realpathSync(dataDir), "/var/lib/tandem");
    if (cluster === undefined) return { findings: [ok(check, "built in, made at the first start")] };
    const host = await runningSocketDir(cluster);
    if (host !== undefined) {
      return await look({ host, port: databasePort, user: databaseUser, database: databaseName }, "built in");
    }
    return { findings: [await checkVersion(cluster)], isBuiltInMade: true };
  } catch (error) {
    const advice = `Run as the user who owns the data directory; ${join(dataDir, "postgres.log")} may tell more.`;
    return { findings: [fail(check, reasonOf(error), advice)] };
  }
}

/** For a cluster that is not running: its version must match the programs. */
async function checkVersion(cluster: string): Promise<Finding> {
  const made = await clusterVersion(cluster);
  const found = `built in, PostgreSQL ${made}, not running`;
  const have = await findPostgresPackage().then(
    ({ version }) => version.split(".")[0],
    () => made,
  );
  if (have === made) return ok("Database", found);
  const advice = `Install the version of Tandem that made it, dump it, and load the dump into a new one.`;
  return fail("Database", `${found}, but the installed programs are ${have}`, advice);
}

async function look(settings: ConnectionSettings, which: string): Promise<DatabaseReport> {
  const client = new DatabaseSession({
    ...settings,
    application_name: "tandem doctor",
    connectionTimeoutMillis: CONNECT_MS_MAX,
    query_timeout: CONNECT_MS_MAX,
  });
  try {
    await client.connect();
    const seen = await readServerFacts(client);
    const aheadMs = seen.now.getTime() - Date.now();
    const found = `${which}, PostgreSQL ${seen.version}, running`;
    if (seen.versionNumber < VERSION_MIN) {
      return { findings: [fail("Database", found, "Tandem needs PostgreSQL 14 or newer.")], aheadMs };
    }
    const rights = await checkRights(client);
    const findings = [ok("Database", found), ...(rights ? [rights] : [await checkSchema(client)])];
    return { findings, aheadMs, ...(await lookAtKey(queryableOver(client))) };
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Undefined when the user may create tables, which a running server does too, and alter the existing ones. */
async function checkRights(client: pg.Client): Promise<Finding | undefined> {
  const check = "Database user";
  const { user, database, schema, mayCreate, owner } = await readUserRights(client);
  const advice = `As a superuser: ALTER DATABASE ${database} OWNER TO ${user}`;
  if (schema === null) return fail(check, `${user} has no schema in ${database} to make tables in`, `${advice}.`);
  if (!mayCreate) {
    const found = `${user} may not make tables in the schema ${schema} of ${database}`;
    return fail(check, found, `${advice}, or GRANT CREATE, USAGE ON SCHEMA ${schema} TO ${user}.`);
  }
  if (owner === null) return undefined;
  const found = `tables in ${database} belong to ${owner}, and ${user} may not change them`;
  return fail(check, found, `Name ${owner} in TANDEM_DATABASE_URL, or as a superuser: GRANT ${owner} TO ${user}.`);
}

/** A value sealed with the secret key, and how many values were sealed with an earlier one. */
async function lookAtKey(db: Queryable): Promise<Pick<DatabaseReport, "keyCheck" | "underEarlierKeys">> {
  const keyCheck = await readKeyCheck(db).catch(() => undefined);
  if (!keyCheck) return {};
  // Values may lack the id of their key only in a database whose key was never rotated.
  if (!(await hasRetiredKeys(db).catch(() => false))) return { keyCheck };
  const counts = await countUnderOthers(db, { id: keyCheck.subarray(0, KEY_ID_BYTES) });
  return { keyCheck, underEarlierKeys: [...counts.values()].reduce((sum, count) => sum + count, 0) };
}

async function checkSchema(client: pg.Client): Promise<Finding> {
  const check = "Schema";
  try {
    const { appliedCount, next } = await inspectSchema(client, SCHEMA);
    if (appliedCount === 0) return ok(check, "made at the first start");
    const found = `${appliedCount} of ${SCHEMA.length} schema steps applied`;
    return ok(check, next ? `${found}, the rest at the next start` : found);
  } catch (error) {
    return fail(
      check,
      (error as Error).message,
      "Run the version of Tandem that fits this database, or restore a backup.",
    );
  }
}

/** Without the connection string, which may contain a password. */
function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  const { code, message } = first as { code?: string; message?: string };
  return message || code || String(first);
}
