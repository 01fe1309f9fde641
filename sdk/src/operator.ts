// A client for the operator of the service.

import type {
  Account,
  AccountOrder,
  AssignedCampaign,
  CampaignAssignment,
  CampaignChange,
  CampaignOrder,
  CarrierLink,
  CarrierLinkSwitch,
  InventoryAdded,
  InventoryNumber,
  InventoryOrder,
  ListCampaignsQuery,
  ListInventoryQuery,
  NewAccount,
  NumberAssignment,
  OwnedTcrCampaign,
  Phone,
  UnassignedCampaign,
} from "./api.generated.ts";
import {
  type Answer,
  ask,
  type CallOptions,
  type ClientOrder,
  type SessionOrder,
  type TokenOrder,
  type WriteOptions,
} from "./exchange.ts";
import type { ListAnswer, PageOptions } from "./page.ts";

/** `token`: one of the operator's. */
export type OperatorOrder = Omit<TokenOrder, "accountSid"> | SessionOrder;
export type InventoryListOptions = ListInventoryQuery & CallOptions;
export type OwnedCampaignListOptions = ListCampaignsQuery & CallOptions;

export interface Accounts {
  list(options?: PageOptions): Promise<Answer<ListAnswer<Account>>>;
  /** With its first token, which is shown once. */
  create(order: AccountOrder, options?: WriteOptions): Promise<Answer<NewAccount>>;
}

/** The numbers that accounts can have. */
export interface Inventory {
  list(options?: InventoryListOptions): Promise<Answer<ListAnswer<InventoryNumber>>>;
  /** All or none. */
  add(order: InventoryOrder, options?: WriteOptions): Promise<Answer<InventoryAdded>>;
  /** Gives a number to an account, as if the account had taken it. */
  assign(number: string, assignment: NumberAssignment, options?: WriteOptions): Promise<Answer<Phone>>;
  remove(number: string, options?: CallOptions): Promise<Answer<undefined>>;
}

/** The campaigns of all accounts. */
export interface OwnedCampaigns {
  list(options?: OwnedCampaignListOptions): Promise<Answer<ListAnswer<OwnedTcrCampaign>>>;
  /** Those of the registry whose account nobody can tell. */
  unassigned(options?: PageOptions): Promise<Answer<ListAnswer<UnassignedCampaign>>>;
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

/** The links to carriers. */
export interface Links {
  /** Those of the process that answers; one process keeps them all. */
  list(options?: CallOptions): Promise<Answer<ListAnswer<CarrierLink>>>;
  /** Until it is started: messages take other links, or wait. */
  stop(name: string, options?: WriteOptions): Promise<Answer<CarrierLinkSwitch>>;
  start(name: string, options?: WriteOptions): Promise<Answer<CarrierLinkSwitch>>;
}

export interface OperatorClient {
  readonly accounts: Accounts;
  readonly numbers: Inventory;
  readonly campaigns: OwnedCampaigns;
  readonly links: Links;
}

export function createOperatorClient(operator: OperatorOrder): OperatorClient {
  const order: ClientOrder = operator.session ? operator : { ...operator, accountSid: "operator" };
  return {
    accounts: {
      list: ({ signal, ...query } = {}) => ask(order, "GET /operator/v1/Accounts", { signal, query }),
      create: (body, options) => ask(order, "POST /operator/v1/Accounts", { ...options, body }),
    },
    numbers: {
      list: ({ signal, ...query } = {}) => ask(order, "GET /operator/v1/Numbers", { signal, query }),
      add: (body, options) => ask(order, "POST /operator/v1/Numbers", { ...options, body }),
      assign: (number, body, options) =>
        ask(order, "POST /operator/v1/Numbers/{number}/assign", { ...options, params: { number }, body }),
      remove: (number, options) =>
        ask(order, "DELETE /operator/v1/Numbers/{number}", { ...options, params: { number } }),
    },
    campaigns: ownedCampaignsOf(order),
    links: {
      list: (options) => ask(order, "GET /operator/v1/Links", { ...options }),
      stop: (name, options) => ask(order, "POST /operator/v1/Links/{name}/stop", { ...options, params: { name } }),
      start: (name, options) => ask(order, "POST /operator/v1/Links/{name}/start", { ...options, params: { name } }),
    },
  };
}

function ownedCampaignsOf(order: ClientOrder): OwnedCampaigns {
  return {
    list: ({ signal, ...query } = {}) => ask(order, "GET /operator/v1/Campaigns", { signal, query }),
    unassigned: ({ signal, ...query } = {}) => ask(order, "GET /operator/v1/Campaigns/unassigned", { signal, query }),
    enter: (body, options) => ask(order, "POST /operator/v1/Campaigns", { ...options, body }),
    change: (tcrCampaignId, body, options) =>
      ask(order, "PATCH /operator/v1/Campaigns/{tcrCampaignId}", { ...options, params: { tcrCampaignId }, body }),
    assign: (tcrCampaignId, body, options) =>
      ask(order, "POST /operator/v1/Campaigns/{tcrCampaignId}/assign", { ...options, params: { tcrCampaignId }, body }),
  };
}
