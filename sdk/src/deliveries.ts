// Replays a delivery: the destination is one of the options.

import type { ReplayOneOrder, WebhookDelivery } from "./api.generated.ts";
import type { Answer, WriteOptions } from "./exchange.ts";
import type { PlainDeliveries } from "./methods.generated.ts";

export interface Deliveries extends Omit<PlainDeliveries, "replay"> {
  /** Sends it again, with the same `webhook-id`. */
  replay(sid: string, options?: WriteOptions & ReplayOneOrder): Promise<Answer<WebhookDelivery>>;
}

export function deliveriesOf(plain: PlainDeliveries): Deliveries {
  return {
    ...plain,
    replay: (sid, { url, ...options } = {}) => plain.replay(sid, url === undefined ? undefined : { url }, options),
  };
}
