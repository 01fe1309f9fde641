// MessagingConfigs: how the numbers that belong to one send, and which ones do.

import { type Answer, ask, type CallOptions, type ClientOrder, type WriteOptions } from "./exchange.ts";
import type {
  MessagingConfig,
  MessagingConfigChange,
  MessagingConfigOrder,
  Phone,
  PhonesAssigned,
} from "./messaging-types.ts";
import { type PageOptions, pageQuery } from "./page.ts";
import type { ListAnswer } from "./types.ts";

export interface MessagingConfigs {
  create(config: MessagingConfigOrder, options?: WriteOptions): Promise<Answer<MessagingConfig>>;
  list(options?: PageOptions): Promise<Answer<ListAnswer<MessagingConfig>>>;
  get(sid: string, options?: CallOptions): Promise<Answer<MessagingConfig>>;
  change(sid: string, change: MessagingConfigChange, options?: CallOptions): Promise<Answer<MessagingConfig>>;
  /** Refused while numbers belong to it. */
  remove(sid: string, options?: CallOptions): Promise<Answer<undefined>>;
  phones(sid: string, options?: PageOptions): Promise<Answer<ListAnswer<Phone>>>;
  /** Each by itself, up to a thousand: those that fail say why. */
  addPhones(sid: string, phones: readonly string[], options?: CallOptions): Promise<Answer<PhonesAssigned>>;
  deletePhones(sid: string, phones: readonly string[], options?: CallOptions): Promise<Answer<PhonesAssigned>>;
}

const PATH = "/v1/MessagingConfigs";

export function messagingConfigsOf(order: ClientOrder): MessagingConfigs {
  const pathOf = (sid: string) => `${PATH}/${encodeURIComponent(sid)}`;
  const list = <Item>(path: string, { signal, ...page }: PageOptions) =>
    ask<ListAnswer<Item>>(order, { ...(signal && { signal }), method: "GET", path, query: pageQuery(page) });
  return {
    create: (body, options) => ask(order, { ...options, method: "POST", path: PATH, body }),
    list: (options = {}) => list(PATH, options),
    get: (sid, options) => ask(order, { ...options, method: "GET", path: pathOf(sid) }),
    change: (sid, body, options) => ask(order, { ...options, method: "PATCH", path: pathOf(sid), body }),
    remove: (sid, options) => ask(order, { ...options, method: "DELETE", path: pathOf(sid) }),
    phones: (sid, options = {}) => list(`${pathOf(sid)}/phones`, options),
    addPhones: (sid, phones, options) =>
      ask(order, { ...options, method: "PATCH", path: `${pathOf(sid)}/addPhones`, body: { phones } }),
    deletePhones: (sid, phones, options) =>
      ask(order, { ...options, method: "PATCH", path: `${pathOf(sid)}/deletePhones`, body: { phones } }),
  };
}
