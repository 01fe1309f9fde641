// What is to be done for port orders, shared by all processes. Taking is one statement that moves the time at which it is due: who dies
// with it in hand keeps nobody from it for longer than that.

import type { Clock } from "../../../base/clock.ts";
import { LEASE_MS, type PortQueue, type PortRequest } from "../../../domain/porting/index.ts";
import type { SecretBox } from "../../secrets.ts";
import type { Queryable } from "../engine/database.ts";
import { documentsOf } from "./port-documents.ts";
import { pinsOf, portOrderStore } from "./port-orders.ts";

// Of one order only the oldest: a cancellation follows the submission it cancels.
const CLAIM_REQUESTS = `
with due as (
  select id from port_requests as request
   where due_at <= $1
     and not exists (select 1 from port_requests as earlier where earlier.order_sid = request.order_sid and earlier.id < request.id)
   order by due_at limit $3 for update skip locked
)
update port_requests as request set due_at = $2 from due where request.id = due.id
returning request.id, request.order_sid as "orderSid", request.kind, request.failures`;

export function portQueue(db: Queryable, box: SecretBox, clock: Clock): PortQueue {
  const orders = portOrderStore(db, box);
  return {
    claimRequests: (until, countMax, now) => db.query<PortRequest>(CLAIM_REQUESTS, [now, until, countMax]),
    async hold({ id }, work) {
      const prolong = () =>
        db
          .query("update port_requests set due_at = $2 where id = $1", [id, new Date(clock.now().getTime() + LEASE_MS)])
          // Whoever has the database again takes it again.
          .catch(() => undefined);
      const timer = setInterval(prolong, LEASE_MS / 3);
      try {
        return await work();
      } finally {
        clearInterval(timer);
      }
    },
    async putOff({ id }, until) {
      await db.query("update port_requests set due_at = $2, failures = failures + 1 where id = $1", [id, until]);
    },
    async submissionOf(orderSid, withDocuments) {
      const order = await orders.find(orderSid);
      if (!order) return undefined;
      const documents = withDocuments ? await documentsOf(db, orderSid) : [];
      return { order, pins: await pinsOf(db, box, orderSid), documents };
    },
    async claimUpdates(nextOn, now) {
      const [row] = await db.query<{ cursor: string | null }>(
        "update port_updates set ask_at = $2 where ask_at <= $1 returning cursor",
        [now, nextOn],
      );
      return row && { cursor: row.cursor ?? undefined };
    },
  };
}
