// How every session of ours with PostgreSQL begins: with the planner settings of its pool, and without the compiler of
// plans (JIT). A plan that must read a table whole where `enable_seqscan` is off is priced at 10^10, and PostgreSQL
// compiles what is dear: that takes a second or more for statements that take a millisecond.

import type pg from "pg";

const OPTIONS = "-c jit=off";

/** `options` are server settings, as on PostgreSQL's command line. They come after those of the address, and win. */
export function sessionSettings(settings: pg.ClientConfig, options = ""): pg.ClientConfig {
  const ours = `${OPTIONS} ${options}`.trimEnd();
  if (settings.connectionString === undefined) return { ...settings, options: ours };
  // What the address says goes before all that `pg` is told beside it, so the options are added to the address.
  const [address, ...query] = settings.connectionString.split("?");
  const parameters = new URLSearchParams(query.join("?"));
  parameters.set("options", `${parameters.get("options") ?? ""} ${ours}`.trimStart());
  return { ...settings, connectionString: `${address}?${parameters}` };
}
