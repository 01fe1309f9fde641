// Refuses a connection pooler in transaction mode, such as PgBouncer's: sessions of PostgreSQL change there from one
// transaction to the next, and with them locks, notifications and prepared statements, on which everything rests.

import type pg from "pg";
import type { ConnectionSettings } from "../../adapters/store/engine/database.ts";
import { withClient } from "./with-client.ts";

const ROUNDS = 3;

/** `client` must not be in a transaction: a pooler then lends its session to the next client that begins one. */
export async function refuseTransactionPooler(client: pg.ClientBase, settings: ConnectionSettings): Promise<void> {
  await withClient(settings, async (other) => {
    const sessions = new Set<number>();
    for (let round = 0; round < ROUNDS; round++) {
      sessions.add(await sessionOf(client));
      await other.query("begin");
      const isShared = sessions.has(await sessionOf(other));
      sessions.add(await sessionOf(client));
      await other.query("commit");
      if (isShared || sessions.size > 1) throw new Error(ADVICE);
    }
  });
}

const ADVICE =
  "TANDEM_DATABASE_URL: what listens there shares sessions of PostgreSQL between transactions, like PgBouncer with pool_mode = transaction. Tandem needs sessions of its own: set pool_mode = session for this database, or give the address of PostgreSQL itself.";

async function sessionOf(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return rows[0]?.pid as number;
}
