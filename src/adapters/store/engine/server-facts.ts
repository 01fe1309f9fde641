// What a PostgreSQL server reports about itself and about the connected user.

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

export interface UserRights {
  readonly user: string;
  readonly database: string;
  /** The schema in which tables would be created; null where this user has none. */
  readonly schema: string | null;
  readonly mayCreate: boolean;
  /** The owner of a table there that the user may not change; null where there is none. */
  readonly owner: string | null;
}

export async function readUserRights(client: pg.ClientBase): Promise<UserRights> {
  const { rows } = await client.query<UserRights>(
    `select current_user as "user", current_database() as "database", current_schema() as "schema",
            coalesce(has_schema_privilege(current_schema(), 'create'), false) as "mayCreate",
            (select tableowner from pg_tables
              where schemaname = current_schema() and not pg_has_role(current_user, tableowner, 'usage') limit 1) as "owner"`,
  );
  return rows[0] as UserRights;
}
