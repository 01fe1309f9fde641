// The links that the operator has stopped. Whichever process keeps the links hears of a change when it is committed,
// and reads the list when it takes over.

import type { StoppedLink, StoppedLinkStore } from "../../../domain/messaging/index.ts";
import { LINKS_CHANGED, notify } from "../engine/channels.ts";
import { table } from "../engine/columns.ts";
import type { Queryable } from "../engine/database.ts";

const STOPPED = table<StoppedLink>("stopped_links", { name: "name", stoppedOn: "stopped_at timestamptz" });

export function stoppedLinkStore(db: Queryable): StoppedLinkStore {
  return {
    list: () => db.query<StoppedLink>(`${STOPPED.select} order by name`),
    async stop(name, now) {
      const [stopped] = await db.query<StoppedLink>(
        `insert into stopped_links (name, stopped_at) values ($1, $2)
         on conflict (name) do update set stopped_at = stopped_links.stopped_at returning ${STOPPED.columns}`,
        [name, now],
      );
      if (!stopped) throw new Error("an upsert has stored nothing");
      await notify(db, LINKS_CHANGED);
      return stopped;
    },
    async start(name) {
      await db.query("delete from stopped_links where name = $1", [name]);
      await notify(db, LINKS_CHANGED);
    },
  };
}
