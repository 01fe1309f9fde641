// A session for a backup or a restore: without timeouts, and with values written so that any PostgreSQL can read them.

import type pg from "pg";

const SETTINGS: Readonly<Record<string, string>> = {
  statement_timeout: "0",
  lock_timeout: "0",
  idle_in_transaction_session_timeout: "0",
  timezone: "UTC",
  datestyle: "ISO",
  intervalstyle: "postgres",
  extra_float_digits: "3",
  bytea_output: "hex",
  client_encoding: "UTF8",
};

export async function ourSession(client: pg.ClientBase): Promise<void> {
  for (const [name, value] of Object.entries(SETTINGS)) {
    await client.query("select set_config($1, $2, false)", [name, value]);
  }
}
