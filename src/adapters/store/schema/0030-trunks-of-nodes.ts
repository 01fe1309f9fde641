// The trunks as each process sees them, in its report.

import type { SchemaStep } from "./schema-step.ts";

export const trunksOfNodes: SchemaStep = {
  name: "0030-trunks-of-nodes",
  sql: `
alter table nodes add column trunks jsonb not null default '[]';
`,
};
