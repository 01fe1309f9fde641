import type {
  Feature,
  FeatureRequest,
  FeatureRequestStatus,
  FeatureRequestStore,
} from "../../../domain/accounts/index.ts";
import type { Queryable } from "../engine/database.ts";
import { fetchPage } from "../engine/pages.ts";

interface Row {
  readonly sid: string;
  readonly account_sid: string;
  readonly feature: Feature;
  readonly status: FeatureRequestStatus;
  readonly created_at: Date;
  readonly decided_at: Date | null;
}

const SELECT = "select sid, account_sid, feature, status, created_at, decided_at from feature_requests";

const toRequest = (row: Row): FeatureRequest => ({
  sid: row.sid,
  accountSid: row.account_sid,
  feature: row.feature,
  status: row.status,
  createdOn: row.created_at,
  decidedOn: row.decided_at,
});

export function featureRequestStore(db: Queryable): FeatureRequestStore {
  return {
    async insert(request) {
      await db.query(
        "insert into feature_requests (sid, account_sid, feature, status, created_at) values ($1, $2, $3, $4, $5)",
        [request.sid, request.accountSid, request.feature, request.status, request.createdOn],
      );
    },
    async find(sid) {
      const [row] = await db.query<Row>(`${SELECT} where sid = $1`, [sid]);
      return row && toRequest(row);
    },
    async findOpen(accountSid, feature) {
      const [row] = await db.query<Row>(`${SELECT} where account_sid = $1 and feature = $2 and status = 'Open'`, [
        accountSid,
        feature,
      ]);
      return row && toRequest(row);
    },
    list: (page, status) =>
      fetchPage(db, page, {
        select: SELECT,
        where: { status },
        key: "sid",
        show: toRequest,
      }),
    async decide(sid, status, now) {
      const rows = await db.query(
        "update feature_requests set status = $2, decided_at = $3 where sid = $1 and status = 'Open' returning sid",
        [sid, status, now],
      );
      return rows.length > 0;
    },
  };
}
