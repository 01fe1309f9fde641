// Every event of the account, subscribed or not: a list, and a stream that goes on by itself from where it was cut off.

import { type StreamOptions, streamEvents } from "./event-stream.ts";
import { type Answer, ask, type ClientOrder } from "./exchange.ts";
import { type PageOptions, pageQuery } from "./page.ts";
import type { AccountEvent, EventType, ListAnswer } from "./types.ts";

export interface EventListOptions extends PageOptions {
  readonly type?: EventType;
}

export interface Events {
  list(options?: EventListOptions): Promise<Answer<ListAnswer<AccountEvent>>>;
  /** Events as they happen, each once and in order, until the signal ends it. Throws what trying again cannot mend. */
  stream(options?: StreamOptions): AsyncGenerator<AccountEvent, void, void>;
}

/** Before every event. */
const LOG_START = "0-0";

export function eventsOf(order: ClientOrder): Events {
  const list: Events["list"] = ({ signal, type, ...page } = {}) =>
    ask(order, {
      ...(signal && { signal }),
      method: "GET",
      path: "/v1/Events",
      query: { ...pageQuery(page), Type: type },
    });
  const lastId = async (signal: AbortSignal | undefined) => {
    const { data } = await list({ pageSize: 1, ...(signal && { signal }) });
    return data.items[0]?.id ?? LOG_START;
  };
  return { list, stream: (options = {}) => streamEvents(order, options, lastId) };
}
