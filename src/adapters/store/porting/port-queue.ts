// The queue of requests to the porting gateway, shared by all processes.

import type { Clock } from "../../../base/clock.ts";
import { LEASE_MS, type PortQueue, type PortRequest } from "../../../domain/porting/index.ts";
import type { SecretBox } from "../../secrets.ts";
import type { Condition } from "../engine/conditions.ts";
import type { Queryable } from "../engine/database.ts";
import { claimDue, hasDue } from "../engine/due-rows.ts";
import { run } from "../engine/statements.ts";
import { documentsOf } from "./port-documents.ts";
import { pinsOf, portOrderStore } from "./port-orders.ts";

const REQUESTS = {
  table: "port_requests",
  key: "id",
  dueAt: "due_at",
  returning: `id, order_sid as "orderSid", kind, failures`,
  // Only the oldest request of an order: a cancellation follows the submission it cancels.
  where:
    "not exists (select from port_requests as earlier where earlier.order_sid = due.order_sid and earlier.id < due.id)",
};

const UPDATES = { table: "port_updates", key: "place", dueAt: "ask_at", returning: "cursor" };

/** Holds when requests are to be sent or, where the gateway has updates, updates are to be read. */
export function hasPortWork(now: () => Date, hasUpdates: boolean): Condition {
  const conditions = [REQUESTS, ...(hasUpdates ? [UPDATES] : [])].map((rows) => hasDue(rows, now));
  return (bind) => conditions.map((condition) => condition(bind)).join(" or ");
}

export function portQueue(db: Queryable, box: SecretBox, clock: Clock): PortQueue {
  const orders = portOrderStore(db, box);
  return {
    claimRequests: (until, countMax, now) => claimDue<PortRequest>(db, REQUESTS, { now, until, countMax }),
    async hold({ id }, work) {
      const prolong = () =>
        db
          .query("update port_requests set due_at = $2 where id = $1", [id, new Date(clock.now().getTime() + LEASE_MS)])
          // The claim expires, and the request is claimed again when the database is back.
          .catch(() => undefined);
      const timer = setInterval(prolong, LEASE_MS / 3);
      try {
        return await work();
      } finally {
        clearInterval(timer);
      }
    },
    putOff: ({ id }, until) =>
      run(db, "update port_requests set due_at = $2, failures = failures + 1 where id = $1", [id, until]),
    async submissionOf(orderSid, withDocuments) {
      const order = await orders.find(orderSid);
      if (!order) return undefined;
      const documents = withDocuments ? await documentsOf(db, orderSid) : [];
      return { order, pins: await pinsOf(db, box, orderSid), documents };
    },
    async claimUpdates(nextOn, now) {
      const order = { now, until: nextOn, countMax: 1 };
      const [row] = await claimDue<{ cursor: string | null }>(db, UPDATES, order);
      return row && { cursor: row.cursor ?? undefined };
    },
  };
}
