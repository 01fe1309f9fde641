// The front door of the lookup.

export { type AnswerCache, type CachedAnswer, newAnswerCache } from "./answer-cache.ts";
export { type NumberRefusal, type ParsedNumber, parseNumber } from "./classify-number.ts";
export {
  type GuardedFinding,
  type GuardedProvider,
  type GuardOptions,
  guardProvider,
  type Unavailable,
} from "./guarded-provider.ts";
export { type LookupDeps, type LookupFault, lookUpNumber } from "./look-up-number.ts";
export { type BatchItem, lookUpNumbers } from "./look-up-numbers.ts";
export {
  LOOKUP_SOURCES,
  type LookupAnswer,
  type LookupSource,
  MESSAGING_STATUSES,
  type MessagingStatus,
  type NumberInfo,
  PHONE_TYPES,
  type PhoneType,
} from "./number-info.ts";
export { type NumberingLayer, type OpenNumberingTable, openNumberingTable } from "./numbering-table.ts";
export type {
  BlockHolder,
  KnownAnswer,
  KnownAnswers,
  LiveFinding,
  LiveProvider,
  NumberingTable,
} from "./ports.ts";
