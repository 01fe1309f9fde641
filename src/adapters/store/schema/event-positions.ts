// Positions in the event log that outlive the cluster: a backup that is restored into another cluster continues to
// count where it was, although transactions are counted anew there. See backup/event-positions.ts.

export const eventPositionsSchema = {
  name: "0170-event-positions",
  sql: `
-- Planned as if its body stood in its place, so that it costs nothing.
create function event_position(transaction xid8) returns xid8 language sql immutable parallel safe as $$ select transaction $$;
alter table events alter column xid set default event_position(pg_current_xact_id());
`,
};
