// What a PostgreSQL server says of itself.

import type pg from "pg";

export interface ServerFacts {
  readonly version: string;
  /** 150004 is 15.4. */
  readonly versionNumber: number;
  readonly now: Date;
}

export async function readServerFacts(client: pg.ClientBase): Promise<ServerFacts> {
  const { rows } = await client.query<ServerFacts>(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int as "versionNumber",
            clock_timestamp() as now`,
  );
  const [facts] = rows;
  if (!facts) throw new Error("it answers nothing");
  return facts;
}
