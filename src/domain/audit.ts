// The log of every action of an operator, written in the transaction of the action.

import type { Page, PageRequest } from "../base/page.ts";

export interface AuditEntry {
  readonly id: string;
  readonly at: Date;
  /** The name of the operator token. */
  readonly operator: string;
  readonly action: string;
  /** What the action changed: an account sid, a number, a token's name. */
  readonly subject: string | null;
  readonly details: unknown;
  readonly requestId: string;
}

export interface AuditLog {
  record(entry: Omit<AuditEntry, "id">): Promise<void>;
  list(
    page: PageRequest,
    filters: { operator?: string | undefined; subject?: string | undefined },
  ): Promise<Page<AuditEntry>>;
}
