// What the operator has stopped, by its name in the configuration; it stays stopped until the operator starts it.

import type { Stopped, StoppedStore } from "../../domain/stopped.ts";
import { table } from "./engine/columns.ts";
import type { Condition } from "./engine/conditions.ts";
import type { Queryable } from "./engine/database.ts";

/** Holds when the stopped trunks are not exactly these. */
export function areOthersStopped(names: () => readonly string[]): Condition {
  return (bind) =>
    `(select coalesce(array_agg(name order by name), '{}') from stopped_trunks)
       is distinct from (select coalesce(array_agg(name order by name), '{}') from unnest(${bind(names())}::text[]) as name)`;
}

/** `changed` notifies other processes; without it they poll. */
export function stoppedStore(
  db: Queryable,
  from: "stopped_links" | "stopped_trunks",
  changed: () => Promise<void> = async () => undefined,
): StoppedStore {
  const STOPPED = table<Stopped>(from, { name: "name", stoppedOn: "stopped_at timestamptz" });
  return {
    list: () => db.query<Stopped>(`${STOPPED.select} order by name`),
    async stop(name, now) {
      const [stopped] = await db.query<Stopped>(
        `insert into ${from} (name, stopped_at) values ($1, $2)
         on conflict (name) do update set stopped_at = ${from}.stopped_at returning ${STOPPED.columns}`,
        [name, now],
      );
      if (!stopped) throw new Error("an upsert has stored nothing");
      await changed();
      return stopped;
    },
    async start(name) {
      await db.query(`delete from ${from} where name = $1`, [name]);
      await changed();
    },
  };
}
