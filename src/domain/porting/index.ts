// The front door of porting.

export { answerPort } from "./answer-port.ts";
export { cancellableNumbers, cancelPort } from "./cancel-port.ts";
export { checkPortLetter, checkPortOrder, PORT_PHONES_MAX, type ReadPort } from "./check-order.ts";
export { type Portability, portabilityOf } from "./check-portability.ts";
export { findOwnOrder } from "./find-own-order.ts";
export { applyPortUpdates, type FollowDeps, followPorts, LEASE_MS } from "./follow-ports.ts";
export { movePort, type OperatorAction } from "./move-port.ts";
export { orderPort } from "./order-port.ts";
export {
  focOf,
  isOpen,
  mayBecome,
  PORT_NUMBER_STATUSES,
  PORT_ORDER_STATUSES,
  type PortDetails,
  type PortOrder,
  type PortOrderNumber,
  reasonOfNumber,
  reasonOfOrder,
  SUBSCRIBER_TYPES,
} from "./port-order.ts";
export { PORT_REASON_CODES, PORT_REASONS, type PortReason, portReasonOf, reasonText } from "./port-reasons.ts";
export type { PortChange, PortUpdate } from "./port-update.ts";
export type * from "./ports.ts";
