export const deliveryLeases = {
  name: "0004-delivery-leases",
  sql: `
-- A claim used to move due_at ahead, which is indexed: every claim wrote a row anew and entered it into each index. A lease of its own is
-- in no index, so that a claim is written in the row's page and nowhere else.
alter table delivery_queue
  -- Until when nobody else takes it; null when nobody has it.
  add column leased_until timestamptz,
  -- Was due, but an earlier event of its resource is still queued. Whoever is done with that one lets it go.
  add column blocked boolean not null default false;
-- Room for the second version of every row: whole pages are claimed at once.
alter table delivery_queue set (fillfactor = 50);
create index delivery_queue_blocked on delivery_queue (subscription_sid, resource_sid) where blocked;
-- Nobody claims while the schema changes: what was claimed is due.
update delivery_queue set due_at = least(due_at, now()), claimed_by = null where claimed_by is not null;
`,
};
