// Webhook subscriptions: the URLs that events are sent to.

import type {
  WebhookChange,
  WebhookDelivery,
  WebhookOrder,
  WebhookSubscription,
  WebhookSubscriptionWithSecret,
  WebhookTypeList,
} from "./api.generated.ts";
import { type Answer, ask, type CallOptions, type ClientOrder, type WriteOptions } from "./exchange.ts";
import { type Listing, listing, type PageOptions } from "./page.ts";

export interface Webhooks {
  /** Only this answer and that of `rotateSecret` contain the signing secret. */
  create(webhook: WebhookOrder, options?: WriteOptions): Promise<Answer<WebhookSubscriptionWithSecret>>;
  list(options?: PageOptions): Listing<WebhookSubscription>;
  /** The event types, each with a sample. */
  types(options?: CallOptions): Promise<Answer<WebhookTypeList>>;
  get(sid: string, options?: CallOptions): Promise<Answer<WebhookSubscription>>;
  change(sid: string, change: WebhookChange, options?: CallOptions): Promise<Answer<WebhookSubscription>>;
  remove(sid: string, options?: CallOptions): Promise<Answer<undefined>>;
  /** For 24 hours webhooks are signed with the replaced secret too. */
  rotateSecret(sid: string, options?: WriteOptions): Promise<Answer<WebhookSubscriptionWithSecret>>;
  /** Sends a sample event to this subscription only; answers the delivery, which is still under way. */
  test(sid: string, options?: WriteOptions): Promise<Answer<WebhookDelivery>>;
}

export function webhooksOf(order: ClientOrder): Webhooks {
  return {
    create: (body, options) => ask(order, "POST /v1/Webhooks", { ...options, body }),
    list: ({ signal, ...query } = {}) => listing(order, "GET /v1/Webhooks", { signal, query }),
    types: (options) => ask(order, "GET /v1/Webhooks/types", { ...options }),
    get: (sid, options) => ask(order, "GET /v1/Webhooks/{sid}", { ...options, params: { sid } }),
    change: (sid, body, options) => ask(order, "PATCH /v1/Webhooks/{sid}", { ...options, params: { sid }, body }),
    remove: (sid, options) => ask(order, "DELETE /v1/Webhooks/{sid}", { ...options, params: { sid } }),
    rotateSecret: (sid, options) => ask(order, "POST /v1/Webhooks/{sid}/rotateSecret", { ...options, params: { sid } }),
    test: (sid, options) => ask(order, "POST /v1/Webhooks/{sid}/test", { ...options, params: { sid } }),
  };
}
