// The names of an account's limits, in the order in which they are shown.

import type { Account } from "@tandem/sdk";

export type LimitName = keyof Account["limits"];

export const LIMIT_WORDS: Readonly<Record<LimitName, string>> = {
  lookup: "Lookups",
  lookupBatch: "Lookups in batches",
  send: "Texts",
  sendToRecipient: "Texts to one recipient",
  read: "Other reads",
  session: "Reads by the portal",
  write: "Other changes",
  call: "Calls placed",
  concurrentCalls: "Calls at a time",
  webhooks: "Webhooks",
  weight: "Weight of its share",
};

export const LIMIT_NAMES = Object.keys(LIMIT_WORDS) as readonly LimitName[];
