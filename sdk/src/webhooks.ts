// Subscriptions: where events go.

import { type Answer, ask, type CallOptions, type ClientOrder, type WriteOptions } from "./exchange.ts";
import { type PageOptions, pageQuery } from "./page.ts";
import type {
  ListAnswer,
  WebhookChange,
  WebhookDelivery,
  WebhookOrder,
  WebhookSubscription,
  WebhookSubscriptionWithSecret,
} from "./types.ts";

export interface Webhooks {
  /** Its answer alone carries the signing secret. */
  create(webhook: WebhookOrder, options?: WriteOptions): Promise<Answer<WebhookSubscriptionWithSecret>>;
  list(options?: PageOptions): Promise<Answer<ListAnswer<WebhookSubscription>>>;
  get(sid: string, options?: CallOptions): Promise<Answer<WebhookSubscription>>;
  change(sid: string, change: WebhookChange, options?: CallOptions): Promise<Answer<WebhookSubscription>>;
  remove(sid: string, options?: CallOptions): Promise<Answer<undefined>>;
  /** The old secret signs too for 24 hours. */
  rotateSecret(sid: string, options?: WriteOptions): Promise<Answer<WebhookSubscriptionWithSecret>>;
  /** Sends a sample event to this subscription alone; answers the delivery, on its way. */
  test(sid: string, options?: WriteOptions): Promise<Answer<WebhookDelivery>>;
}

const PATH = "/v1/Webhooks";

export function webhooksOf(order: ClientOrder): Webhooks {
  const pathOf = (sid: string) => `${PATH}/${encodeURIComponent(sid)}`;
  return {
    create: (body, options) => ask(order, { ...options, method: "POST", path: PATH, body }),
    list: ({ signal, ...page } = {}) =>
      ask(order, { ...(signal && { signal }), method: "GET", path: PATH, query: pageQuery(page) }),
    get: (sid, options) => ask(order, { ...options, method: "GET", path: pathOf(sid) }),
    change: (sid, body, options) => ask(order, { ...options, method: "PATCH", path: pathOf(sid), body }),
    remove: (sid, options) => ask(order, { ...options, method: "DELETE", path: pathOf(sid) }),
    rotateSecret: (sid, options) => ask(order, { ...options, method: "POST", path: `${pathOf(sid)}/rotateSecret` }),
    test: (sid, options) => ask(order, { ...options, method: "POST", path: `${pathOf(sid)}/test` }),
  };
}
