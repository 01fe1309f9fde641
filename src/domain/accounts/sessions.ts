// Opens sessions for people who sign in on a page. A session is identified by a text that is generated here and kept
// only by the browser. A client cannot supply the text, so sessions cannot be fixated. A session expires twelve hours
// after its last use, and after seven days at the latest.

import { ok, type Result, refused } from "../../base/result.ts";
import { type Problem, problem } from "../problems.ts";
import type { AccountStore, Operator, Session, SessionStore, TokenMaker } from "./ports.ts";

const UNUSED_MS = 12 * 3_600_000;
const SESSION_MS_MAX = 7 * 86_400_000;

/** When a session that is used now expires. */
export function sessionExpiry(openedOn: Date, now: Date): Date {
  return new Date(Math.min(now.getTime() + UNUSED_MS, openedOn.getTime() + SESSION_MS_MAX));
}

export interface SessionDeps {
  readonly accounts: AccountStore;
  readonly sessions: SessionStore;
  readonly tokens: TokenMaker;
  readonly now: Date;
}

export interface OpenedSession extends Session {
  /** For the browser, shown once. */
  readonly text: string;
}

const WRONG = problem("unauthorized", "The account or the token is wrong.");

/** The digest is of a verified token of the account. Locks the account, which may have been suspended since. */
export async function openAccountSession(
  { accounts, sessions, tokens, now }: SessionDeps,
  accountSid: string,
  tokenDigest: Uint8Array,
): Promise<Result<OpenedSession, Problem>> {
  const account = await accounts.findLocked(accountSid);
  if (!account) return refused(WRONG);
  if (account.status === "Suspended") {
    return refused(problem("account-suspended", account.suspendedReason ?? undefined));
  }
  const { text, digest } = tokens.make();
  const expiresOn = sessionExpiry(now, now);
  const token = await sessions.openForAccount({ digest, openedOn: now, expiresOn }, accountSid, tokenDigest);
  if (token === undefined) return refused(WRONG);
  return ok({ owner: { kind: "account", account }, token, expiresOn, text });
}

export async function openTicketSession(
  deps: SessionDeps,
  ticket: Uint8Array,
): Promise<Result<OpenedSession, Problem>> {
  const taken = await deps.sessions.takeTicket(ticket, deps.now);
  if (taken) return openAccountSession(deps, taken.accountSid, taken.tokenDigest);
  return refused(problem("unauthorized", "This link was used already, or has expired: sign in with a token."));
}

export async function openOperatorSession(
  { sessions, tokens, now }: Omit<SessionDeps, "accounts">,
  operator: Operator,
): Promise<OpenedSession> {
  const { text, digest } = tokens.make();
  const expiresOn = sessionExpiry(now, now);
  await sessions.openForOperator({ digest, openedOn: now, expiresOn }, operator.name);
  return { owner: { kind: "operator", ...operator }, token: null, expiresOn, text };
}
