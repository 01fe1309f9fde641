// The front door of the lookup.

export { newAnswerCache } from "./answer-cache.ts";
export { parseNumber } from "./classify-number.ts";
export { guardProvider } from "./guarded-provider.ts";
export { type LookupDeps, type LookupFault, lookUpNumber } from "./look-up-number.ts";
export { lookUpNumbers } from "./look-up-numbers.ts";
export {
  type LookupAnswer,
  type LookupSource,
  MESSAGING_STATUSES,
  type MessagingStatus,
  PHONE_TYPES,
  type PhoneType,
} from "./number-info.ts";
export { type OpenNumberingTable, openNumberingTable } from "./numbering-table.ts";
export type { LookupOverride, OverrideStore } from "./override.ts";
export type { KnownAnswer, KnownAnswers, LiveFinding, LiveProvider } from "./ports.ts";
