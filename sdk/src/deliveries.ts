// Deliveries: what became of every event that was to be sent, and sending it again.

import { type Answer, ask, type CallOptions, type ClientOrder, type WriteOptions } from "./exchange.ts";
import { type PageOptions, pageQuery } from "./page.ts";
import type { DeliveryStatus, EventType, ListAnswer, ReplayAnswer, ReplayOrder, WebhookDelivery } from "./types.ts";

export interface DeliveryListOptions extends PageOptions {
  readonly type?: EventType;
  readonly status?: DeliveryStatus;
  readonly subscriptionSid?: string;
  readonly resourceSid?: string;
  /** ISO 8601. */
  readonly createdOnFrom?: string;
  readonly createdOnTo?: string;
}

export interface Deliveries {
  list(options?: DeliveryListOptions): Promise<Answer<ListAnswer<WebhookDelivery>>>;
  get(sid: string, options?: CallOptions): Promise<Answer<WebhookDelivery>>;
  /** Once more, under the same `webhook-id`. */
  replay(sid: string, options?: WriteOptions): Promise<Answer<WebhookDelivery>>;
  /** Everything that fits, up to a bound: `complete` says whether that was all. */
  replayMany(replay: ReplayOrder, options?: WriteOptions): Promise<Answer<ReplayAnswer>>;
}

const PATH = "/v1/Webhooks/deliveries";

export function deliveriesOf(order: ClientOrder): Deliveries {
  const pathOf = (sid: string) => `${PATH}/${encodeURIComponent(sid)}`;
  return {
    list: ({ signal, ...options } = {}) =>
      ask(order, {
        ...(signal && { signal }),
        method: "GET",
        path: PATH,
        query: {
          ...pageQuery(options),
          Type: options.type,
          Status: options.status,
          SubscriptionSid: options.subscriptionSid,
          ResourceSid: options.resourceSid,
          CreatedOnFrom: options.createdOnFrom,
          CreatedOnTo: options.createdOnTo,
        },
      }),
    get: (sid, options) => ask(order, { ...options, method: "GET", path: pathOf(sid) }),
    replay: (sid, options) => ask(order, { ...options, method: "POST", path: `${pathOf(sid)}/replay` }),
    replayMany: (body, options) => ask(order, { ...options, method: "POST", path: `${PATH}/replay`, body }),
  };
}
