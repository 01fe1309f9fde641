// A session that cannot write: its server is a standby, or has become one.

import type pg from "pg";

/** PostgreSQL's code for a write in a session that is read-only. */
export const READ_ONLY = "25006";

/** SQL: the server is a standby, or has become one. */
export const IS_READ_ONLY = `current_setting('transaction_read_only') = 'on' as "isReadOnly"`;

export interface MayBeReadOnly {
  readonly isReadOnly: boolean;
}

/** Throws in a session that cannot write. */
export async function refuseReadOnly(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<MayBeReadOnly>(`select ${IS_READ_ONLY}`);
  if (rows[0]?.isReadOnly) throw readOnlyFault();
}

export function readOnlyFault(): Error {
  return Object.assign(new Error("this PostgreSQL is read-only: it is a standby, or has become one"), {
    code: READ_ONLY,
  });
}
