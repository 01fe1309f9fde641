// A list of one type of events, and of their deliveries, is read without all the others.

import type { SchemaStep } from "./schema-step.ts";

export const eventsByType: SchemaStep = {
  name: "0008-events-by-type",
  sql: `
create index events_by_type on events (account_sid, type, created_at);
`,
};
