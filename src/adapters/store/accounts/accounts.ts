// Accounts and their tokens. A token is stored as a digest; a token that signs is also stored sealed.

import { parseNumber } from "../../../../rules/numbers/parse-number.ts";
import type { Account, AccountStore, TokenSlot } from "../../../domain/accounts/index.ts";
import type { SecretBox } from "../../secrets.ts";
import { table } from "../engine/columns.ts";
import type { Queryable } from "../engine/database.ts";
import { fetchPage } from "../engine/pages.ts";
import { run } from "../engine/statements.ts";
import { makeTurnOf } from "./retention-turns.ts";

const ACCOUNTS = table<Account>("accounts", {
  sid: "sid",
  name: "name",
  status: "status",
  suspendedReason: "suspended_reason",
  features: "features text[]",
  limitChanges: "limit_changes jsonb",
  allowedCountries: "allowed_countries text[]",
  country: "country",
  defaultCallerId: "default_caller_id",
  handlesKeywords: "handles_keywords boolean",
  messageDays: "message_days integer",
  callDays: "call_days integer",
  eventDays: "event_days integer",
  createdOn: "created_at timestamptz",
});

/** An account as it is stored, with the number that determines its country where the operator has set none. */
export interface AccountRow extends Account {
  /** The oldest number of the account in E.164; for a short code its country instead. */
  readonly oldest: string | null;
}

/** SQL: `oldest` of the account that the statement knows by this name. */
export function oldestOf(name: string): string {
  return `(select coalesce(stock.country, owned.number)
    from phones as owned left join inventory_numbers as stock on stock.number = owned.number
    where owned.account_sid = ${name}.sid and owned.status <> 'Removed' order by owned.id limit 1)`;
}

/** SQL: the columns of accounts that the statement knows by this name; `toAccount` reads them. */
export function accountColumns(name: string): string {
  return `${ACCOUNTS.columnsOf(name)}, ${oldestOf(name)} as oldest`;
}

export function toAccount({ oldest, ...account }: AccountRow): Account {
  return account.country === null ? { ...account, country: countryOf(oldest) } : account;
}

/** The country of an account, derived from its oldest number. */
export function countryOf(oldest: AccountRow["oldest"]): string | null {
  if (!oldest?.startsWith("+")) return oldest;
  const parsed = parseNumber(oldest);
  return parsed.ok ? (parsed.value.country ?? null) : null;
}

const SELECTED = { columns: accountColumns("accounts"), from: "accounts" };

/** `changed` is called with every account whose credentials or rights may have changed. */
export function accountStore(db: Queryable, box: SecretBox, changed: (sid: string) => Promise<void>): AccountStore {
  const findBy = async (suffix: string, sid: string) => {
    const [row] = await db.query<AccountRow>(`select ${SELECTED.columns} from accounts where sid = $1 ${suffix}`, [
      sid,
    ]);
    return row && toAccount(row);
  };
  return {
    async insert(account) {
      await db.query(ACCOUNTS.insert, [ACCOUNTS.rows([account])]);
      await changed(account.sid);
    },
    find: (sid) => findBy("", sid),
    findLocked: (sid) => findBy("for update", sid),
    async list(page) {
      const found = await fetchPage<AccountRow>(db, page, { of: SELECTED, key: ["sid"] });
      return { ...found, items: found.items.map(toAccount) };
    },
    async change(sid, change) {
      const { sets, values } = ACCOUNTS.set(change, 2);
      if (sets.length === 0) return;
      await db.query(`update accounts set ${sets.join(", ")} where sid = $1`, [sid, ...values]);
      if (typeof (change.messageDays ?? change.callDays ?? change.eventDays) === "number") await makeTurnOf(db, sid);
      await changed(sid);
    },
    tokens: (sid) =>
      db.query<TokenSlot>(
        `select n, created_at as "createdOn", last_used_at as "lastUsedOn", sealed is not null as signs, is_promoted as "isPromoted",
           tool_writes as "toolWrites" from account_tokens where account_sid = $1 order by n`,
        [sid],
      ),
    async addToken(sid, { n, digest, signingText, toolWrites, createdOn }) {
      await db.query(
        `insert into account_tokens (account_sid, n, digest, sealed, tool_writes, created_at)
         values ($1, $2, $3, $4, $5, $6)`,
        [sid, n, digest, signingText === null ? null : box.seal(signingText), toolWrites, createdOn],
      );
      await changed(sid);
    },
    keepSigningText: (sid, { text, digest }) =>
      run(db, "update account_tokens set sealed = $3 where account_sid = $1 and digest = $2", [
        sid,
        digest,
        box.seal(text),
      ]),
    promoteToken: (sid, n) =>
      run(db, "update account_tokens set is_promoted = (n = $2) where account_sid = $1", [sid, n]),
    async removeToken(sid, n) {
      const rows = await db.query("delete from account_tokens where account_sid = $1 and n = $2 returning n", [sid, n]);
      await changed(sid);
      return rows.length > 0;
    },
  };
}

/** A token that has signed in. */
export interface UsedToken {
  readonly accountSid: string;
  readonly digest: Uint8Array;
}

export function noteUsedTokens(db: Queryable, used: readonly UsedToken[], now: Date): Promise<void> {
  return run(
    db,
    `update account_tokens as token set last_used_at = greatest(last_used_at, $3)
       from unnest($1::text[], $2::text[]) as used (account_sid, digest)
      where token.account_sid = used.account_sid and token.digest = decode(used.digest, 'hex')`,
    [used.map(({ accountSid }) => accountSid), used.map(({ digest }) => Buffer.from(digest).toString("hex")), now],
  );
}
