// The front door of numbers, also for the other folders of the domain.

export * from "./activate-numbers.ts";
export * from "./inventory.ts";
export * from "./manage-phone.ts";
export * from "./opt-outs.ts";
export * from "./phone.ts";
export * from "./phone-status.ts";
export * from "./port-phone.ts";
export * from "./ports.ts";
export * from "./settle-numbers.ts";
export * from "./short-code.ts";
