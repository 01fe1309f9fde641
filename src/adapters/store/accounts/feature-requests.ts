// Accounts' requests for features, which an operator decides.

import type { FeatureRequest, FeatureRequestStore } from "../../../domain/accounts/index.ts";
import { table } from "../engine/columns.ts";
import type { Queryable } from "../engine/database.ts";
import { fetchPage } from "../engine/pages.ts";

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
    async insert(request) {
      await db.query(REQUESTS.insert, [REQUESTS.rows([request])]);
    },
    async find(sid) {
      const [request] = await db.query<FeatureRequest>(`${REQUESTS.select} where sid = $1`, [sid]);
      return request;
    },
    async findOpen(accountSid, feature) {
      const [request] = await db.query<FeatureRequest>(
        `${REQUESTS.select} where account_sid = $1 and feature = $2 and status = 'Open'`,
        [accountSid, feature],
      );
      return request;
    },
    list: (page, status) => fetchPage(db, page, { of: REQUESTS, where: { status }, key: ["sid"] }),
    async decide(sid, status, now) {
      const rows = await db.query(
        "update feature_requests set status = $2, decided_at = $3 where sid = $1 and status = 'Open' returning sid",
        [sid, status, now],
      );
      return rows.length > 0;
    },
  };
}
