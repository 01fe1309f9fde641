// Adds, promotes and removes an account's tokens. An account has at most two; the last one cannot be removed, because
// the account could not sign in without it. The account is locked, so concurrent changes run one after another.

import { ok, type Result, refused } from "../../base/result.ts";
import { type Problem, problem } from "../problems.ts";
import { TOKENS_MAX } from "./account.ts";
import type { AccountStore, AddedToken, NewToken, TokenMaker, TokenRights, TokenSlot } from "./ports.ts";

export interface TokenDeps {
  readonly accounts: AccountStore;
  readonly tokens: TokenMaker;
  readonly now: Date;
}

export interface ShownToken extends TokenRights {
  readonly n: number;
  /** Shown here and never again. */
  readonly token: string;
  readonly createdOn: Date;
}

/** The token that signs for the account: the promoted one, else the oldest. Undefined: the account's secret signs. */
export function signingToken<Slot extends Pick<TokenSlot, "n" | "createdOn" | "isPromoted">>(
  signing: readonly Slot[],
): Slot | undefined {
  const ageOrder = (one: Slot, other: Slot) => one.createdOn.getTime() - other.createdOn.getTime() || one.n - other.n;
  return signing.find(({ isPromoted }) => isPromoted) ?? [...signing].sort(ageOrder)[0];
}

/** What is stored of a token: the token itself only if it signs. */
export function storedToken(made: NewToken, n: number, { signs, toolWrites }: TokenRights, now: Date): AddedToken {
  return { n, digest: made.digest, signingText: signs ? made.text : null, toolWrites, createdOn: now };
}

export async function addToken(
  deps: TokenDeps,
  accountSid: string,
  rights: TokenRights,
): Promise<Result<ShownToken, Problem>> {
  const account = await deps.accounts.findLocked(accountSid);
  if (!account) return refused(problem("not-found"));
  const taken = new Set((await deps.accounts.tokens(accountSid)).map((slot) => slot.n));
  const n = Array.from({ length: TOKENS_MAX }, (_, index) => index + 1).find((slot) => !taken.has(slot));
  if (n === undefined) {
    const advice = `The account has ${TOKENS_MAX} tokens already: delete one of them first (DELETE …/tokens/1 or …/tokens/2).`;
    return refused(problem("conflict", advice));
  }
  const made = deps.tokens.make();
  await deps.accounts.addToken(accountSid, storedToken(made, n, rights, deps.now));
  return ok({ n, token: made.text, createdOn: deps.now, ...rights });
}

type PlaceDeps = Pick<TokenDeps, "accounts">;

/** Makes this token the one that signs. */
export async function promoteToken(
  deps: PlaceDeps,
  accountSid: string,
  n: number,
): Promise<Result<undefined, Problem>> {
  const slots = await lockedTokens(deps, accountSid, n);
  if (!slots.ok) return slots;
  if (!slots.value.some((slot) => slot.n === n && slot.signs)) {
    return refused(problem("conflict", `Token ${n} is no signing token: make one with { "signs": true }.`));
  }
  await deps.accounts.promoteToken(accountSid, n);
  return ok(undefined);
}

export async function removeToken(deps: PlaceDeps, accountSid: string, n: number): Promise<Result<undefined, Problem>> {
  const slots = await lockedTokens(deps, accountSid, n);
  if (!slots.ok) return slots;
  if (slots.value.length === 1) {
    return refused(problem("conflict", "This is the account's only token: make a new one before this one is deleted."));
  }
  await deps.accounts.removeToken(accountSid, n);
  return ok(undefined);
}

/** Returns all tokens of the account; refuses when it has no token `n`. */
async function lockedTokens(
  { accounts }: PlaceDeps,
  accountSid: string,
  n: number,
): Promise<Result<readonly TokenSlot[], Problem>> {
  if (!(await accounts.findLocked(accountSid))) return refused(problem("not-found"));
  const slots = await accounts.tokens(accountSid);
  if (slots.some((slot) => slot.n === n)) return ok(slots);
  return refused(problem("not-found", `The account has no token ${n}.`));
}
