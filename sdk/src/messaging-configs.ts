// MessagingConfigs: settings for sending, and the numbers that they apply to.

import type {
  MessagingConfig,
  MessagingConfigChange,
  MessagingConfigOrder,
  MessagingConfigReplacement,
  Phone,
  PhonesAssigned,
} from "./api.generated.ts";
import { type Answer, ask, type CallOptions, type ClientOrder, type WriteOptions } from "./exchange.ts";
import { type Listing, listing, type PageOptions } from "./page.ts";

export interface MessagingConfigs {
  create(config: MessagingConfigOrder, options?: WriteOptions): Promise<Answer<MessagingConfig>>;
  list(options?: PageOptions): Listing<MessagingConfig>;
  get(sid: string, options?: CallOptions): Promise<Answer<MessagingConfig>>;
  /** What is left out is as in a new one. */
  replace(sid: string, config: MessagingConfigReplacement, options?: CallOptions): Promise<Answer<MessagingConfig>>;
  change(sid: string, change: MessagingConfigChange, options?: CallOptions): Promise<Answer<MessagingConfig>>;
  /** Refused while numbers belong to it. */
  remove(sid: string, options?: CallOptions): Promise<Answer<undefined>>;
  phones(sid: string, options?: PageOptions): Listing<Phone>;
  /** Up to a thousand; each succeeds or fails on its own, and those that fail say why. */
  addPhones(sid: string, phones: readonly string[], options?: CallOptions): Promise<Answer<PhonesAssigned>>;
  deletePhones(sid: string, phones: readonly string[], options?: CallOptions): Promise<Answer<PhonesAssigned>>;
}

export function messagingConfigsOf(order: ClientOrder): MessagingConfigs {
  return {
    create: (body, options) => ask(order, "POST /v1/MessagingConfigs", { ...options, body }),
    list: ({ signal, ...query } = {}) => listing(order, "GET /v1/MessagingConfigs", { signal, query }),
    get: (sid, options) => ask(order, "GET /v1/MessagingConfigs/{sid}", { ...options, params: { sid } }),
    replace: (sid, body, options) =>
      ask(order, "PUT /v1/MessagingConfigs/{sid}", { ...options, params: { sid }, body }),
    change: (sid, body, options) =>
      ask(order, "PATCH /v1/MessagingConfigs/{sid}", { ...options, params: { sid }, body }),
    remove: (sid, options) => ask(order, "DELETE /v1/MessagingConfigs/{sid}", { ...options, params: { sid } }),
    phones: (sid, { signal, ...query } = {}) =>
      listing(order, "GET /v1/MessagingConfigs/{sid}/phones", { signal, params: { sid }, query }),
    addPhones: (sid, phones, options) =>
      ask(order, "PATCH /v1/MessagingConfigs/{sid}/addPhones", { ...options, params: { sid }, body: { phones } }),
    deletePhones: (sid, phones, options) =>
      ask(order, "PATCH /v1/MessagingConfigs/{sid}/deletePhones", { ...options, params: { sid }, body: { phones } }),
  };
}
