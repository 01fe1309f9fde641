// Refused requests, kept for a week.

import type { RefusedRequest, RefusedRequestStore } from "../../../domain/refused-requests.ts";
import { table } from "../engine/columns.ts";
import type { Queryable } from "../engine/database.ts";
import { fetchPage } from "../engine/pages.ts";
import { run } from "../engine/statements.ts";
import { cutoff, sweep } from "../engine/sweeps.ts";

const KEPT_MS = 7 * 24 * 3_600_000;
/** Callers may give many requests the same id: at most this many are returned. */
const FOUND_MAX = 50;

const REQUESTS = table<RefusedRequest>("refused_requests", {
  createdOn: "created_at timestamptz",
  accountSid: "account_sid",
  operation: "operation",
  status: "status integer",
  code: "code",
  fault: "fault",
  traceId: "trace_id",
  requestId: "request_id",
});

export function refusedRequestStore(db: Queryable): RefusedRequestStore {
  return {
    keep: (requests) => run(db, REQUESTS.insert, [REQUESTS.rows(requests)]),
    list: (page, { accountSid, requestId, traceId, status, from, to }) =>
      fetchPage(db, page, {
        of: REQUESTS,
        sources: [
          {
            where: { account_sid: accountSid },
            ...(requestId !== undefined && { few: { request_id: requestId } }),
            ...(traceId !== undefined && { few: { trace_id: traceId } }),
          },
        ],
        filter: { request_id: requestId, status, "created_at >=": from, "created_at <=": to },
        key: ["id bigint"],
      }),
    find: (id, accountSid) =>
      db.query<RefusedRequest>(
        `${REQUESTS.select} where (request_id = $1 or trace_id = $1) and ($2::text is null or account_sid = $2)
          order by id desc limit ${FOUND_MAX}`,
        [id, accountSid ?? null],
      ),
  };
}

export function sweepRefusedRequests(db: Queryable, now: Date): Promise<number> {
  return sweep(db, "refused_requests", "created_at < $1", [cutoff(now, KEPT_MS)]);
}
