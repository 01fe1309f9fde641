// The front door of porting.

export * from "./answer-port.ts";
export * from "./cancel-port.ts";
export * from "./check-order.ts";
export * from "./check-portability.ts";
export * from "./find-own-order.ts";
export * from "./follow-ports.ts";
export * from "./move-port.ts";
export * from "./order-port.ts";
export * from "./port-order.ts";
export * from "./port-reasons.ts";
export * from "./port-update.ts";
export * from "./ports.ts";
