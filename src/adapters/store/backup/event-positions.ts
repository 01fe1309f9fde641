// Where the event log continues after a restore. A reader's position is a transaction's number, and another cluster
// counts transactions differently. So the restored log continues from a position that no reader can have reached:
// readers continue where they were, including those that had read events which came after the backup and are lost.

import type pg from "pg";

/** More transactions than a cluster can make after a backup; 18 digits suffice for about 900,000 restores. */
const FREE_POSITIONS = 1n << 40n;

/** The first position that no event has yet. */
export async function nextPosition(client: pg.ClientBase): Promise<bigint> {
  const { rows } = await client.query<{ next: string }>(
    "select event_position(pg_snapshot_xmax(pg_current_snapshot()))::text as next",
  );
  return BigInt(rows[0]?.next ?? 0);
}

/** Makes the transactions of this cluster continue from where the log of the backup ended. */
export async function goOnFrom(client: pg.ClientBase, ended: bigint): Promise<void> {
  const { rows } = await client.query<{ current: string }>("select pg_current_xact_id()::text as current");
  const ahead = ended + FREE_POSITIONS - BigInt(rows[0]?.current ?? 0);
  await client.query(
    `create or replace function event_position(transaction xid8) returns xid8 language sql immutable parallel safe
       as $$ select (transaction::text::bigint + (${ahead}))::text::xid8 $$`,
  );
}
