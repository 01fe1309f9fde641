// Sending messages: `send` sends, and `rehearse` returns what would happen.

import type { MessageOrder as AnyMessageOrder, MessageDryRun, OutboundMessage } from "./api.generated.ts";
import type { Answer, CallOptions, WriteOptions } from "./exchange.ts";
import type { PlainMessages } from "./methods.generated.ts";

/** Without `dryRun`: that is `rehearse`. */
export type MessageOrder = Omit<AnyMessageOrder, "dryRun">;

export interface Messages extends Omit<PlainMessages, "send" | "rehearse"> {
  /** Resolves after the message is stored durably. The `TandemError` of a refusal has an `errorCode`. */
  send(message: MessageOrder, options?: WriteOptions): Promise<Answer<OutboundMessage>>;
  /** Returns what would happen, every refusal included, and sends nothing. */
  rehearse(message: MessageOrder, options?: CallOptions): Promise<Answer<MessageDryRun>>;
}
