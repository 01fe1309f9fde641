// Ports by hand: an order stays where it is until the operator confirms, completes or rejects its numbers.

import type { Clock } from "../../base/clock.ts";
import { cancellableNumbers, type PortingGateway, type PortReply } from "../../domain/porting/index.ts";

const TAKEN: PortReply = { kind: "taken", updates: [] };

export function manualGateway(clock: Clock): PortingGateway {
  return {
    submit: async () => TAKEN,
    async cancel(order) {
      const numbers = cancellableNumbers(order);
      if (!numbers.ok) return TAKEN;
      const sequence = order.sequence + 1;
      const change = { kind: "cancelled" } as const;
      return {
        kind: "taken",
        updates: [{ orderSid: order.sid, sequence, at: clock.now(), numbers: numbers.value, change }],
      };
    },
    /** Numbers with an exception are submitted again, for the operator to look at. */
    async supplement(order) {
      const numbers = order.numbers.filter(({ status }) => status === "Exception").map(({ number }) => number);
      if (numbers.length === 0) return TAKEN;
      const sequence = order.sequence + 1;
      const change = { kind: "submitted" } as const;
      return { kind: "taken", updates: [{ orderSid: order.sid, sequence, at: clock.now(), numbers, change }] };
    },
    updates: async (after) => ({ updates: [], cursor: after, more: false }),
    close: async () => {},
  };
}
