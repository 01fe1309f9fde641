// The front door of the client.

export type { RateLimit } from "./answer-headers.ts";
export {
  type Answer,
  type BatchOptions,
  type CallOptions,
  type ClientOrder,
  createClient,
  type LookupAnswer,
  type TandemClient,
} from "./client.ts";
export { type NetworkFault, TandemError, TandemNetworkError } from "./errors.ts";
export type {
  FailedLookup,
  Limit,
  Limits,
  LookupBatchAnswer,
  MessagingStatus,
  NumberInformation,
  OwnAccount,
  PhoneType,
  ValidationProblem,
} from "./types.ts";
