// Makes an account with its first token.

import type { Ids } from "../../base/ids.ts";
import { type Account, type Feature, KEEPS_ALL, type Limits } from "./account.ts";
import type { AccountStore, TokenMaker, TokenRights } from "./ports.ts";
import { storedToken } from "./tokens.ts";

export interface CreateDeps {
  readonly accounts: AccountStore;
  readonly tokens: TokenMaker;
  readonly ids: Ids;
  readonly now: Date;
}

export interface AccountOrder {
  readonly name: string;
  readonly features: readonly Feature[];
  readonly limitChanges: Partial<Limits>;
  readonly allowedCountries: readonly string[] | null;
  readonly country: string | null;
}

/** The token has these rights. It is returned here and cannot be read again. */
export async function createAccount(
  deps: CreateDeps,
  order: AccountOrder,
  rights: TokenRights,
): Promise<{ readonly account: Account; readonly token: string }> {
  const account: Account = {
    sid: deps.ids.sid("AC"),
    ...order,
    status: "Active",
    suspendedReason: null,
    defaultCallerId: null,
    handlesKeywords: true,
    ...KEEPS_ALL,
    createdOn: deps.now,
  };
  const token = deps.tokens.make();
  await deps.accounts.insert(account);
  await deps.accounts.addToken(account.sid, storedToken(token, 1, rights, deps.now));
  return { account, token: token.text };
}
