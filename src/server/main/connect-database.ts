// Connects the database, embedded or external, and brings its schema up to date.

import pg from "pg";
import { startEmbeddedPostgres } from "../../adapters/postgres/embedded-postgres.ts";
import type { ConnectionSettings } from "../../adapters/store/engine/database.ts";
import type { DatabaseClock } from "../../adapters/store/engine/database-clock.ts";
import { sessionSettings } from "../../adapters/store/engine/session.ts";
import { applySchema } from "../../adapters/store/schema/apply-schema.ts";
import { SCHEMA } from "../../adapters/store/schema/index.ts";
import type { Log } from "../../base/log.ts";
import type { Config } from "../config/config.ts";
import { refuseWrongClock } from "../running/clock-watch.ts";
import { databaseFault } from "./database-fault.ts";

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
    await bringSchemaForward(postgres.connection, { clock, log, progress });
  } catch (fault) {
    await postgres.close();
    throw fault;
  }
  return { settings: { ...postgres.connection, waitMs }, close: () => postgres.close() };
}

async function bringSchemaForward(
  settings: ConnectionSettings,
  { clock, log, progress }: Pick<DatabaseOrder, "clock" | "log" | "progress">,
): Promise<void> {
  const client = new pg.Client({ ...sessionSettings(settings), connectionTimeoutMillis: 10_000 });
  // The statement under way fails with the same error; without a listener the event would end the process first.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await refuseWrongClock(clock, async (text) => (await client.query(text)).rows);
    const applied = await applySchema(client, SCHEMA, (step) =>
      progress(`upgrading the database (${step}), which takes minutes if it is large`),
    );
    if (applied.length > 0) log.info({ applied }, "schema brought up to date");
  } finally {
    await client.end();
  }
}
