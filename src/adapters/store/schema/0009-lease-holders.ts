// Which process has a lease, so that a lock that is free because its holder was cut off from the database differs from
// one that was given up.

import type { SchemaStep } from "./schema-step.ts";

export const leaseHolders: SchemaStep = {
  name: "0009-lease-holders",
  sql: `
-- The processes that have leases, until they give them up or are dead. A lease is an advisory lock on (lock_class, id).
create table lease_holders (
  lock_class integer not null,
  id         integer not null,
  -- Names the lease among those of all processes.
  lease      text not null,
  -- How a process on the same machine sees whether it has ended: boot and PID namespace, pid, start.
  place      text,
  pid        integer not null,
  started    text,
  primary key (lock_class, id)
);
`,
};
