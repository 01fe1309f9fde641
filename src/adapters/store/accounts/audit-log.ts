import type { AuditEntry, AuditLog } from "../../../domain/audit.ts";
import type { Queryable } from "../engine/database.ts";
import { fetchPage } from "../engine/pages.ts";

interface Row {
  readonly id: string;
  readonly at: Date;
  readonly operator: string;
  readonly action: string;
  readonly subject: string | null;
  readonly details: unknown;
  readonly request_id: string;
}

export function auditLog(db: Queryable): AuditLog {
  return {
    async record(entry) {
      await db.query(
        "insert into audit_log (at, operator, action, subject, details, request_id) values ($1, $2, $3, $4, $5, $6)",
        [entry.at, entry.operator, entry.action, entry.subject, JSON.stringify(entry.details), entry.requestId],
      );
    },
    list: (page, filters) =>
      fetchPage(db, page, {
        select: "select id, at, operator, action, subject, details, request_id from audit_log",
        where: { operator: filters.operator, subject: filters.subject },
        key: "id",
        keyType: "bigint",
        show: ({ request_id, ...row }: Row): AuditEntry => ({ ...row, requestId: request_id }),
      }),
  };
}
