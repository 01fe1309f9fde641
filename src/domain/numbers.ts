// The operator's inventory: numbers that are ours to give out.

import type { Page, PageRequest } from "../base/page.ts";

export const NUMBER_FEATURES = ["SMS", "MMS", "VOICE"] as const;
export type NumberFeature = (typeof NUMBER_FEATURES)[number];

export interface InventoryNumber {
  /** E.164 with the leading plus. */
  readonly number: string;
  readonly features: readonly NumberFeature[];
  readonly createdOn: Date;
}

export interface InventoryStore {
  /** Answers the numbers that are new; those already here stay as they are. */
  add(numbers: readonly InventoryNumber[]): Promise<readonly string[]>;
  find(number: string): Promise<InventoryNumber | undefined>;
  list(page: PageRequest): Promise<Page<InventoryNumber>>;
  remove(number: string): Promise<boolean>;
}
