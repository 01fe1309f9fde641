// A connection to the database for one piece of work at the start, before there are pools.

import type pg from "pg";
import type { ConnectionSettings } from "../../adapters/store/engine/database.ts";
import { DatabaseSession } from "../../adapters/store/engine/session.ts";

export async function withClient<Value>(
  settings: ConnectionSettings,
  work: (client: pg.Client) => Promise<Value>,
): Promise<Value> {
  const client = new DatabaseSession({ ...settings, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
