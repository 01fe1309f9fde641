// The state of the links to carriers, reported by the one process that keeps them and read by the others. Reports of
// terms before the newest are ignored.

import type { ReportedLink, ReportedLinkStore } from "../../../domain/messaging/index.ts";
import { table } from "../engine/columns.ts";
import type { Queryable } from "../engine/database.ts";
import { run } from "../engine/statements.ts";

const FIELDS = {
  name: "name",
  carrier: "carrier",
  kind: "kind",
  state: "state",
  reason: "reason",
  since: "since timestamptz",
  room: "room integer",
  window: "window_size integer",
  inFlight: "in_flight integer",
  perSecond: "per_second real",
  p95Ms: "p95_ms integer",
  asOf: "told_at timestamptz",
} as const;
const REPORTED = table<ReportedLink>("told_links", FIELDS);
const REPORTED_IN_TERM = table<ReportedLink & { readonly term: number }>("told_links", {
  ...FIELDS,
  term: "term integer",
});

export function reportedLinkStore(db: Queryable): ReportedLinkStore {
  return {
    report: (term, links, now) =>
      run(
        db,
        `${REPORTED_IN_TERM.insert} on conflict (name) do update set ${REPORTED_IN_TERM.excluded}
          where told_links.term <= excluded.term`,
        [REPORTED_IN_TERM.rows(links.map((link) => ({ ...link, asOf: now, term })))],
      ),
    list: () =>
      db.query<ReportedLink>(`${REPORTED.select} where term = (select max(term) from told_links) order by name`),
  };
}
