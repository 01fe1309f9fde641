// The front door of accounts.

export * from "./account.ts";
export * from "./create-account.ts";
export * from "./features.ts";
export * from "./ports.ts";
export * from "./saved-views.ts";
export * from "./sessions.ts";
export * from "./support-links.ts";
export * from "./suspension.ts";
export * from "./tokens.ts";
