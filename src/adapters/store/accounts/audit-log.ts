// The audit log of operators' actions, in order.

import type { AuditEntry, AuditLog } from "../../../domain/audit.ts";
import { table } from "../engine/columns.ts";
import type { Queryable } from "../engine/database.ts";
import { fetchPage } from "../engine/pages.ts";
import { run } from "../engine/statements.ts";

const ENTRIES = table<Omit<AuditEntry, "id">>("audit_log", {
  at: "at timestamptz",
  operator: "operator",
  action: "action",
  subject: "subject",
  details: "details jsonb",
  requestId: "request_id",
});

export function auditLog(db: Queryable): AuditLog {
  return {
    record: (entry) => run(db, ENTRIES.insert, [ENTRIES.rows([entry])]),
    list: (page, { operator, subject }) =>
      fetchPage(db, page, {
        of: { columns: `id, ${ENTRIES.columns}`, from: "audit_log" },
        where: { subject },
        filter: { operator },
        key: ["id bigint"],
      }),
  };
}
