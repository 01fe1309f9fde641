// Writes sql/schema.sql: the schema as a new database has it. It needs a PostgreSQL, and starts the built-in one in a
// temporary directory. A test of the store fails when the file is not up to date.

import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startEmbeddedPostgres } from "../src/adapters/postgres/embedded-postgres.ts";
import { applySchema } from "../src/adapters/store/schema/apply-schema.ts";
import { SCHEMA } from "../src/adapters/store/schema/index.ts";
import { printSchema } from "../src/adapters/store/schema/print-schema.ts";

const dataDir = mkdtempSync(join(tmpdir(), "tandem-schema-"));
// PostgreSQL runs as another user where this runs as root.
chmodSync(dataDir, 0o755);
try {
  const postgres = await startEmbeddedPostgres({ dataDir, log: { debug() {}, info() {}, warn() {}, error() {} } });
  try {
    const client = new pg.Client(postgres.connection);
    await client.connect();
    await applySchema(client, SCHEMA);
    writeFileSync(new URL("../sql/schema.sql", import.meta.url), await printSchema(client));
    await client.end();
  } finally {
    await postgres.close();
  }
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
