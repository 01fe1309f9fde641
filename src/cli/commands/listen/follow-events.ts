// Takes events as they come, forwards those that are wanted and tells what became of each. Events of one resource go
// one after the other; those of several side by side, within a bound, so that a slow answer to one holds up no other.

import type { AccountEvent, EventType } from "../../../../sdk/src/index.ts";
import { OrderedQueues } from "../../ordered-queues.ts";
import type { Forwarded } from "./forward-event.ts";

export interface FollowOrder {
  readonly events: AsyncIterable<AccountEvent>;
  /** Everything unless told. */
  readonly types?: ReadonlySet<EventType> | undefined;
  /** Only told of unless given. */
  readonly forward?: ((event: AccountEvent) => Promise<Forwarded>) | undefined;
  readonly tell: (event: AccountEvent, forwarded: Forwarded | undefined) => void;
}

export interface Followed {
  readonly events: number;
  /** Forwarded, and not answered with 2xx. */
  readonly failures: number;
}

const HELD_MAX = 32;

export async function followEvents(order: FollowOrder): Promise<Followed> {
  const { forward, tell, types } = order;
  const queues = new OrderedQueues(HELD_MAX);
  let [events, failures] = [0, 0];
  for await (const event of order.events) {
    if (types && !types.has(event.type)) continue;
    events++;
    if (!forward) {
      tell(event, undefined);
      continue;
    }
    await queues.add(event.resourceSid, async () => {
      const forwarded = await forward(event);
      if (!isSuccess(forwarded)) failures++;
      tell(event, forwarded);
    });
  }
  await queues.idle();
  return { events, failures };
}

function isSuccess({ status }: Forwarded): boolean {
  return status !== null && status >= 200 && status < 300;
}
