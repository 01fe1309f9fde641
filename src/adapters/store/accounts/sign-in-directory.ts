// For speed alone (`bench -- messages` would notice): all credentials, held in memory: a sign-in costs one digest and
// no query, and an unknown account takes as long as a wrong token. Changes arrive by NOTIFY from every process; while
// notifications may be missed (listener.ts), every sign-in is checked in the database. A failed sign-in is checked once
// more in the database, whatever failed, so a token that another process made a moment ago works immediately. Loads run
// one after the other, so a late answer never overwrites a newer one: a revoked token stays revoked.

import { timingSafeEqual } from "node:crypto";
import { isSid } from "../../../base/ids.ts";
import type { MaybePromise } from "../../../base/maybe-promise.ts";
import { type Account, limitOf, type Operator, type SignedInAccount } from "../../../domain/accounts/index.ts";
import { digestOfToken } from "../../secrets.ts";
import type { Queryable } from "../engine/database.ts";
import { type Gatherer, gather } from "../engine/gather.ts";
import { hasRow } from "../engine/statements.ts";
import { type AccountRow, accountColumns, toAccount, type UsedToken } from "./accounts.ts";

interface Entry {
  readonly account: Account;
  readonly tokens: readonly EntryToken[];
}

interface EntryToken {
  readonly digest: Buffer;
  readonly signsIn: SignedInAccount;
}

/** The lists are null where the account has no token. */
interface EntryRow extends AccountRow {
  readonly digests: readonly Buffer[] | null;
  readonly toolWrites: readonly boolean[] | null;
  readonly places: readonly number[] | null;
}

/** The digest to compare with when the account is unknown, so that it takes as long. */
const NO_DIGEST = digestOfToken("");

const SELECT = `select ${accountColumns("accounts")}, token.* from accounts left join lateral (
    select array_agg(digest order by n) as digests, array_agg(tool_writes order by n) as "toolWrites",
           array_agg(n order by n) as places
      from account_tokens where account_sid = accounts.sid
  ) as token on true`;

/** Used in place of an account's sid. */
const EVERYONE = "everyone";

/** How many tokens are remembered. */
const TOKENS_KEPT_MAX = 1_000;

/** A token that has signed in. It is compared anew after its account was reloaded. */
interface KnownToken extends EntryToken {
  readonly entry: Entry;
  /** Since uses were last taken. */
  isUsed: boolean;
}

export class SignInDirectory {
  readonly #db: Queryable;
  readonly #isCurrent: () => boolean;
  /** Tokens that have signed in, because the same token arrives with every request. */
  readonly #tokens = new Map<string, KnownToken>();
  /** Of tokens that are no longer remembered. */
  #used: UsedToken[] = [];
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

  /** Returns synchronously when the token is right and no notification can have been missed. */
  account(sid: string, token: string): MaybePromise<SignedInAccount | undefined> {
    if (this.#isCurrent()) return this.#accountBy(sid, token);
    return isSid("AC", sid) ? this.loadAccount(sid).then(() => this.#accountBy(sid, token)) : undefined;
  }

  #accountBy(sid: string, token: string): MaybePromise<SignedInAccount | undefined> {
    const known = this.#tokens.get(token);
    const entry = this.#accounts.get(sid);
    if (known && known.entry === entry) {
      known.isUsed = true;
      return known.signsIn;
    }
    if (!isSid("AC", sid)) return undefined;
    const digest = known?.digest ?? digestOfToken(token);
    const signsIn = match(entry, digest);
    if (!entry || !signsIn) return this.#askForAccount(sid, digest);
    this.#keep(token, { digest, entry, signsIn, isUsed: true });
    return signsIn;
  }

  async #askForAccount(sid: string, digest: Buffer): Promise<SignedInAccount | undefined> {
    // The same query for an unknown account and for a wrong token.
    const sought = "select 1 from account_tokens where account_sid = $1 and digest = $2";
    if (!(await hasRow(this.#db, sought, [sid, digest]))) return undefined;
    await this.loadAccount(sid);
    return match(this.#accounts.get(sid), digest);
  }

  /** The tokens that signed in since the last call: noted behind the requests, because every one signs in. */
  takeUsed(): readonly UsedToken[] {
    const used = this.#used;
    this.#used = [];
    for (const known of this.#tokens.values()) {
      if (known.isUsed) used.push({ accountSid: known.entry.account.sid, digest: known.digest });
      known.isUsed = false;
    }
    return used;
  }

  /** The weight of an account's share; 1 while it is unknown. */
  weightOf(sid: string): number {
    const entry = this.#accounts.get(sid);
    return entry ? limitOf(entry.account, "weight").requests : 1;
  }

  /** The countries of all accounts. */
  countries(): ReadonlySet<string> {
    return new Set([...this.#accounts.values()].flatMap(({ account }) => account.country ?? []));
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
    if (this.#tokens.size >= TOKENS_KEPT_MAX) {
      this.#used = [...this.takeUsed()];
      this.#tokens.clear();
    }
    this.#tokens.set(token, known);
  }

  #operatorOf(digest: Buffer): Operator | undefined {
    let found: Operator | undefined;
    for (const { digest: known, name, role } of this.#operators) {
      if (timingSafeEqual(known, digest)) found = { name, role };
    }
    return found;
  }
}

/** Always makes both comparisons, whatever the account has. */
function match(entry: Entry | undefined, digest: Buffer): SignedInAccount | undefined {
  const [one, two] = entry?.tokens ?? [];
  const isFirst = timingSafeEqual(one?.digest ?? NO_DIGEST, digest);
  const isSecond = timingSafeEqual(two?.digest ?? NO_DIGEST, digest);
  if (isFirst && one) return one.signsIn;
  return isSecond ? two?.signsIn : undefined;
}

function toEntry({ digests, toolWrites, places, ...row }: EntryRow): Entry {
  const account = toAccount(row);
  const toToken = (digest: Buffer, at: number): EntryToken => ({
    digest,
    signsIn: { account, toolWrites: toolWrites?.[at] === true, token: places?.[at] ?? 1 },
  });
  return { account, tokens: (digests ?? []).map(toToken) };
}
