// Messages: sending, what became of them, what was received.

import { type Answer, ask, type CallOptions, type ClientOrder, type WriteOptions } from "./exchange.ts";
import type {
  InboundMessage,
  MessageDryRun,
  MessageOrder,
  MessageStatus,
  MessageTrail,
  OutboundMessage,
} from "./messaging-types.ts";
import { type PageOptions, pageQuery } from "./page.ts";
import type { ListAnswer } from "./types.ts";

export interface InboundMessageListOptions extends PageOptions {
  readonly from?: string;
  readonly to?: string;
  /** ISO 8601. */
  readonly createdOnFrom?: string;
  readonly createdOnTo?: string;
}

export interface MessageListOptions extends InboundMessageListOptions {
  readonly status?: MessageStatus;
  readonly errorCode?: number;
}

export interface Messages {
  /** Answered when the message is stored for good. A refusal's `TandemError` carries `errorCode`. */
  send(message: MessageOrder, options?: WriteOptions): Promise<Answer<OutboundMessage>>;
  /** Says what would happen, every refusal included, and sends nothing. */
  rehearse(message: MessageOrder, options?: CallOptions): Promise<Answer<MessageDryRun>>;
  list(options?: MessageListOptions): Promise<Answer<ListAnswer<OutboundMessage>>>;
  get(sid: string, options?: CallOptions): Promise<Answer<OutboundMessage>>;
  /** Only what is still waiting. */
  cancel(sid: string, options?: WriteOptions): Promise<Answer<OutboundMessage>>;
  /** Everything that was decided and happened, in order. */
  why(sid: string, options?: CallOptions): Promise<Answer<MessageTrail>>;
  readonly inbound: {
    list(options?: InboundMessageListOptions): Promise<Answer<ListAnswer<InboundMessage>>>;
    get(sid: string, options?: CallOptions): Promise<Answer<InboundMessage>>;
  };
}

const OUTBOUND = "/messaging/v1/OutboundMessages";
const INBOUND = "/messaging/v1/InboundMessages";

export function messagesOf(order: ClientOrder): Messages {
  const pathOf = (sid: string) => `${OUTBOUND}/${encodeURIComponent(sid)}`;
  return {
    send: (body, options) => ask(order, { ...options, method: "POST", path: OUTBOUND, body }),
    rehearse: (body, options) =>
      ask(order, { ...options, method: "POST", path: OUTBOUND, body: { ...body, dryRun: true } }),
    list: ({ signal, ...options } = {}) =>
      ask(order, {
        ...(signal && { signal }),
        method: "GET",
        path: OUTBOUND,
        query: { ...filterQuery(options), Status: options.status, ErrorCode: options.errorCode },
      }),
    get: (sid, options) => ask(order, { ...options, method: "GET", path: pathOf(sid) }),
    cancel: (sid, options) => ask(order, { ...options, method: "POST", path: `${pathOf(sid)}/cancel` }),
    why: (sid, options) => ask(order, { ...options, method: "GET", path: `${pathOf(sid)}/why` }),
    inbound: {
      list: ({ signal, ...options } = {}) =>
        ask(order, { ...(signal && { signal }), method: "GET", path: INBOUND, query: filterQuery(options) }),
      get: (sid, options) => ask(order, { ...options, method: "GET", path: `${INBOUND}/${encodeURIComponent(sid)}` }),
    },
  };
}

function filterQuery(options: InboundMessageListOptions) {
  return {
    ...pageQuery(options),
    From: options.from,
    To: options.to,
    CreatedOnFrom: options.createdOnFrom,
    CreatedOnTo: options.createdOnTo,
  };
}
