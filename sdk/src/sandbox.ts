// Makes things happen in the simulated outside world. A server without a sandbox answers 404.

import type {
  Emulated,
  EmulatedCampaignMigration,
  EmulatedInboundCall,
  EmulatedInboundMessage,
  EmulatedMessageStatus,
  EmulatedPort,
} from "./api.generated.ts";
import { type Answer, ask, type ClientOrder, type WriteOptions } from "./exchange.ts";

/** What a telephone does just now, as its WebSocket tells. */
export interface SandboxPhoneState {
  readonly state: "Idle" | "Ringing" | "Calling" | "Talking";
  /** The other party of the call; of the last one while it is idle. */
  readonly number: string | null;
  /** Who ended the last call, while it is idle. `Refused`: nobody was reached. */
  readonly ended: "ByPhone" | "ByOther" | "Refused" | null;
  /** The final SIP response to a call that was refused. */
  readonly status: number | null;
}

/** What a person does with a telephone, as its WebSocket takes it. */
export type SandboxPhoneOrder =
  | { readonly do: "answer" | "reject" | "hangUp" }
  | { readonly do: "call"; readonly to: string }
  | { readonly do: "press"; readonly key: string };

export interface Sandbox {
  /** A subscriber sends a message to your numbers. Answered when the carrier has handed it over. */
  receiveMessage(message: EmulatedInboundMessage, options?: WriteOptions): Promise<Answer<Emulated>>;
  /** Somebody calls your number. Answered when the call is taken. */
  receiveCall(call: EmulatedInboundCall, options?: WriteOptions): Promise<Answer<Emulated>>;
  /** The carrier reports a message as delivered or failed. */
  settleMessage(status: EmulatedMessageStatus, options?: WriteOptions): Promise<Answer<Emulated>>;
  /** The losing carrier decides on a port order. */
  decidePort(port: EmulatedPort, options?: WriteOptions): Promise<Answer<Emulated>>;
  /** The owner of a campaign migrates it to us, and to your account. */
  migrateCampaign(migration: EmulatedCampaignMigration, options?: WriteOptions): Promise<Answer<Emulated>>;
  /** The address of a telephone for a person, for `new WebSocket`. */
  phoneUrl(number: string): string;
}

export function sandboxOf(order: ClientOrder): Sandbox {
  return {
    receiveMessage: (body, options) => ask(order, "POST /testkit/v1/Emulate/inbound-message", { ...options, body }),
    receiveCall: (body, options) => ask(order, "POST /testkit/v1/Emulate/inbound-call", { ...options, body }),
    settleMessage: (body, options) =>
      ask(order, "POST /testkit/v1/Emulate/outbound-message-status", { ...options, body }),
    decidePort: (body, options) => ask(order, "POST /testkit/v1/Emulate/port", { ...options, body }),
    migrateCampaign: (body, options) => ask(order, "POST /testkit/v1/Emulate/campaign-migration", { ...options, body }),
    phoneUrl: (number) => {
      const server = order.baseUrl.replace(/^http/i, "ws").replace(/\/+$/, "");
      return `${server}/testkit/v1/Phone?Number=${encodeURIComponent(number)}`;
    },
  };
}
