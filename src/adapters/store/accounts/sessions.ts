// Sessions and tickets, by the digests of what the browser has. Foreign keys end them with their token. Every use of a
// session queries the database, so a session that is ended in one process is ended in all of them immediately.

import {
  type Operator,
  type Session,
  type SessionOwner,
  type SessionStore,
  sessionExpiry,
  type Ticket,
} from "../../../domain/accounts/index.ts";
import type { Queryable } from "../engine/database.ts";
import { first, run } from "../engine/statements.ts";
import { sweep } from "../engine/sweeps.ts";
import { type AccountRow, accountColumns, toAccount } from "./accounts.ts";

/** The expiry is not updated more often than this. */
const WRITTEN_AGAIN_MS = 300_000;
/** Sessions per account or operator token; the oldest are deleted. */
const KEPT_MAX = 100;

interface FoundRow extends AccountRow {
  readonly openedOn: Date;
  readonly expiresOn: Date;
  readonly operator: string | null;
  readonly token: number | null;
  readonly role: Operator["role"] | null;
}

interface FoundSession extends Session {
  readonly openedOn: Date;
}

const FIND = `select ${accountColumns("accounts")}, found.operator, found.token_n as token,
    found.created_at as "openedOn", found.expires_at as "expiresOn",
    (select role from operator_tokens where operator_tokens.name = found.operator) as role
  from (select account_sid, operator, token_n, created_at, expires_at from sessions where digest = $1 and expires_at > $2) found
    left join accounts on accounts.sid = found.account_sid`;

export function sessionStore(db: Queryable): SessionStore {
  const limit = async (column: "account_sid" | "operator", owner: string) => {
    await db.query(
      `delete from sessions where digest = any (array(
         select digest from sessions where ${column} = $1 order by expires_at desc offset ${KEPT_MAX}))`,
      [owner],
    );
  };
  const find = async (digest: Uint8Array, now: Date): Promise<FoundSession | undefined> => {
    const [row] = await db.query<FoundRow>(FIND, [digest, now]);
    const owner = row && ownerOf(row);
    return owner && { owner, token: row.token, openedOn: row.openedOn, expiresOn: row.expiresOn };
  };
  return {
    look: find,
    async use(digest, now) {
      const found = await find(digest, now);
      if (!found) return undefined;
      const { owner, token } = found;
      const expiresOn = sessionExpiry(found.openedOn, now);
      if (expiresOn.getTime() - found.expiresOn.getTime() < WRITTEN_AGAIN_MS) return found;
      await db.query("update sessions set expires_at = $2 where digest = $1 and expires_at < $2", [digest, expiresOn]);
      return { owner, token, expiresOn };
    },
    async openForAccount({ digest, openedOn, expiresOn }, accountSid, tokenDigest) {
      const [row] = await db.query<{ token: number }>(
        `with used as (
           update account_tokens set last_used_at = $5 where account_sid = $2 and digest = $3 returning account_sid, n
         )
         insert into sessions (digest, account_sid, token_n, expires_at, created_at)
         select $1, account_sid, n, $4, $5 from used returning token_n as token`,
        [digest, accountSid, tokenDigest, expiresOn, openedOn],
      );
      await limit("account_sid", accountSid);
      return row?.token;
    },
    async openForOperator({ digest, openedOn, expiresOn }, name) {
      await db.query("insert into sessions (digest, operator, expires_at, created_at) values ($1, $2, $3, $4)", [
        digest,
        name,
        expiresOn,
        openedOn,
      ]);
      await limit("operator", name);
    },
    end: (digest) => run(db, "delete from sessions where digest = $1", [digest]),
    async endAllOf(owner) {
      const [column, name] = owner.kind === "account" ? ["account_sid", owner.account.sid] : ["operator", owner.name];
      await db.query(`delete from sessions where ${column} = $1`, [name]);
    },
    addTicket: ({ digest, expiresOn }, accountSid, tokenDigest) =>
      run(
        db,
        `insert into sign_in_tickets (digest, account_sid, token_n, expires_at)
         select $1, account_sid, n, $4 from account_tokens where account_sid = $2 and account_tokens.digest = $3`,
        [digest, accountSid, tokenDigest, expiresOn],
      ),
    takeTicket: (digest, now) =>
      first<Ticket>(
        db,
        `delete from sign_in_tickets ticket using account_tokens token
         where ticket.digest = $1 and ticket.expires_at > $2
           and token.account_sid = ticket.account_sid and token.n = ticket.token_n
         returning token.account_sid as "accountSid", token.digest as "tokenDigest"`,
        [digest, now],
      ),
  };
}

function ownerOf({
  openedOn: _opened,
  expiresOn: _expires,
  operator,
  token: _token,
  role,
  ...row
}: FoundRow): SessionOwner | undefined {
  if (operator !== null && role !== null) return { kind: "operator", name: operator, role };
  return row.status === "Active" ? { kind: "account", account: toAccount(row) } : undefined;
}

export async function sweepSessions(db: Queryable, now: Date): Promise<void> {
  await sweep(db, "sessions", "expires_at <= $1", [now]);
  await sweep(db, "sign_in_tickets", "expires_at <= $1", [now]);
}
