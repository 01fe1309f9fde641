// A forwarded call may be on its way to several numbers at the same time.

import type { SchemaStep } from "./schema-step.ts";

export const forwardingOthers: SchemaStep = {
  name: "0019-forwarding-others",
  sql: `
alter table calls add column forwarding_others text[];
create index calls_forwarding_others on calls using gin (forwarding_others)
  where forwarding_others is not null and status <> 'Completed';
`,
};
