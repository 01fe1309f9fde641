// SMPP 3.4, 2.3: which requests each side may send, by its role and by the kind of bind.

import type { BindCommand } from "./pdu.ts";
import type { SessionRequest, SessionState } from "./session-state.ts";

const SENDS: Readonly<
  Record<SessionState["role"], Readonly<Record<BindCommand, readonly SessionRequest["command"][]>>>
> = {
  esme: {
    bind_transmitter: ["submit_sm", "data_sm", "query_sm", "cancel_sm"],
    bind_transceiver: ["submit_sm", "data_sm", "query_sm", "cancel_sm"],
    bind_receiver: [],
  },
  smsc: {
    bind_transmitter: [],
    bind_transceiver: ["deliver_sm", "data_sm"],
    bind_receiver: ["deliver_sm", "data_sm"],
  },
};

export function maySend({ role, bind }: SessionState, command: SessionRequest["command"]): boolean {
  return bind !== undefined && SENDS[role][bind.command].includes(command);
}

export function mayReceive({ role, bind }: SessionState, command: SessionRequest["command"]): boolean {
  return bind !== undefined && SENDS[role === "esme" ? "smsc" : "esme"][bind.command].includes(command);
}
