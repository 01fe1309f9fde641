// The simulated outside world, and telephones for people in it.

import type { ClientOrder } from "./exchange.ts";
import type { PlainSandbox } from "./methods.generated.ts";

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
