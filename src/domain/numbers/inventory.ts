// The operator's inventory: numbers that are ours to give out.

import type { Page, PageRequest } from "../../base/page.ts";

export const NUMBER_FEATURES = ["SMS", "MMS", "VOICE"] as const;
export type NumberFeature = (typeof NUMBER_FEATURES)[number];

export interface InventoryNumber {
  /** E.164 with the leading plus. */
  readonly number: string;
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
  /** Answers the numbers that are new; those already here stay as they are. */
  add(numbers: readonly InventoryNumber[]): Promise<readonly string[]>;
  list(page: PageRequest): Promise<Page<InventoryNumber>>;
  /** Those that serve no account, in order. */
  available(filter: AvailableFilter): Promise<readonly InventoryNumber[]>;
  /** The number stays in the inventory until the transaction ends. */
  findHeld(number: string): Promise<InventoryNumber | undefined>;
  /** Not while it serves an account. */
  remove(number: string): Promise<"removed" | "unknown" | "serving">;
}
