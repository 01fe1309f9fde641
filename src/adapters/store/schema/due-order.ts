// Due deliveries of an endpoint are read in the order in which they are claimed, so that a claim stops at its limit
// however much is due.

export const dueOrderSchema = {
  name: "0260-due-order",
  sql: `
-- The stronger lock first: one that is raised could wait for somebody who waits for it.
drop index delivery_queue_due;
create index delivery_queue_due_order on delivery_queue (subscription_sid, due_at, sequence);
`,
};
