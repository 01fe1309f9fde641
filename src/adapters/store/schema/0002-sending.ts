// A message waits in outbound_queue, or is named by a row of `submits` while it is being sent. What leaves at once
// never has a row in the queue.

import type { SchemaStep } from "./schema-step.ts";

export const sending: SchemaStep = {
  name: "0002-sending",
  sql: `
-- Messages that were given to a link together, from before the first octet leaves until all of them are settled. If
-- their sender dies, they may have arrived, except those that came back from it to the queue.
create table submits (
  -- The term of the sender; see sending-lease.ts.
  term         integer not null,
  number       bigint not null,
  link         text not null,
  account_sids text[] not null,
  sids         text[] not null,
  primary key (term, number)
) with (toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000,
        toast.autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_threshold = 2000);
-- Compressing them costs more than it saves: a row lives for milliseconds.
alter table submits alter account_sids set storage external, alter sids set storage external;

insert into submits (term, number, link, account_sids, sids)
select claimed_by, row_number() over (), submitting, array[account_sid], array[sid] from outbound_queue where submitting is not null;
delete from outbound_queue where submitting is not null;

alter table outbound_queue
  drop column claimed_by,
  drop column submitting,
  -- The key of its route, and its shard in it; empty: not known yet.
  add column route text not null default '',
  add column shard smallint not null default 0,
  -- Its time has come.
  add column is_ready boolean not null default false,
  -- The submit that it came back from, because no carrier took it.
  add column back_from bigint;
update outbound_queue set is_ready = true where due_at <= now();
create index outbound_queue_ready on outbound_queue (route, account_sid, priority, sid, shard) where is_ready;
create index outbound_queue_due on outbound_queue (due_at) where not is_ready;
create index outbound_queue_expiry on outbound_queue (expires_at);
`,
};
