// The front door of the lookup.

export * from "./answer-cache.ts";
export * from "./classify-number.ts";
export * from "./guarded-provider.ts";
export * from "./look-up-number.ts";
export * from "./look-up-numbers.ts";
export * from "./national-format.ts";
export * from "./number-details.ts";
export * from "./number-info.ts";
export * from "./numbering-table.ts";
export * from "./override.ts";
export * from "./ports.ts";
