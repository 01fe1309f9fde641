// Ports by hand: an order stays where it is until the operator confirms, completes or rejects its numbers.

import type { Clock } from "../../base/clock.ts";
import { cancellableNumbers, type PortingGateway, type PortReply } from "../../domain/porting/index.ts";

const TAKEN: PortReply = { kind: "taken", news: [] };

export function manualGateway(clock: Clock): PortingGateway {
  return {
    submit: async () => TAKEN,
    async cancel(order) {
      const numbers = cancellableNumbers(order);
      if (!numbers.ok) return TAKEN;
      const sequence = order.sequence + 1;
      const word = { kind: "cancelled" } as const;
      return {
        kind: "taken",
        news: [{ orderSid: order.sid, sequence, at: clock.now(), numbers: numbers.value, word }],
      };
    },
    /** Whose exception it was is answered: the operator looks again. */
    async supplement(order) {
      const numbers = order.numbers.filter(({ status }) => status === "Exception").map(({ number }) => number);
      if (numbers.length === 0) return TAKEN;
      const sequence = order.sequence + 1;
      const word = { kind: "submitted" } as const;
      return { kind: "taken", news: [{ orderSid: order.sid, sequence, at: clock.now(), numbers, word }] };
    },
    news: async (after) => ({ news: [], cursor: after, more: false }),
    close: async () => {},
  };
}
