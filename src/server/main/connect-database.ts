// Connects the database, embedded or external, and brings its schema up to date.

import { statfsSync } from "node:fs";
import { startEmbeddedPostgres } from "../../adapters/postgres/embedded-postgres.ts";
import type { ConnectionSettings } from "../../adapters/store/engine/database.ts";
import type { DatabaseClock } from "../../adapters/store/engine/database-clock.ts";
import { refuseReadOnly } from "../../adapters/store/engine/read-only.ts";
import type { Log } from "../../base/log.ts";
import type { Config } from "../config/config.ts";
import { refuseWrongClock } from "../running/clock-watch.ts";
import { databaseFault } from "./database-fault.ts";
import { refuseTransactionPooler } from "./refuse-pooler.ts";
import { upgradeSchema } from "./upgrade-schema.ts";
import { withClient } from "./with-client.ts";

export interface DatabaseOrder {
  readonly clock: DatabaseClock;
  readonly config: Config;
  readonly log: Log;
  readonly progress: (step: string) => void;
  readonly onLost: (error: Error) => void;
}

export async function connectDatabase({ config, clock, log, progress, onLost }: DatabaseOrder) {
  const { TANDEM_DATABASE_URL: url, TANDEM_DATABASE_SECONDS: seconds } = config.settings;
  const waitMs = seconds * 1000;
  if (url !== undefined) {
    progress("connecting to PostgreSQL");
    const settings = { connectionString: url, waitMs };
    await bringSchemaForward(settings, { clock, log, progress }).catch((fault: unknown) => {
      throw databaseFault(fault, url);
    });
    return { settings, close: async () => undefined };
  }
  progress("starting PostgreSQL");
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log, onLost });
  try {
    await bringSchemaForward(postgres.connection, { clock, log, progress }, freeBytesOf(config.dataDir));
  } catch (fault) {
    await postgres.close();
    throw fault;
  }
  return { settings: { ...postgres.connection, waitMs }, close: () => postgres.close() };
}

async function bringSchemaForward(
  settings: ConnectionSettings,
  { clock, ...order }: Pick<DatabaseOrder, "clock" | "log" | "progress">,
  freeBytes?: number,
): Promise<void> {
  await withClient(settings, async (client) => {
    // Our own PostgreSQL has no address.
    if (settings.connectionString !== undefined) {
      await refuseReadOnly(client);
      await refuseTransactionPooler(client, settings);
    }
    await refuseWrongClock(clock, async (text) => (await client.query(text)).rows);
    await upgradeSchema(client, { settings, clock, ...order, freeBytes });
  });
}

function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
