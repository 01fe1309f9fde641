// What PostgreSQL writes for a unit of work: bytes of its log (WAL), and how many units share a commit. A commit is a
// transaction that was given an id, so one that wrote. Both are counted for the whole cluster, at once; the commits of
// `pg_stat_database` include those of reads, and come seconds late.

import type { Queryable } from "../../src/adapters/store/engine/database.ts";

export interface DatabaseWork {
  /** For each unit. */
  readonly walBytes: number;
  readonly unitsPerCommit: number;
}

interface Written {
  readonly bytes: number;
  readonly commits: number;
}

/** Starts counting. The returned function gives the work for a number of units. */
export async function countDatabaseWork(database: Queryable): Promise<(units: number) => Promise<DatabaseWork>> {
  const before = await writtenIn(database);
  return async (units) => {
    const after = await writtenIn(database);
    return {
      walBytes: Math.round((after.bytes - before.bytes) / units),
      unitsPerCommit: Math.round((units * 10) / (after.commits - before.commits)) / 10,
    };
  };
}

async function writtenIn(database: Queryable): Promise<Written> {
  const [row] = await database.query<{ bytes: string; commits: string }>(
    `select (pg_current_wal_lsn() - '0/0'::pg_lsn)::text as bytes,
            pg_snapshot_xmax(pg_current_snapshot())::text as commits`,
  );
  return { bytes: Number(row?.bytes), commits: Number(row?.commits) };
}
