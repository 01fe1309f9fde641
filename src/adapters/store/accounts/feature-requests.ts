// Accounts' requests for features, which an operator decides.

import type { FeatureRequest, FeatureRequestStore } from "../../../domain/accounts/index.ts";
import { table } from "../engine/columns.ts";
import type { Queryable } from "../engine/database.ts";
import { fetchPage } from "../engine/pages.ts";
import { first, hasRow, run } from "../engine/statements.ts";

const REQUESTS = table<FeatureRequest>("feature_requests", {
  sid: "sid",
  accountSid: "account_sid",
  feature: "feature",
  status: "status",
  createdOn: "created_at timestamptz",
  decidedOn: "decided_at timestamptz",
});

export function featureRequestStore(db: Queryable): FeatureRequestStore {
  return {
    insert: (request) => run(db, REQUESTS.insert, [REQUESTS.rows([request])]),
    find: (sid) => first<FeatureRequest>(db, `${REQUESTS.select} where sid = $1`, [sid]),
    findOpen: (accountSid, feature) =>
      first<FeatureRequest>(db, `${REQUESTS.select} where account_sid = $1 and feature = $2 and status = 'Open'`, [
        accountSid,
        feature,
      ]),
    list: (page, status) => fetchPage(db, page, { of: REQUESTS, filter: { status }, key: ["sid"] }),
    decide: (sid, status, now) =>
      hasRow(
        db,
        "update feature_requests set status = $2, decided_at = $3 where sid = $1 and status = 'Open' returning sid",
        [sid, status, now],
      ),
  };
}
