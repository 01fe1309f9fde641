// The database of a running Tandem, for tests and benchmarks that must look behind the API or store events directly.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Database } from "../src/adapters/store/engine/database.ts";
import { silent } from "./fakes/silent-log.ts";
import { startTandem, type Tandem, type TandemApi } from "./tandem.ts";

/** Tests read everything at the same time, on a machine that may be busy. */
const PATIENT_MS = 120_000;

export function databaseOf({ databaseUrl }: Pick<TandemApi, "databaseUrl">): Database {
  return new Database({ connectionString: databaseUrl, waitMs: PATIENT_MS }, silent);
}

/** Another process on the same database, with the same secret key. */
export function startBeside(
  { dataDir, databaseUrl }: Pick<TandemApi, "dataDir" | "databaseUrl">,
  environment: Readonly<Record<string, string>> = {},
): Promise<Tandem> {
  const key = readFileSync(join(dataDir, "secret.key"), "utf8").trim();
  return startTandem({ databaseUrl, environment: { TANDEM_SECRET_KEY: key, ...environment } });
}
