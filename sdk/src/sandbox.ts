// The simulated outside world, and its telephones for people.

import type { ClientOrder } from "./exchange.ts";
import type { PlainSandbox } from "./methods.generated.ts";

/** The current state of a telephone, as its WebSocket reports it. */
export interface SandboxPhoneState {
  readonly state: "Idle" | "Ringing" | "Calling" | "Talking";
  /** The other party of the call; while idle, of the last one. */
  readonly number: string | null;
  /** Who ended the last call, while idle. `Refused`: the other party was not reached. */
  readonly ended: "ByPhone" | "ByOther" | "Refused" | null;
  /** The final SIP response to a call that was refused. */
  readonly status: number | null;
}

/** What a person does with a telephone, as sent to its WebSocket. */
export type SandboxPhoneOrder =
  | { readonly do: "answer" | "reject" | "hangUp" }
  | { readonly do: "call"; readonly to: string }
  | { readonly do: "press"; readonly key: string };

export interface Sandbox extends PlainSandbox {
  /** The address of a telephone for a person, for `new WebSocket`. */
  phoneUrl(number: string): string;
}

export function phoneUrlOf(order: ClientOrder): Sandbox["phoneUrl"] {
  return (number) => {
    const server = order.baseUrl.replace(/^http/i, "ws").replace(/\/+$/, "");
    return `${server}/testkit/v1/Phone?Number=${encodeURIComponent(number)}`;
  };
}
