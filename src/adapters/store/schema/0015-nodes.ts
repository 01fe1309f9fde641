// The processes that serve the database, for operators to see and to drain. Unlogged: each writes its row again within
// seconds.

import type { SchemaStep } from "./schema-step.ts";

export const nodes: SchemaStep = {
  name: "0015-nodes",
  sql: `
create unlogged table nodes (
  sid            text primary key,
  host           text not null,
  -- Which process it is, as in lease_holders.
  place          text,
  pid            integer not null,
  started        text,
  version        text not null,
  roles          text[] not null,
  url            text not null,
  state          text not null check (state in ('Starting', 'Ready', 'Draining')),
  clock          text not null,
  links          text[] not null,
  started_at     timestamptz not null,
  seen_at        timestamptz not null,
  drain_asked_at timestamptz
) with (fillfactor = 50);
`,
};
