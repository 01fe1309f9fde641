// A connection to the database for one piece of work at the start, before there are pools.

import pg from "pg";
import type { ConnectionSettings } from "../../adapters/store/engine/database.ts";
import { sessionSettings } from "../../adapters/store/engine/session.ts";

export async function withClient<Value>(
  settings: ConnectionSettings,
  work: (client: pg.Client) => Promise<Value>,
): Promise<Value> {
  const client = new pg.Client({ ...sessionSettings(settings), connectionTimeoutMillis: 10_000 });
  // The statement under way fails with the same error; without a listener the event would end the process first.
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
