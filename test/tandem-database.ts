// The database of a running Tandem, for tests and benchmarks that must look behind the API or store events as later parts will.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Database } from "../src/adapters/store/engine/database.ts";
import { silent } from "./fakes/silent-log.ts";
import { databaseUrlOf, startTandem, type Tandem } from "./tandem.ts";

export function databaseOf(tandem: Pick<Tandem, "dataDir">): Database {
  return new Database({ connectionString: databaseUrlOf(tandem.dataDir) }, silent);
}

/** Another process on the same database, with the same secret key. */
export function startBeside(
  tandem: Pick<Tandem, "dataDir">,
  environment: Readonly<Record<string, string>> = {},
): Promise<Tandem> {
  const key = readFileSync(join(tandem.dataDir, "secret.key"), "utf8").trim();
  return startTandem({
    environment: { TANDEM_DATABASE_URL: databaseUrlOf(tandem.dataDir), TANDEM_SECRET_KEY: key, ...environment },
  });
}
