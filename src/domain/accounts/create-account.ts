// Makes an account with its first token.

import type { Ids } from "../../base/ids.ts";
import type { Account, Feature, Limits } from "./account.ts";
import type { AccountStore, TokenMaker } from "./ports.ts";

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

/** The token is shown here and never again. */
export async function createAccount(
  deps: CreateDeps,
  order: AccountOrder,
): Promise<{ readonly account: Account; readonly token: string }> {
  const account: Account = {
    sid: deps.ids.sid("AC"),
    ...order,
    status: "Active",
    suspendedReason: null,
    defaultCallerId: null,
    handlesKeywords: true,
    createdOn: deps.now,
  };
  const token = deps.tokens.make();
  await deps.accounts.insert(account);
  await deps.accounts.addToken(account.sid, 1, token.digest, deps.now);
  return { account, token: token.text };
}
