// A process counts its own calls; with the process in the index, the others of an account are counted without reading
// those, however many there are.

import type { SchemaStep } from "./schema-step.ts";

export const activeCallsByProcess: SchemaStep = {
  name: "0007-active-calls-by-process",
  sql: `
drop index calls_active;
create index calls_active on calls (account_sid, process) where status <> 'Completed';
`,
};
