// Reads events as they arrive, forwards the selected ones and reports each result. Events of one resource are forwarded
// in order, those of different resources concurrently within a bound, so that a slow answer does not delay others.

import type { AccountEvent, EventType } from "../../../../sdk/src/index.ts";
import { OrderedQueues } from "../../ordered-queues.ts";
import type { Forwarded } from "./forward-event.ts";

export interface FollowOrder {
  readonly events: AsyncIterable<AccountEvent>;
  /** Default: all types. */
  readonly types?: ReadonlySet<EventType> | undefined;
  /** Without it, events are only reported. */
  readonly forward?: ((event: AccountEvent) => Promise<Forwarded>) | undefined;
  readonly report: (event: AccountEvent, forwarded: Forwarded | undefined) => void;
}

export interface Followed {
  readonly events: number;
  /** Forwarded, but not answered with 2xx. */
  readonly failures: number;
}

const PENDING_MAX = 32;

export async function followEvents(order: FollowOrder): Promise<Followed> {
  const { forward, report, types } = order;
  const queues = new OrderedQueues(PENDING_MAX);
  let [events, failures] = [0, 0];
  for await (const event of order.events) {
    if (types && !types.has(event.type)) continue;
    events++;
    if (!forward) {
      report(event, undefined);
      continue;
    }
    await queues.add(event.resourceSid, async () => {
      const forwarded = await forward(event);
      if (!isSuccess(forwarded)) failures++;
      report(event, forwarded);
    });
  }
  await queues.idle();
  return { events, failures };
}

function isSuccess({ status }: Forwarded): boolean {
  return status !== null && status >= 200 && status < 300;
}
