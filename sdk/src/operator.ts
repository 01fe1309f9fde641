// A client for the operator of the service.

import { type OwnedEvents, ownedEventsOf } from "./events.ts";
import type { ClientOrder, SessionClientOrder, TokenClientOrder } from "./exchange.ts";
import { type AccountView, accountViewOf, type OperatorMethods, operatorMethodsOf } from "./methods.generated.ts";

/** `token`: an operator token. */
export type OperatorOrder = Omit<TokenClientOrder, "accountSid"> | SessionClientOrder;

export interface OperatorClient extends OperatorMethods {
  /** An account as it sees itself. */
  account(sid: string): AccountView;
  readonly events: OwnedEvents;
}

export function createOperatorClient(operator: OperatorOrder): OperatorClient {
  const order: ClientOrder = operator.session ? operator : { ...operator, accountSid: "operator" };
  const plain = operatorMethodsOf(order);
  return {
    ...plain,
    account: (sid) => accountViewOf(order, sid),
    events: ownedEventsOf(order, plain.events),
  };
}
