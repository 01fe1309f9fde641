// The front door of the lookup.

export { callingCodeOf } from "../../../rules/numbers/numbering-plan.ts";
export { type ParsedNumber, parseNumber } from "../../../rules/numbers/parse-number.ts";
export * from "./answer-cache.ts";
export * from "./guarded-provider.ts";
export * from "./look-up-number.ts";
export * from "./look-up-numbers.ts";
export * from "./national-format.ts";
export * from "./number-details.ts";
export * from "./number-info.ts";
export * from "./numbering-table.ts";
export * from "./override.ts";
export * from "./ports.ts";
