// The slots of webhooks, and the workers that deliver (domain/webhooks/worker-slots.ts). A claim locks its slots, so
// that a slot changes hands only between claims.

import type { SlotRecords, WorkerSlots } from "../../../domain/webhooks/index.ts";
import type { Condition } from "../engine/conditions.ts";
import type { Queryable } from "../engine/database.ts";
import { countOf } from "../engine/statements.ts";

const DELIVERS = "update webhook_workers set delivers = $2 where id = $1 and delivers <> $2";
const WORKERS = "select count(*)::int as count from webhook_workers where delivers";
// None for a worker that was taken for dead: they would stay taken. Locked, so that it is not taken for dead meanwhile.
const TAKE = `
with living as materialized (
  select id from webhook_workers where id = $1 for key share
)
update webhook_slots set worker = living.id from living where slot = any (array(
  select slot from webhook_slots where worker is null order by slot limit $2 for update skip locked))`;
const LEAVE = "update webhook_slots set worker = null where worker = $1 and slot = any ($2::smallint[])";
const HELD_BY = "select slot from webhook_slots where worker = $1 order by slot";
const CLAIMED_FROM = "select distinct subscription_sid as sid from delivery_queue where claimed_by = $1";

export function slotRecords(db: Queryable): SlotRecords {
  return {
    async share(worker, isDelivering) {
      await db.query(DELIVERS, [worker, isDelivering]);
      return countOf(db, WORKERS);
    },
    take: async (worker, countMax) => void (await db.query(TAKE, [worker, countMax])),
    leave: async (worker, slots) => void (await db.query(LEAVE, [worker, slots])),
    heldBy: async (worker) => (await db.query<{ slot: number }>(HELD_BY, [worker])).map(({ slot }) => slot),
    claimedFrom: async (worker) => (await db.query<{ sid: string }>(CLAIMED_FROM, [worker])).map(({ sid }) => sid),
  };
}

/** Waits until the worker's claims have ended, also those whose answer it no longer expects: they lock its slots. */
export async function claimsEnded(db: Queryable, worker: number): Promise<void> {
  await db.query("select from webhook_slots where worker = $1 order by slot for update", [worker]);
}

/** Holds when this worker may have to take or give up slots, or does not know which it has. */
export function slotsMayChange(slots: Pick<WorkerSlots, "id" | "count">): Condition {
  return (bind) =>
    `exists (select from webhook_slots where worker is null) or exists (select from webhook_workers where id <> ${bind(slots.id)}::int)
     or (select count(*) from webhook_slots where worker = ${bind(slots.id)}::int) <> ${bind(slots.count)}::int`;
}
