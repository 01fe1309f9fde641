// The front door of messaging.

export * from "./deferral.ts";
export * from "./error-codes.ts";
export * from "./judge-sending.ts";
export * from "./keywords.ts";
export * from "./message.ts";
export * from "./message-order.ts";
export * from "./ports.ts";
export * from "./receipt.ts";
export * from "./receive-message.ts";
export * from "./receive-mms.ts";
export * from "./receive-parts.ts";
export * from "./redact-message.ts";
export * from "./remove-media.ts";
export * from "./routing.ts";
export * from "./send-flow.ts";
export * from "./send-message.ts";
export * from "./send-replies.ts";
export * from "./sender.ts";
export * from "./sending-terms.ts";
export * from "./sending-times.ts";
export * from "./shown-pdus.ts";
export * from "./summarise-message.ts";
export * from "./switched-link.ts";
export * from "./unstored-answers.ts";
