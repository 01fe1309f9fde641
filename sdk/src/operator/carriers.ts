// The ways to carriers: links for messages and trunks for calls, how they fare, and the routes over them.

import type { CarrierLink, CarrierLinkSwitch, Route, Trunk, TrunkSwitch } from "../api.generated.ts";
import { type Answer, ask, type CallOptions, type ClientOrder, type WriteOptions } from "../exchange.ts";
import { type Listing, listing } from "../page.ts";

/** The links to carriers. */
export interface Links {
  /** Those of the process that answers; one process keeps them all. */
  list(options?: CallOptions): Listing<CarrierLink>;
  /** Until it is started: messages take other links, or wait. */
  stop(name: string, options?: WriteOptions): Promise<Answer<CarrierLinkSwitch>>;
  start(name: string, options?: WriteOptions): Promise<Answer<CarrierLinkSwitch>>;
}

export function linksOf(order: ClientOrder): Links {
  return {
    list: (options) => listing(order, "GET /operator/v1/Links", { ...options }),
    stop: (name, options) => ask(order, "POST /operator/v1/Links/{name}/stop", { ...options, params: { name } }),
    start: (name, options) => ask(order, "POST /operator/v1/Links/{name}/start", { ...options, params: { name } }),
  };
}

/** The SIP trunks. */
export interface Trunks {
  /** As the process that answers sees them. */
  list(options?: CallOptions): Listing<Trunk>;
  /** Until it is started: new calls take other trunks. */
  stop(name: string, options?: WriteOptions): Promise<Answer<TrunkSwitch>>;
  start(name: string, options?: WriteOptions): Promise<Answer<TrunkSwitch>>;
}

export function trunksOf(order: ClientOrder): Trunks {
  return {
    list: (options) => listing(order, "GET /operator/v1/Trunks", { ...options }),
    stop: (name, options) => ask(order, "POST /operator/v1/Trunks/{name}/stop", { ...options, params: { name } }),
    start: (name, options) => ask(order, "POST /operator/v1/Trunks/{name}/start", { ...options, params: { name } }),
  };
}

/** The routes of the config file. */
export interface Routes {
  /** In the order in which they are tried, with what each link and trunk takes of them now. */
  list(options?: CallOptions): Listing<Route>;
}

export function routesOf(order: ClientOrder): Routes {
  return { list: (options) => listing(order, "GET /operator/v1/Routes", { ...options }) };
}
