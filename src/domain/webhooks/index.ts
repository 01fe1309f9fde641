// The front door of webhooks.

export * from "./ask-document.ts";
export * from "./ask-webhook.ts";
export * from "./dispatcher.ts";
export * from "./exchange-sample.ts";
export * from "./manage-subscription.ts";
export * from "./ordered-queue.ts";
export * from "./payload.ts";
export * from "./ports.ts";
export * from "./resource-order.ts";
export * from "./retry.ts";
export * from "./subscription.ts";
export * from "./try-delivery.ts";
export * from "./worker-slots.ts";
