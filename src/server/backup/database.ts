// The database for commands that run with or without a server: an external one, or the built-in one whether its server
// is running or not.

import { existsSync, realpathSync } from "node:fs";
import type pg from "pg";
import { startEmbeddedPostgres } from "../../adapters/postgres/embedded-postgres.ts";
import { databaseName, databasePort, databaseUser, findCluster } from "../../adapters/postgres/postgres-cluster.ts";
import { DataDirInUseError } from "../../adapters/postgres/postgres-owner.ts";
import { runningSocketDir } from "../../adapters/postgres/postmaster.ts";
import type { ConnectionSettings } from "../../adapters/store/engine/database.ts";
import { DatabaseSession } from "../../adapters/store/engine/session.ts";
import type { Log } from "../../base/log.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import type { Config } from "../config/config.ts";
import { openDataDirectory } from "../main/data-directory.ts";
import { dataDirectoryFault } from "../main/data-directory-fault.ts";
import { databaseFault } from "../main/database-fault.ts";

const CONNECT_MS_MAX = 10_000;

/** The database cannot be reached or used; the message gives the reason and the remedy. */
export class UnusableDatabase extends Error {
  override readonly name = "UnusableDatabase";
}

interface OpenDatabase {
  readonly settings: ConnectionSettings;
  close(): Promise<void>;
}

/** Opens the existing database. A stopped built-in one runs until it is closed; no server can start in that time. */
export async function openExisting({ settings, dataDir }: Config, log: Log): Promise<Result<OpenDatabase, string>> {
  if (settings.TANDEM_DATABASE_URL !== undefined) return ok(outside(settings.TANDEM_DATABASE_URL));
  const cluster = await clusterIn(dataDir);
  if (cluster === undefined) return refused(`There is no database in ${dataDir}. TANDEM_DATA_DIR says where it is.`);
  try {
    return ok(await startBuiltIn(dataDir, log));
  } catch (fault) {
    const host = fault instanceof DataDirInUseError ? await runningSocketDir(cluster) : undefined;
    if (host === undefined) return refused((fault as Error).message);
    const running = { host, port: databasePort, user: databaseUser, database: databaseName };
    return ok({ settings: running, close: async () => undefined });
  }
}

/** Creates the built-in one where there is none. */
export async function openForRestore(config: Config, log: Log): Promise<Result<OpenDatabase, string>> {
  const { settings, dataDir } = config;
  try {
    await openDataDirectory(config, log);
    if (settings.TANDEM_DATABASE_URL !== undefined) return ok(outside(settings.TANDEM_DATABASE_URL));
    return ok(await startBuiltIn(dataDir, log));
  } catch (fault) {
    return refused((dataDirectoryFault(fault, dataDir) as Error).message);
  }
}

/** Calls `work` with a connection, and closes it afterwards in any case. */
export async function withClient<Value>(
  settings: ConnectionSettings,
  name: string,
  work: (client: pg.Client) => Promise<Value>,
): Promise<Value> {
  const client = new DatabaseSession({
    ...settings,
    application_name: name,
    connectionTimeoutMillis: CONNECT_MS_MAX,
    keepAlive: true,
  });
  try {
    await client.connect().catch((cause: unknown) => {
      const fault = databaseFault(cause, settings.connectionString ?? "") as Error;
      throw new UnusableDatabase(fault.message, { cause });
    });
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function outside(url: string): OpenDatabase {
  return { settings: { connectionString: url }, close: async () => undefined };
}

async function startBuiltIn(dataDir: string, log: Log): Promise<OpenDatabase> {
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  return { settings: postgres.connection, close: () => postgres.close() };
}

async function clusterIn(dataDir: string): Promise<string | undefined> {
  if (!existsSync(dataDir)) return undefined;
  return (await findCluster(realpathSync(dataDir), "/var/lib/tandem")).cluster;
}
