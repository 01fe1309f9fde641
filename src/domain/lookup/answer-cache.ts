// A bounded in-memory cache (LRU) of live answers. It serves while the store has not yet written an answer, and while
// the store fails.

import type { LookupAnswer } from "./number-info.ts";

export interface CachedAnswer {
  readonly answer: LookupAnswer;
  readonly expiresAt: Date;
}

export interface AnswerCache {
  find(number: string): CachedAnswer | undefined;
  keep(entry: CachedAnswer): void;
  forget(number: string): void;
  readonly size: number;
}

export function newAnswerCache(entriesMax: number): AnswerCache {
  // A Map keeps the order of insertion: the first key is the least recently used.
  const entries = new Map<string, CachedAnswer>();
  return {
    find(number) {
      const entry = entries.get(number);
      if (!entry) return undefined;
      entries.delete(number);
      entries.set(number, entry);
      return entry;
    },
    keep(entry) {
      if (entriesMax < 1) return;
      const { number } = entry.answer.info;
      entries.delete(number);
      entries.set(number, entry);
      if (entries.size <= entriesMax) return;
      const [oldest] = entries.keys();
      if (oldest !== undefined) entries.delete(oldest);
    },
    forget(number) {
      entries.delete(number);
    },
    get size() {
      return entries.size;
    },
  };
}
