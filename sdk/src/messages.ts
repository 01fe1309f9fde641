// Messages: sending them, their state and history, and those received.

import type {
  MessageOrder as AnyMessageOrder,
  InboundMessage,
  ListInboundMessagesQuery,
  ListOutboundMessagesQuery,
  MessageDryRun,
  MessageTrail,
  OutboundMessage,
} from "./api.generated.ts";
import { type Answer, ask, type CallOptions, type ClientOrder, type WriteOptions } from "./exchange.ts";
import { type Listing, listing } from "./page.ts";

/** Without `dryRun`: that is `rehearse`. */
export type MessageOrder = Omit<AnyMessageOrder, "dryRun">;
export type InboundMessageListOptions = ListInboundMessagesQuery & CallOptions;
export type MessageListOptions = ListOutboundMessagesQuery & CallOptions;

export interface Messages {
  /** Answered after the message is stored durably. The `TandemError` of a refusal has an `errorCode`. */
  send(message: MessageOrder, options?: WriteOptions): Promise<Answer<OutboundMessage>>;
  /** Says what would happen, every refusal included, and sends nothing. */
  rehearse(message: MessageOrder, options?: CallOptions): Promise<Answer<MessageDryRun>>;
  list(options?: MessageListOptions): Listing<OutboundMessage>;
  get(sid: string, options?: CallOptions): Promise<Answer<OutboundMessage>>;
  /** Only a message that is still waiting can be cancelled. */
  cancel(sid: string, options?: WriteOptions): Promise<Answer<OutboundMessage>>;
  /** Everything that was decided and happened, in order. */
  why(sid: string, options?: CallOptions): Promise<Answer<MessageTrail>>;
  readonly inbound: {
    list(options?: InboundMessageListOptions): Listing<InboundMessage>;
    get(sid: string, options?: CallOptions): Promise<Answer<InboundMessage>>;
  };
}

export function messagesOf(order: ClientOrder): Messages {
  return {
    send: (body, options) => ask(order, "POST /messaging/v1/OutboundMessages", { ...options, body }),
    rehearse: (body, options) =>
      ask(order, "POST /messaging/v1/OutboundMessages/dryRun", { changesNothing: true, ...options, body }),
    list: ({ signal, ...query } = {}) => listing(order, "GET /messaging/v1/OutboundMessages", { signal, query }),
    get: (sid, options) => ask(order, "GET /messaging/v1/OutboundMessages/{sid}", { ...options, params: { sid } }),
    cancel: (sid, options) =>
      ask(order, "POST /messaging/v1/OutboundMessages/{sid}/cancel", { ...options, params: { sid } }),
    why: (sid, options) => ask(order, "GET /messaging/v1/OutboundMessages/{sid}/why", { ...options, params: { sid } }),
    inbound: {
      list: ({ signal, ...query } = {}) => listing(order, "GET /messaging/v1/InboundMessages", { signal, query }),
      get: (sid, options) => ask(order, "GET /messaging/v1/InboundMessages/{sid}", { ...options, params: { sid } }),
    },
  };
}
