// The operator's inventory: numbers that accounts may take.

import type { Page, PageRequest } from "../../base/page.ts";

export const NUMBER_FEATURES = ["SMS", "MMS", "VOICE"] as const;
export type NumberFeature = (typeof NUMBER_FEATURES)[number];

export interface InventoryNumber {
  /** E.164 with the leading plus, or the digits of a short code. */
  readonly number: string;
  /** Two-letter country of a short code; null for all other numbers, whose digits show it. */
  readonly country: string | null;
  readonly features: readonly NumberFeature[];
  readonly createdOn: Date;
}

export interface AvailableFilter {
  /** The three digits after +1. */
  readonly areaCode?: string | undefined;
  readonly contains?: string | undefined;
  readonly quantity: number;
}

export interface InventoryStore {
  /** Returns the numbers that were added; those already in the inventory stay unchanged. */
  add(numbers: readonly InventoryNumber[]): Promise<readonly string[]>;
  list(page: PageRequest): Promise<Page<InventoryNumber>>;
  /** Numbers that serve no account, in order. */
  available(filter: AvailableFilter): Promise<readonly InventoryNumber[]>;
  /** Locks the number in the inventory until the transaction ends. */
  findLocked(number: string): Promise<InventoryNumber | undefined>;
  /** Does not remove a number that serves an account. */
  remove(number: string): Promise<"removed" | "unknown" | "serving">;
}
