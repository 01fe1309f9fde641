// A row of events stands for one event, or for several of one type that were stored together for one account. Rows that
// are there stand for one.

import type { SchemaStep } from "./schema-step.ts";

export const eventBatches: SchemaStep = {
  name: "0006-event-batches",
  sql: `
-- The other columns are those of the first event. The ids of the others follow its id. Null when it is the only one;
-- else a line for each: its resource's sid, its sequence, and its fields in their order, with tabs between them. What
-- is as in the first is empty, and so is a field that is the resource's sid in the first, and in each its own.
alter table events add column batch text;

-- The transactions that stored its events. Only the first event of a row has entries in the indexes of events.
alter table outbound_messages add column event_xids xid8[];
`,
};
