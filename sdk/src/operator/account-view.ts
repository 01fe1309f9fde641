// An account as it sees itself, for an operator who helps it: the reading methods of its client, by the same names.

import type { Calls } from "../calls.ts";
import type { Deliveries } from "../deliveries.ts";
import type { Events } from "../events.ts";
import { ask, type ClientOrder } from "../exchange.ts";
import type { Messages } from "../messages.ts";
import type { MessagingConfigs } from "../messaging-configs.ts";
import { type Listing, listing } from "../page.ts";
import type { Phones } from "../phones.ts";
import type { PortIn } from "../port-in.ts";
import type { Requests } from "../requests.ts";
import type { AccountEvent } from "../webhook-events.ts";

/** A client of the account can do the same. */
export interface AccountView {
  readonly messages: Pick<Messages, "list" | "get" | "why" | "inbound">;
  readonly calls: Pick<Calls, "list" | "get" | "why" | "sipMessages">;
  readonly phones: Pick<Phones, "list" | "get" | "voice">;
  readonly messagingConfigs: Pick<MessagingConfigs, "list" | "get" | "phones">;
  readonly portIn: Pick<PortIn, "list" | "get">;
  readonly deliveries: Pick<Deliveries, "list" | "get">;
  readonly events: Pick<Events, "list">;
  readonly requests: Requests;
}

export function accountViewOf(order: ClientOrder, accountSid: string): AccountView {
  return {
    messages: messagesSeen(order, accountSid),
    calls: callsSeen(order, accountSid),
    ...numbersSeen(order, accountSid),
    ...eventsSeen(order, accountSid),
    requests: {
      list: ({ signal, ...query } = {}) =>
        listing(order, "GET /operator/v1/Accounts/{accountSid}/Requests", { signal, params: { accountSid }, query }),
      get: (requestId, options) =>
        ask(order, "GET /operator/v1/Accounts/{accountSid}/Requests/{requestId}", {
          ...options,
          params: { accountSid, requestId },
        }),
    },
  };
}

function messagesSeen(order: ClientOrder, accountSid: string): AccountView["messages"] {
  const PATH = "/operator/v1/Accounts/{accountSid}/OutboundMessages";
  const INBOUND_PATH = "/operator/v1/Accounts/{accountSid}/InboundMessages";
  return {
    list: ({ signal, ...query } = {}) => listing(order, `GET ${PATH}`, { signal, params: { accountSid }, query }),
    get: (sid, options) => ask(order, `GET ${PATH}/{sid}`, { ...options, params: { accountSid, sid } }),
    why: (sid, options) => ask(order, `GET ${PATH}/{sid}/why`, { ...options, params: { accountSid, sid } }),
    inbound: {
      list: ({ signal, ...query } = {}) =>
        listing(order, `GET ${INBOUND_PATH}`, { signal, params: { accountSid }, query }),
      get: (sid, options) => ask(order, `GET ${INBOUND_PATH}/{sid}`, { ...options, params: { accountSid, sid } }),
    },
  };
}

function callsSeen(order: ClientOrder, accountSid: string): AccountView["calls"] {
  const PATH = "/operator/v1/Accounts/{accountSid}/Voice/Calls";
  return {
    list: ({ signal, ...query } = {}) => listing(order, `GET ${PATH}`, { signal, params: { accountSid }, query }),
    get: (sid, options) => ask(order, `GET ${PATH}/{sid}`, { ...options, params: { accountSid, sid } }),
    why: (sid, options) => ask(order, `GET ${PATH}/{sid}/why`, { ...options, params: { accountSid, sid } }),
    sipMessages: (sid, options) => ask(order, `GET ${PATH}/{sid}/sip`, { ...options, params: { accountSid, sid } }),
  };
}

function numbersSeen(
  order: ClientOrder,
  accountSid: string,
): Pick<AccountView, "phones" | "messagingConfigs" | "portIn"> {
  const PHONES = "/operator/v1/Accounts/{accountSid}/Phones";
  const CONFIGS = "/operator/v1/Accounts/{accountSid}/MessagingConfigs";
  return {
    phones: {
      list: ({ signal, ...query } = {}) => listing(order, `GET ${PHONES}`, { signal, params: { accountSid }, query }),
      get: (phone, options) => ask(order, `GET ${PHONES}/{phone}`, { ...options, params: { accountSid, phone } }),
      voice: (phone, options) =>
        ask(order, `GET ${PHONES}/{phone}/voice`, { ...options, params: { accountSid, phone } }),
    },
    messagingConfigs: {
      list: ({ signal, ...query } = {}) => listing(order, `GET ${CONFIGS}`, { signal, params: { accountSid }, query }),
      get: (sid, options) => ask(order, `GET ${CONFIGS}/{sid}`, { ...options, params: { accountSid, sid } }),
      phones: (sid, { signal, ...query } = {}) =>
        listing(order, `GET ${CONFIGS}/{sid}/phones`, { signal, params: { accountSid, sid }, query }),
    },
    portIn: {
      list: ({ signal, ...query } = {}) =>
        listing(order, `GET ${PHONES}/port-in`, { signal, params: { accountSid }, query }),
      get: (sid, options) => ask(order, `GET ${PHONES}/port-in/{sid}`, { ...options, params: { accountSid, sid } }),
    },
  };
}

function eventsSeen(order: ClientOrder, accountSid: string): Pick<AccountView, "deliveries" | "events"> {
  const DELIVERIES = "/operator/v1/Accounts/{accountSid}/Webhooks/deliveries";
  return {
    deliveries: {
      list: ({ signal, ...query } = {}) =>
        listing(order, `GET ${DELIVERIES}`, { signal, params: { accountSid }, query }),
      get: (sid, options) => ask(order, `GET ${DELIVERIES}/{sid}`, { ...options, params: { accountSid, sid } }),
    },
    events: {
      list: ({ signal, ...query } = {}) =>
        listing(order, "GET /operator/v1/Accounts/{accountSid}/Events", {
          signal,
          params: { accountSid },
          query,
        }) as Listing<AccountEvent>,
    },
  };
}
