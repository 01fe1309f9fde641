// Outbound messages are partitioned by week, by the time with which their sids begin. What is there becomes the
// partition of all weeks before the next; the weeks themselves are made by engine/message-weeks.ts. The partitions
// follow one another without a gap, from the least sid to the greatest, so every sid has a place, and a list reads
// them in order, which PostgreSQL does not where there is a default partition.

import type { SchemaStep } from "./schema-step.ts";

export const messagesByWeek: SchemaStep = {
  name: "0005-messages-by-week",
  sql: `
alter table outbound_messages rename to outbound_messages_older;
alter table outbound_messages_older rename constraint outbound_messages_pkey to outbound_messages_older_pkey;
alter index outbound_messages_to rename to outbound_messages_older_to;
alter index outbound_messages_unhappy rename to outbound_messages_older_unhappy;
alter index outbound_messages_lost rename to outbound_messages_older_lost;
alter index outbound_messages_members rename to outbound_messages_older_members;
alter index outbound_messages_by_request_of rename to outbound_messages_older_by_request_of;

create table outbound_messages (like outbound_messages_older including defaults including generated including storage,
  primary key (account_sid, sid)) partition by range (sid);
-- Without the account, with which only the primary key begins: so a plan made while the table is empty cannot take the wrong one.
create index outbound_messages_to on outbound_messages (to_number, sid);
create index outbound_messages_unhappy on outbound_messages (account_sid, unhappy, sid) where unhappy is not null;
-- The code of an unknown outcome alone: the status changes with every message, and an index on it would be touched each time.
create index outbound_messages_lost on outbound_messages (to_number, sid) where error_code = 3100;
create index outbound_messages_members on outbound_messages using gin (recipients) where recipients is not null;
-- With the account and the sid: an id that is used repeatedly, or by many accounts, costs each only its own first rows.
create index outbound_messages_by_request_of on outbound_messages (request_id, account_sid, sid) where request_id is not null;

do $$
declare
  monday  constant timestamptz := date_trunc('week', now(), 'UTC');
  -- A new database has nothing to keep together: its first weeks are partitions already.
  cut     constant text := 'OM' || lpad(to_hex((extract(epoch from monday + case
    when exists (select from outbound_messages_older) then interval '168 hours' else interval '-168 hours' end) * 1000)::bigint), 12, '0');
  columns constant text := (select string_agg(quote_ident(attname), ', ') from pg_attribute
    where attrelid = 'outbound_messages'::regclass and attnum > 0 and attgenerated = '');
begin
  execute format('create table outbound_messages_later partition of outbound_messages for values from (%L) to (maxvalue) with (fillfactor = 50)', cut);
  -- A process whose clock was ahead has made sids of weeks to come.
  execute format('insert into outbound_messages (%1$s) select %1$s from outbound_messages_older where sid >= %2$L', columns, cut);
  execute format('delete from outbound_messages_older where sid >= %L', cut);
  execute format('alter table outbound_messages attach partition outbound_messages_older for values from (minvalue) to (%L)', cut);
end
$$;
`,
};
