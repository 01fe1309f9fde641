// Campaigns of the registry, as they were imported.

import type { TcrCampaign, TcrCampaignChange } from "./api.generated.ts";
import { type Answer, ask, type CallOptions, type ClientOrder } from "./exchange.ts";
import { type Listing, listing, type PageOptions } from "./page.ts";

export interface Campaigns {
  list(options?: PageOptions): Listing<TcrCampaign>;
  get(tcrCampaignId: string, options?: CallOptions): Promise<Answer<TcrCampaign>>;
  /** Links it to a MessagingConfig, or unlinks it. */
  change(tcrCampaignId: string, change: TcrCampaignChange, options?: CallOptions): Promise<Answer<TcrCampaign>>;
}

export function campaignsOf(order: ClientOrder): Campaigns {
  return {
    list: ({ signal, ...query } = {}) => listing(order, "GET /v1/TcrCampaigns", { signal, query }),
    get: (tcrCampaignId, options) =>
      ask(order, "GET /v1/TcrCampaigns/{tcrCampaignId}", { ...options, params: { tcrCampaignId } }),
    change: (tcrCampaignId, body, options) =>
      ask(order, "PATCH /v1/TcrCampaigns/{tcrCampaignId}", { ...options, params: { tcrCampaignId }, body }),
  };
}
