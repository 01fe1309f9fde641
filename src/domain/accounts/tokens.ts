// Adds and removes an account's tokens. An account has at most two; the last one cannot be removed, because nobody
// could sign in without it.

import { ok, type Result, refused } from "../../base/result.ts";
import { type Problem, problem } from "../problems.ts";
import { TOKENS_MAX } from "./account.ts";
import type { AccountStore, TokenMaker } from "./ports.ts";

export interface TokenDeps {
  readonly accounts: AccountStore;
  readonly tokens: TokenMaker;
  readonly now: Date;
}

export interface ShownToken {
  readonly n: number;
  /** Shown here and never again. */
  readonly token: string;
  readonly createdOn: Date;
}

export async function addToken(deps: TokenDeps, accountSid: string): Promise<Result<ShownToken, Problem>> {
  const account = await deps.accounts.findLocked(accountSid);
  if (!account) return refused(problem("not-found"));
  const taken = new Set((await deps.accounts.tokens(accountSid)).map((slot) => slot.n));
  const n = Array.from({ length: TOKENS_MAX }, (_, index) => index + 1).find((slot) => !taken.has(slot));
  if (n === undefined) {
    const advice = `The account has ${TOKENS_MAX} tokens already: delete one of them first (DELETE …/tokens/1 or …/tokens/2).`;
    return refused(problem("conflict", advice));
  }
  const token = deps.tokens.make();
  await deps.accounts.addToken(accountSid, n, token.digest, deps.now);
  return ok({ n, token: token.text, createdOn: deps.now });
}

export async function removeToken(
  deps: Pick<TokenDeps, "accounts">,
  accountSid: string,
  n: number,
): Promise<Result<undefined, Problem>> {
  const account = await deps.accounts.findLocked(accountSid);
  if (!account) return refused(problem("not-found"));
  const slots = await deps.accounts.tokens(accountSid);
  if (!slots.some((slot) => slot.n === n)) return refused(problem("not-found", `The account has no token ${n}.`));
  if (slots.length === 1) {
    return refused(problem("conflict", "This is the account's only token: make a new one before this one is deleted."));
  }
  await deps.accounts.removeToken(accountSid, n);
  return ok(undefined);
}
