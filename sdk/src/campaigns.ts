// Campaigns of the registry, as they were imported.

import { type Answer, ask, type CallOptions, type ClientOrder } from "./exchange.ts";
import type { TcrCampaign, TcrCampaignChange } from "./messaging-types.ts";
import { type PageOptions, pageQuery } from "./page.ts";
import type { ListAnswer } from "./types.ts";

export interface Campaigns {
  list(options?: PageOptions): Promise<Answer<ListAnswer<TcrCampaign>>>;
  get(tcrCampaignId: string, options?: CallOptions): Promise<Answer<TcrCampaign>>;
  /** Links it to a MessagingConfig, or unlinks it. */
  change(tcrCampaignId: string, change: TcrCampaignChange, options?: CallOptions): Promise<Answer<TcrCampaign>>;
}

const PATH = "/v1/TcrCampaigns";

export function campaignsOf(order: ClientOrder): Campaigns {
  const pathOf = (id: string) => `${PATH}/${encodeURIComponent(id)}`;
  return {
    list: ({ signal, ...page } = {}) =>
      ask(order, { ...(signal && { signal }), method: "GET", path: PATH, query: pageQuery(page) }),
    get: (id, options) => ask(order, { ...options, method: "GET", path: pathOf(id) }),
    change: (id, body, options) => ask(order, { ...options, method: "PATCH", path: pathOf(id), body }),
  };
}
