// What accounts changed, for 90 days.

import type { Change, ChangeLog } from "../../../domain/changes.ts";
import { table } from "../engine/columns.ts";
import type { Queryable } from "../engine/database.ts";
import { fetchPage } from "../engine/pages.ts";
import { run } from "../engine/statements.ts";
import { cutoff, sweep } from "../engine/sweeps.ts";

const KEPT_MS = 90 * 24 * 3_600_000;

const CHANGES = table<Change>("account_changes", {
  createdOn: "created_at timestamptz",
  accountSid: "account_sid",
  token: "token smallint",
  isPerson: "is_person boolean",
  operation: "operation",
  resource: "resource",
  requestId: "request_id",
});

export function changeLog(db: Queryable): ChangeLog {
  return {
    record: (change) => run(db, CHANGES.insert, [CHANGES.rows([change])]),
    list: (accountSid, page, { operation, resource, from, to }) =>
      fetchPage(db, page, {
        of: CHANGES,
        where: { account_sid: accountSid },
        filter: { operation, resource, "created_at >=": from, "created_at <=": to },
        key: ["id bigint"],
      }),
  };
}

export function sweepChanges(db: Queryable, now: Date): Promise<number> {
  return sweep(db, "account_changes", "created_at < $1", [cutoff(now, KEPT_MS)]);
}
