// All credentials, held in memory: a sign-in costs one digest and no query, and an unknown account takes as long as a
// wrong token. Changes arrive by NOTIFY from every process; while they may be missed (listener.ts), every sign-in is
// checked in the database. A failed sign-in is checked once more in the database, whatever failed, so a token that
// another process made a moment ago works at once. Loads run one after the other, so a late answer never overwrites a
// newer one: a revoked token stays revoked.

import { timingSafeEqual } from "node:crypto";
import { isSid } from "../../../base/ids.ts";
import type { MaybePromise } from "../../../base/maybe-promise.ts";
import type { Account, Operator } from "../../../domain/accounts/index.ts";
import { digestOfToken } from "../../secrets.ts";
import type { Queryable } from "../engine/database.ts";
import { type Gatherer, gather } from "../engine/gather.ts";
import { type AccountRow, accountColumns, toAccount } from "./accounts.ts";

interface Entry {
  readonly account: Account;
  readonly digests: readonly Buffer[];
}

interface EntryRow extends AccountRow {
  readonly digests: Buffer[] | null;
}

/** Compared with where the account is unknown, so that it takes as long. */
const NO_DIGEST = digestOfToken("");

const SELECT = `select ${accountColumns("accounts")}, (select array_agg(digest order by n) from account_tokens where account_sid = sid) as digests
  from accounts`;

/** Used in place of an account's sid. */
const EVERYONE = "everyone";

/** How many tokens are remembered. */
const TOKENS_KEPT_MAX = 1_000;

/** A token that has signed in. It is compared again when the account was read again. */
interface KnownToken {
  readonly digest: Buffer;
  readonly entry: Entry;
}

export class SignInDirectory {
  readonly #db: Queryable;
  readonly #isCurrent: () => boolean;
  /** Tokens that have signed in, because they come again with every request. */
  readonly #tokens = new Map<string, KnownToken>();
  readonly #accountLoads: Gatherer<string, undefined>;
  readonly #operatorLoads: Gatherer<undefined, undefined>;
  #accounts = new Map<string, Entry>();
  #operators: readonly (Operator & { readonly digest: Buffer })[] = [];

  constructor(db: Queryable, isCurrent: () => boolean) {
    this.#db = db;
    this.#isCurrent = isCurrent;
    this.#accountLoads = gather(async (sids) => {
      await (sids.includes(EVERYONE) ? this.#readEveryone() : this.#read(sids));
      return sids.map(() => undefined);
    });
    this.#operatorLoads = gather(async (loads) => {
      this.#operators = await this.#db.query("select name, role, digest from operator_tokens");
      return loads;
    });
  }

  async loadAll(): Promise<void> {
    await this.#accountLoads.ask(EVERYONE);
    await this.loadOperators();
  }

  async loadAccount(sid: string): Promise<void> {
    await this.#accountLoads.ask(sid);
  }

  async loadOperators(): Promise<void> {
    await this.#operatorLoads.ask(undefined);
  }

  async #readEveryone(): Promise<void> {
    const rows = await this.#db.query<EntryRow>(SELECT);
    this.#accounts = new Map(rows.map((row) => [row.sid, toEntry(row)]));
  }

  async #read(sids: readonly string[]): Promise<void> {
    const rows = await this.#db.query<EntryRow>(`${SELECT} where sid = any($1)`, [sids]);
    for (const sid of sids) this.#accounts.delete(sid);
    for (const row of rows) this.#accounts.set(row.sid, toEntry(row));
  }

  /** At once where the token is right and nothing can have been missed. */
  account(sid: string, token: string): MaybePromise<Account | undefined> {
    if (this.#isCurrent()) return this.#accountBy(sid, token);
    return isSid("AC", sid) ? this.loadAccount(sid).then(() => this.#accountBy(sid, token)) : undefined;
  }

  #accountBy(sid: string, token: string): MaybePromise<Account | undefined> {
    const known = this.#tokens.get(token);
    if (known && known.entry === this.#accounts.get(sid)) return known.entry.account;
    if (!isSid("AC", sid)) return undefined;
    const digest = known?.digest ?? digestOfToken(token);
    const entry = this.#match(sid, digest);
    if (!entry) return this.#askForAccount(sid, digest);
    this.#keep(token, { digest, entry });
    return entry.account;
  }

  async #askForAccount(sid: string, digest: Buffer): Promise<Account | undefined> {
    // The same query for an unknown account and for a wrong token.
    const [made] = await this.#db.query("select 1 from account_tokens where account_sid = $1 and digest = $2", [
      sid,
      digest,
    ]);
    if (!made) return undefined;
    await this.loadAccount(sid);
    return this.#match(sid, digest)?.account;
  }

  async operator(token: string): Promise<Operator | undefined> {
    const digest = digestOfToken(token);
    if (!this.#isCurrent()) await this.loadOperators();
    const operator = this.#operatorOf(digest);
    if (operator) return operator;
    await this.loadOperators();
    return this.#operatorOf(digest);
  }

  #keep(token: string, known: KnownToken): void {
    if (this.#tokens.size >= TOKENS_KEPT_MAX) this.#tokens.clear();
    this.#tokens.set(token, known);
  }

  #match(sid: string, digest: Buffer): Entry | undefined {
    const entry = this.#accounts.get(sid);
    const first = timingSafeEqual(entry?.digests[0] ?? NO_DIGEST, digest);
    const second = timingSafeEqual(entry?.digests[1] ?? NO_DIGEST, digest);
    return entry && ((first && entry.digests.length > 0) || (second && entry.digests.length > 1)) ? entry : undefined;
  }

  #operatorOf(digest: Buffer): Operator | undefined {
    let found: Operator | undefined;
    for (const { digest: known, name, role } of this.#operators) {
      if (timingSafeEqual(known, digest)) found = { name, role };
    }
    return found;
  }
}

function toEntry({ digests, ...row }: EntryRow): Entry {
  return { account: toAccount(row), digests: digests ?? [] };
}
