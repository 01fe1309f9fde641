// What was changed in an account by its own tokens and people: who deleted that webhook? Not what it sends and places:
// messages and calls are records themselves.

import type { Optional } from "../base/optional.ts";
import type { Page, PageRequest } from "../base/page.ts";

export interface Change {
  readonly createdOn: Date;
  readonly accountSid: string;
  /** The place of the token, also of the one by which a person signed in. */
  readonly token: number | null;
  /** By a person on a page, not by a program. */
  readonly isPerson: boolean;
  /** The operation's id. */
  readonly operation: string;
  /** What it made, changed or deleted: a sid, a number, a campaign's id. */
  readonly resource: string | null;
  readonly requestId: string;
}

export type ChangeFilters = Optional<{
  readonly operation: string;
  readonly resource: string;
  readonly from: Date;
  readonly to: Date;
}>;

/** Kept for 90 days. */
export interface ChangeLog {
  /** In the transaction of the change. */
  record(change: Change): Promise<void>;
  list(accountSid: string, page: PageRequest, filters: ChangeFilters): Promise<Page<Change>>;
}
