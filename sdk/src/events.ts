// Events as a stream that reconnects and continues where it broke.

import { type StreamOptions, type StreamSource, streamEvents } from "./event-stream.ts";
import type { ClientOrder } from "./exchange.ts";
import type { PlainEvents, PlainOwnedEvents } from "./methods.generated.ts";
import type { AccountEvent, OwnedAccountEvent } from "./webhook-events.ts";

export interface Events extends PlainEvents {
  /**
   * Events as they happen, each once and in order, until the signal ends the stream. Throws if the first connection
   * fails, or if no retry can help.
   */
  stream(options?: StreamOptions): AsyncGenerator<AccountEvent, void, void>;
}

export interface OwnedEvents extends PlainOwnedEvents {
  /** Events as they happen; a broken connection is resumed where it broke. */
  stream(options?: StreamOptions): AsyncGenerator<OwnedAccountEvent, void, void>;
}

/** The position before the first event. */
const LOG_START = "0-0";

export function eventsOf(order: ClientOrder, plain: PlainEvents): Events {
  return { ...plain, stream: streamOf(order, "GET /v1/Events/stream", plain) };
}

export function ownedEventsOf(order: ClientOrder, plain: PlainOwnedEvents): OwnedEvents {
  const stream = streamOf(order, "GET /operator/v1/Events/stream", plain) as OwnedEvents["stream"];
  return { ...plain, stream };
}

function streamOf(
  order: ClientOrder,
  operation: StreamSource["operation"],
  { list }: PlainEvents | PlainOwnedEvents,
): Events["stream"] {
  const findLastId = async (signal: AbortSignal | undefined) => {
    const { data } = await list({ ...(signal && { signal }), pageSize: 1 });
    return data.items[0]?.id ?? LOG_START;
  };
  return (options = {}) => streamEvents(order, options, { operation, findLastId });
}
