// What is to be done for port orders, shared by all processes. Taking is one statement that moves the time at which it is due: who dies
// with it in hand keeps nobody from it for longer than that.

import type { Clock } from "../../../base/clock.ts";
import { LEASE_MS, type PortDeed, type PortDuties } from "../../../domain/porting/index.ts";
import type { SecretBox } from "../../secrets.ts";
import type { Queryable } from "../engine/database.ts";
import { documentsOf } from "./port-documents.ts";
import { pinsOf, portOrderStore } from "./port-orders.ts";

// Of one order only the oldest: a cancellation follows the submission it cancels.
const TAKE_DEEDS = `
with due as (
  select id from port_deeds as deed
   where due_at <= $1
     and not exists (select 1 from port_deeds as earlier where earlier.order_sid = deed.order_sid and earlier.id < deed.id)
   order by due_at limit $3 for update skip locked
)
update port_deeds as deed set due_at = $2 from due where deed.id = due.id
returning deed.id, deed.order_sid as "orderSid", deed.kind, deed.failures`;

export function portDuties(db: Queryable, box: SecretBox, clock: Clock): PortDuties {
  const orders = portOrderStore(db, box);
  return {
    takeDeeds: (until, countMax, now) => db.query<PortDeed>(TAKE_DEEDS, [now, until, countMax]),
    async hold({ id }, work) {
      const prolong = () =>
        db
          .query("update port_deeds set due_at = $2 where id = $1", [id, new Date(clock.now().getTime() + LEASE_MS)])
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
      await db.query("update port_deeds set due_at = $2, failures = failures + 1 where id = $1", [id, until]);
    },
    async papersOf(orderSid, withDocuments) {
      const order = await orders.find(orderSid);
      if (!order) return undefined;
      const documents = withDocuments ? await documentsOf(db, orderSid) : [];
      return { order, pins: await pinsOf(db, box, orderSid), documents };
    },
    async takeNews(nextOn, now) {
      const [row] = await db.query<{ cursor: string | null }>(
        "update port_news set ask_at = $2 where ask_at <= $1 returning cursor",
        [now, nextOn],
      );
      return row && { cursor: row.cursor ?? undefined };
    },
  };
}
