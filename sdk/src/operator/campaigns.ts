// The campaigns of all accounts: those of the registry, and those that are kept by hand.

import type {
  AssignedCampaign,
  CampaignAssignment,
  CampaignChange,
  CampaignOrder,
  ListCampaignsQuery,
  OwnedTcrCampaign,
  UnassignedCampaign,
} from "../api.generated.ts";
import { type Answer, ask, type CallOptions, type ClientOrder, type WriteOptions } from "../exchange.ts";
import { type Listing, listing, type PageOptions } from "../page.ts";

export type OwnedCampaignListOptions = ListCampaignsQuery & CallOptions;

export interface OwnedCampaigns {
  list(options?: OwnedCampaignListOptions): Listing<OwnedTcrCampaign>;
  get(tcrCampaignId: string, options?: CallOptions): Promise<Answer<OwnedTcrCampaign>>;
  /** Those of the registry whose account nobody can tell. */
  unassigned(options?: PageOptions): Listing<UnassignedCampaign>;
  /** By hand, where no registry is connected. */
  enter(order: CampaignOrder, options?: WriteOptions): Promise<Answer<OwnedTcrCampaign>>;
  /** One that is kept by hand. */
  change(tcrCampaignId: string, change: CampaignChange, options?: CallOptions): Promise<Answer<OwnedTcrCampaign>>;
  /** Says whose it is, also before it comes. */
  assign(
    tcrCampaignId: string,
    assignment: CampaignAssignment,
    options?: WriteOptions,
  ): Promise<Answer<AssignedCampaign>>;
}

export function ownedCampaignsOf(order: ClientOrder): OwnedCampaigns {
  return {
    list: ({ signal, ...query } = {}) => listing(order, "GET /operator/v1/Campaigns", { signal, query }),
    get: (tcrCampaignId, options) =>
      ask(order, "GET /operator/v1/Campaigns/{tcrCampaignId}", { ...options, params: { tcrCampaignId } }),
    unassigned: ({ signal, ...query } = {}) =>
      listing(order, "GET /operator/v1/Campaigns/unassigned", { signal, query }),
    enter: (body, options) => ask(order, "POST /operator/v1/Campaigns", { ...options, body }),
    change: (tcrCampaignId, body, options) =>
      ask(order, "PATCH /operator/v1/Campaigns/{tcrCampaignId}", { ...options, params: { tcrCampaignId }, body }),
    assign: (tcrCampaignId, body, options) =>
      ask(order, "POST /operator/v1/Campaigns/{tcrCampaignId}/assign", { ...options, params: { tcrCampaignId }, body }),
  };
}
