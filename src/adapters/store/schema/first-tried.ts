// A later event of a resource waits for the one before it until a minute after the first attempt at that one, not after
// it was stored. The step also sets the time for deliveries that were tried before.

export const firstTriedSchema = {
  name: "0270-first-tried",
  sql: `
-- The start of the first attempt of this round that was recorded; null before. A round begins when an event is stored or replayed.
alter table delivery_queue add column first_tried_at timestamptz;
update delivery_queue as queue
   set first_tried_at = (select min(at) from attempts where delivery_sid = queue.delivery_sid and at >= queue.queued_at)
 where attempt > 0;
`,
};
