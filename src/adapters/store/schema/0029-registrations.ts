// Where trunks that register with us are.

import type { SchemaStep } from "./schema-step.ts";

export const registrations: SchemaStep = {
  name: "0029-registrations",
  sql: `
create table registrations (
  trunk      text not null,
  uri        text not null,
  -- Address and port at which the trunk reached us. A process that has them can use a contact over UDP.
  place      text not null,
  -- The process that holds it, as in calls; null: that has ended.
  process    integer,
  instance   text,
  q          double precision not null,
  call_id    text not null,
  cseq       integer not null,
  transport  text not null check (transport in ('UDP', 'TCP', 'TLS')),
  address    text not null,
  port       integer not null,
  expires_at timestamptz not null,
  primary key (trunk, uri, place)
) with (fillfactor = 50);
`,
};
