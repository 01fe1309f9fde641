export * from "./answer-exception.ts";
export * from "./cancel-port.ts";
export * from "./check-order.ts";
export * from "./operator-hand.ts";
export * from "./port-news.ts";
export * from "./port-order.ts";
export * from "./port-reasons.ts";
export * from "./ports.ts";
