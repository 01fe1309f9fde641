// The trunks that the operator has stopped: every process obeys within a second, also after a restart.

import type { StoppedTrunk, StoppedTrunks } from "../../../domain/voice/index.ts";
import { table } from "../engine/columns.ts";
import type { Queryable } from "../engine/database.ts";

const STOPPED = table<StoppedTrunk>("stopped_trunks", { name: "name", stoppedOn: "stopped_at timestamptz" });

export function stoppedTrunks(db: Queryable): StoppedTrunks {
  return {
    list: () => db.query<StoppedTrunk>(`${STOPPED.select} order by name`),
    async stop(name, now) {
      const [stopped] = await db.query<StoppedTrunk>(
        `insert into stopped_trunks (name, stopped_at) values ($1, $2)
         on conflict (name) do update set name = excluded.name returning ${STOPPED.columns}`,
        [name, now],
      );
      return stopped as StoppedTrunk;
    },
    async start(name) {
      await db.query("delete from stopped_trunks where name = $1", [name]);
    },
  };
}
