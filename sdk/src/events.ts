// Every event of the account, subscribed or not: a list, and a stream that reconnects and continues where it was cut.

import type { ListEventsQuery } from "./api.generated.ts";
import { type StreamOptions, streamEvents } from "./event-stream.ts";
import { ask, type CallOptions, type ClientOrder } from "./exchange.ts";
import { type Listing, listing } from "./page.ts";
import type { AccountEvent } from "./webhook-events.ts";

export type EventListOptions = ListEventsQuery & CallOptions;

export interface Events {
  list(options?: EventListOptions): Listing<AccountEvent>;
  /** Events as they happen, each once and in order, until the signal ends it. Throws faults that no retry can mend. */
  stream(options?: StreamOptions): AsyncGenerator<AccountEvent, void, void>;
}

/** The position before the first event. */
export const LOG_START = "0-0";

export function eventsOf(order: ClientOrder): Events {
  const list: Events["list"] = ({ signal, ...query } = {}) =>
    listing(order, "GET /v1/Events", { signal, query }) as Listing<AccountEvent>;
  const lastId = async (signal: AbortSignal | undefined) => {
    const { data } = await ask(order, "GET /v1/Events", { signal, query: { pageSize: 1 } });
    return data.items[0]?.id ?? LOG_START;
  };
  return {
    list,
    stream: (options = {}) => streamEvents(order, options, { operation: "GET /v1/Events/stream", findLastId: lastId }),
  };
}
