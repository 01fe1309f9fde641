// Deliveries: the state of each event that was to be sent to a webhook, and sending it again.

import type {
  DeliveryWithBody,
  ListDeliveriesQuery,
  ReplayAnswer,
  ReplayOneOrder,
  ReplayOrder,
  WebhookDelivery,
} from "./api.generated.ts";
import { type Answer, ask, type CallOptions, type ClientOrder, type WriteOptions } from "./exchange.ts";
import { type Listing, listing } from "./page.ts";

export type DeliveryListOptions = ListDeliveriesQuery & CallOptions;

export interface Deliveries {
  list(options?: DeliveryListOptions): Listing<WebhookDelivery>;
  /** With the body that is sent. */
  get(sid: string, options?: CallOptions): Promise<Answer<DeliveryWithBody>>;
  /** Sends it again, with the same `webhook-id`. */
  replay(sid: string, options?: WriteOptions & ReplayOneOrder): Promise<Answer<WebhookDelivery>>;
  /** Sends all deliveries that match again, up to a bound: `complete` says whether that was all. */
  replayMany(replay: ReplayOrder, options?: WriteOptions): Promise<Answer<ReplayAnswer>>;
}

export function deliveriesOf(order: ClientOrder): Deliveries {
  return {
    list: ({ signal, ...query } = {}) => listing(order, "GET /v1/Webhooks/deliveries", { signal, query }),
    get: (sid, options) => ask(order, "GET /v1/Webhooks/deliveries/{sid}", { ...options, params: { sid } }),
    replay: (sid, { url, ...options } = {}) =>
      ask(order, "POST /v1/Webhooks/deliveries/{sid}/replay", {
        ...options,
        params: { sid },
        ...(url === undefined ? {} : { body: { url } }),
      }),
    replayMany: (body, options) => ask(order, "POST /v1/Webhooks/deliveries/replay", { ...options, body }),
  };
}
