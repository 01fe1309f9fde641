// An operator's override for a number: for ported numbers that the table does not know, and text-enabled landlines.

import type { Page, PageRequest } from "../../base/page.ts";
import type { NumberInfo } from "./number-info.ts";

export interface LookupOverride extends NumberInfo {
  readonly note: string | null;
  readonly updatedOn: Date;
}

export interface OverrideStore {
  put(override: LookupOverride): Promise<void>;
  find(number: string): Promise<LookupOverride | undefined>;
  list(page: PageRequest): Promise<Page<LookupOverride>>;
  remove(number: string): Promise<boolean>;
}
