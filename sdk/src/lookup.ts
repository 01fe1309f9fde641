// Lookups of a number, with the source of the result.

import type { NumberInformation } from "./api.generated.ts";
import { type Answer, type CallOptions, type ClientOrder, call } from "./exchange.ts";
import type { PlainLookup } from "./methods.generated.ts";

export interface LookupAnswer extends Answer<NumberInformation> {
  /** The source of the result: override, own, enum, http, sip or table. */
  readonly source: string | undefined;
  /** The time of that source's data, in ISO 8601. */
  readonly asOf: string | undefined;
}

export interface Lookup extends PlainLookup {
  number(number: string, options?: CallOptions): Promise<LookupAnswer>;
}

/** `number` as the API returns it, with the facts in its headers. */
export function lookupNumberOf(order: ClientOrder): Lookup["number"] {
  return async (number, options) => {
    const request = { ...options, params: { Number: number } };
    const { headers, ...answer } = await call(order, "GET /carrierLookup/v1/Numbers/{Number}", request);
    return {
      ...answer,
      source: headers.get("X-Lookup-Source") ?? undefined,
      asOf: headers.get("X-Lookup-As-Of") ?? undefined,
    };
  };
}
