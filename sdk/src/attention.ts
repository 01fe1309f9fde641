// What needs somebody, grouped by its cause, and how much traffic there is.

import type { Attention, GetTrafficQuery, OperatorAttention, Traffic } from "./api.generated.ts";
import { type Answer, ask, type CallOptions, type ClientOrder } from "./exchange.ts";

export type TrafficOptions = GetTrafficQuery & CallOptions;

export interface Oversight {
  /** Whatever stands still or fails, each with what to do about it. */
  attention(options?: CallOptions): Promise<Answer<Attention>>;
  /** Messages and calls by the minute, the oldest first. */
  traffic(options?: TrafficOptions): Promise<Answer<Traffic>>;
}

export interface OperatorOversight {
  /** Of all accounts, and of the service itself. */
  attention(options?: CallOptions): Promise<Answer<OperatorAttention>>;
}

export function oversightOf(order: ClientOrder): Oversight {
  return {
    attention: (options) => ask(order, "GET /v1/Attention", { ...options }),
    traffic: ({ signal, ...query } = {}) => ask(order, "GET /v1/Traffic", { signal, query }),
  };
}

export function operatorOversightOf(order: ClientOrder): OperatorOversight {
  return { attention: (options) => ask(order, "GET /operator/v1/Attention", { ...options }) };
}
