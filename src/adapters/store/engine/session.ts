// The settings of every session with PostgreSQL: the planner settings of its pool, and no JIT. Where `enable_seqscan`
// is off, a plan that has to scan a table gets a cost of 10^10, and PostgreSQL compiles costly plans: that takes a
// second or more for statements that run for a millisecond.

import type pg from "pg";

const OPTIONS = "-c jit=off";

/**
 * `options` are server settings, as on PostgreSQL's command line. They follow those of the address, and override them.
 */
export function sessionSettings(settings: pg.ClientConfig, options = ""): pg.ClientConfig {
  const ours = `${OPTIONS} ${options}`.trimEnd();
  if (settings.connectionString === undefined) return { ...settings, options: ours };
  // For `pg` the address takes precedence over all other settings, so the options are added to the address.
  const [address, ...query] = settings.connectionString.split("?");
  const parameters = new URLSearchParams(query.join("?"));
  parameters.set("options", `${parameters.get("options") ?? ""} ${ours}`.trimStart());
  return { ...settings, connectionString: `${address}?${parameters}` };
}

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
