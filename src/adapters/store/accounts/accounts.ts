import type { Account, AccountChange, AccountStore, TokenSlot } from "../../../domain/accounts/index.ts";
import type { Queryable } from "../engine/database.ts";
import { fetchPage } from "../engine/pages.ts";

export interface AccountRow {
  readonly sid: string;
  readonly name: string;
  readonly status: Account["status"];
  readonly features: Account["features"];
  readonly limit_changes: Account["limitChanges"];
  readonly allowed_countries: string[] | null;
  readonly default_caller_id: string | null;
  readonly handles_keywords: boolean;
  readonly created_at: Date;
}

export const ACCOUNT_COLUMNS =
  "sid, name, status, features, limit_changes, allowed_countries, default_caller_id, handles_keywords, accounts.created_at";

export function toAccount(row: AccountRow): Account {
  return {
    sid: row.sid,
    name: row.name,
    status: row.status,
    features: row.features,
    limitChanges: row.limit_changes,
    allowedCountries: row.allowed_countries,
    defaultCallerId: row.default_caller_id,
    handlesKeywords: row.handles_keywords,
    createdOn: row.created_at,
  };
}

const SELECT = `select ${ACCOUNT_COLUMNS} from accounts`;

/** `changed` hears of every account whose credentials or rights may have changed. */
export function accountStore(db: Queryable, changed: (sid: string) => Promise<void>): AccountStore {
  const findBy = async (suffix: string, sid: string) => {
    const [row] = await db.query<AccountRow>(`${SELECT} where sid = $1 ${suffix}`, [sid]);
    return row && toAccount(row);
  };
  return {
    async insert(account) {
      await db.query(
        `insert into accounts (sid, name, status, features, limit_changes, allowed_countries, default_caller_id, handles_keywords,
           created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [
          account.sid,
          account.name,
          account.status,
          account.features,
          JSON.stringify(account.limitChanges),
          account.allowedCountries,
          account.defaultCallerId,
          account.handlesKeywords,
          account.createdOn,
        ],
      );
      await changed(account.sid);
    },
    find: (sid) => findBy("", sid),
    findLocked: (sid) => findBy("for update", sid),
    list: (page) => fetchPage(db, page, { select: SELECT, key: "sid", show: toAccount }),
    async change(sid, change) {
      const { sets, values } = assignments(change);
      if (sets.length === 0) return;
      await db.query(`update accounts set ${sets.join(", ")} where sid = $1`, [sid, ...values]);
      await changed(sid);
    },
    async tokens(sid) {
      const rows = await db.query<{ n: number; created_at: Date }>(
        "select n, created_at from account_tokens where account_sid = $1 order by n",
        [sid],
      );
      return rows.map((row): TokenSlot => ({ n: row.n, createdOn: row.created_at }));
    },
    async addToken(sid, n, digest, now) {
      await db.query("insert into account_tokens (account_sid, n, digest, created_at) values ($1, $2, $3, $4)", [
        sid,
        n,
        digest,
        now,
      ]);
      await changed(sid);
    },
    async removeToken(sid, n) {
      const rows = await db.query("delete from account_tokens where account_sid = $1 and n = $2 returning n", [sid, n]);
      await changed(sid);
      return rows.length > 0;
    },
  };
}

function assignments(change: AccountChange): { sets: string[]; values: unknown[] } {
  const columns: readonly [string, unknown][] = [
    ["name", change.name],
    ["status", change.status],
    ["features", change.features],
    ["limit_changes", change.limitChanges && JSON.stringify(change.limitChanges)],
    ["allowed_countries", change.allowedCountries],
    ["default_caller_id", change.defaultCallerId],
    ["handles_keywords", change.handlesKeywords],
  ];
  const given = columns.filter(([, value]) => value !== undefined);
  return {
    sets: given.map(([column], index) => `${column} = $${index + 2}`),
    values: given.map(([, value]) => value),
  };
}
