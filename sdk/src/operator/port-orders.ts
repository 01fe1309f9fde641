// The port orders of all accounts, and moving them along by hand where no clearing house is connected.

import type {
  ListAllPortOrdersQuery,
  OwnedPortOrder,
  PortCompletion,
  PortDate,
  PortException,
  PortPins,
  PortRejection,
} from "../api.generated.ts";
import { type Answer, ask, type CallOptions, type ClientOrder, type WriteOptions } from "../exchange.ts";
import { type Listing, listing } from "../page.ts";

export type OwnedPortOrderListOptions = ListAllPortOrdersQuery & CallOptions;

export interface PortOrders {
  list(options?: OwnedPortOrderListOptions): Listing<OwnedPortOrder>;
  get(sid: string, options?: CallOptions): Promise<Answer<OwnedPortOrder>>;
  /** A file that came with the order, from 1. */
  document(sid: string, place: number, options?: CallOptions): Promise<Answer<Uint8Array>>;
  /** Entered in the audit log. A closed order has none any more. */
  revealPins(sid: string, options?: WriteOptions): Promise<Answer<PortPins>>;
  /** The date at which the losing carrier lets go. */
  confirmDate(sid: string, date: PortDate, options?: WriteOptions): Promise<Answer<OwnedPortOrder>>;
  complete(sid: string, completion?: PortCompletion, options?: WriteOptions): Promise<Answer<OwnedPortOrder>>;
  reject(sid: string, rejection: PortRejection, options?: WriteOptions): Promise<Answer<OwnedPortOrder>>;
  /** Asks the account to put something right. */
  hold(sid: string, exception: PortException, options?: WriteOptions): Promise<Answer<OwnedPortOrder>>;
}

export function portOrdersOf(order: ClientOrder): PortOrders {
  return {
    list: ({ signal, ...query } = {}) => listing(order, "GET /operator/v1/PortOrders", { signal, query }),
    get: (sid, options) => ask(order, "GET /operator/v1/PortOrders/{sid}", { ...options, params: { sid } }),
    document: (sid, place, options) =>
      ask(order, "GET /operator/v1/PortOrders/{sid}/documents/{place}", {
        ...options,
        params: { sid, place: String(place) },
      }),
    revealPins: (sid, options) =>
      ask(order, "POST /operator/v1/PortOrders/{sid}/revealPins", { ...options, params: { sid } }),
    confirmDate: (sid, body, options) =>
      ask(order, "POST /operator/v1/PortOrders/{sid}/foc", { ...options, params: { sid }, body }),
    complete: (sid, body = {}, options = {}) =>
      ask(order, "POST /operator/v1/PortOrders/{sid}/complete", { ...options, params: { sid }, body }),
    reject: (sid, body, options) =>
      ask(order, "POST /operator/v1/PortOrders/{sid}/reject", { ...options, params: { sid }, body }),
    hold: (sid, body, options) =>
      ask(order, "POST /operator/v1/PortOrders/{sid}/exception", { ...options, params: { sid }, body }),
  };
}
