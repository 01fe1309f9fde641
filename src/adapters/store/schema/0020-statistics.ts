// How many messages, calls and deliveries of each hour ended how: counted from the events, some time after them.

import type { SchemaStep } from "./schema-step.ts";

export const statistics: SchemaStep = {
  name: "0020-statistics",
  sql: `
create table statistics_counts (
  account_sid text not null,
  -- Messages, Calls or Deliveries.
  kind        text not null,
  -- In which they were made.
  hour        timestamptz not null,
  -- Of deliveries all are counted as Made, and those that ended as Failed or Canceled once more.
  outcome     text not null,
  -- Empty: none is known.
  carrier     text not null,
  count       bigint not null,
  primary key (account_sid, kind, hour, outcome, carrier)
);
create index statistics_counts_age on statistics_counts (hour);

-- How far the events are counted; see fold-statistics.ts.
create table statistics_progress (
  is_the_row    boolean primary key default true check (is_the_row),
  -- The present portion: events of transactions from from_xid up to to_xid, by their ids up to to_id.
  from_xid      xid8 not null default '0',
  to_xid        xid8 not null default '0',
  at_id         bigint not null default 0,
  to_id         bigint not null default 0,
  -- Everything that had ended by then is in the present portion, or in one before it.
  reaches       timestamptz not null default '-infinity',
  counted_until timestamptz not null default '-infinity',
  -- At some time before, the next transaction and the last id.
  mark_xid      xid8 not null default '0',
  mark_id       bigint not null default 0,
  marked_at     timestamptz not null default '-infinity',
  -- The id of the mark before.
  prior_id      bigint not null default 0,
  floor_id      bigint not null default 0
) with (fillfactor = 50);
insert into statistics_progress default values;

-- What became Failed or Canceled, or was replayed after that, until it is counted. Hardly any delivery is.
create table undelivered_changes (
  id          bigint generated always as identity primary key,
  account_sid text not null,
  created_at  timestamptz not null,
  failed      integer not null,
  canceled    integer not null
);

create function note_undelivered() returns trigger language plpgsql as $$
begin
  insert into undelivered_changes (account_sid, created_at, failed, canceled)
  values (new.account_sid, new.created_at,
          coalesce(cardinality(new.failed), 0) - coalesce(cardinality(old.failed), 0),
          coalesce(cardinality(new.canceled), 0) - coalesce(cardinality(old.canceled), 0));
  return null;
end $$;
create trigger undelivered after update of failed, canceled on deliveries
  for each row execute function note_undelivered();
`,
};
