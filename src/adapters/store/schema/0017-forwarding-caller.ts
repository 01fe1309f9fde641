// Which caller the next party of a forwarded call is shown: a script may show another one than the call's own.

import type { SchemaStep } from "./schema-step.ts";

export const forwardingCaller: SchemaStep = {
  name: "0017-forwarding-caller",
  sql: `
alter table calls add column forwarding_from text;
update calls set forwarding_from = caller_id where forwarding_to is not null and status <> 'Completed';
drop index calls_forwarding;
create index calls_forwarding on calls (forwarding_to, forwarding_from, cardinality(forwarding_chain))
  where forwarding_to is not null and status <> 'Completed';
`,
};
