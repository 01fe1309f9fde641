// Authenticates callers by HTTP Basic (an account's sid and token, or `operator` and an operator's token), or by the
// cookie of a session where there is no Authorization. A wrong name and a wrong token give the same answer in the same
// time. Only failures are counted, per address, so that guesses from behind the same proxy do not lock out a caller
// with valid credentials. A request from a page that has its own sign-in is refused without a challenge, because the
// challenge would open the browser's password dialog.

import { parseAddress, subscriberOf } from "../../../base/cidr.ts";
import { andThen, type MaybePromise } from "../../../base/maybe-promise.ts";
import { ok, type Result, refused } from "../../../base/result.ts";
import type { Limit, Session } from "../../../domain/accounts/index.ts";
import { type Problem, problem } from "../../../domain/problems.ts";
import type { Credentials, RateLimits } from "./ports.ts";
import type { Caller, RequestContext } from "./request-context.ts";
import { hasSessionHeader, isOfPage, ownerName, sessionTextOf, shownOwnerOf } from "./session-cookie.ts";

export interface SignInRefusal {
  readonly problem: Problem;
  readonly headers: Readonly<Record<string, string>>;
}

export interface SignInDeps {
  readonly credentials: Credentials;
  readonly limits: RateLimits;
}

type Asked = Pick<RequestContext, "headers" | "ip" | "method">;

const FAILED_SIGN_INS: Limit = { requests: 300, windowSeconds: 60 };
const CHALLENGE = { "WWW-Authenticate": 'Basic realm="tandem"' };

export function signIn(
  deps: SignInDeps,
  who: Caller["kind"],
  context: Asked,
): MaybePromise<Result<Caller, SignInRefusal>> {
  const { headers } = context;
  if (headers.authorization === undefined && sessionTextOf(headers) !== undefined) {
    return bySession(deps, who, context);
  }
  const pair = readBasic(headers.authorization);
  if (!pair) {
    const advice =
      who === "account"
        ? "Send HTTP Basic credentials: the account sid as user name, a token as password."
        : "Send HTTP Basic credentials: operator as user name, an operator token as password.";
    return refused(challenged(context, problem("unauthorized", advice)));
  }
  return andThen(callerOf(deps.credentials, who, pair), (caller) => {
    if (!caller) return refuseWrong(deps, context);
    keepPair(headers.authorization, pair);
    return ok(caller);
  });
}

async function refuseWrong(deps: SignInDeps, context: Asked): Promise<Result<Caller, SignInRefusal>> {
  const failure = await countFailure(deps.limits, context.ip, "The account or the token is wrong.");
  return refused(failure.code === "unauthorized" ? challenged(context, failure) : { problem: failure, headers: {} });
}

function challenged({ headers }: Asked, refusal: Problem): SignInRefusal {
  return { problem: refusal, headers: isOfPage(headers) ? {} : CHALLENGE };
}

/** Counts a failed sign-in and returns its refusal, a different one once there are too many. */
export async function countFailure(limits: RateLimits, ip: string, detail: string): Promise<Problem> {
  const failures = await limits.take(`address ${addressOf(ip)}`, "signIn", FAILED_SIGN_INS, 1);
  if (failures.admitted) return problem("unauthorized", detail);
  const refusal = problem("rate-limited", "Too many failed sign-ins from this address.");
  return { ...refusal, retryAfterSeconds: failures.resetSeconds };
}

async function bySession(
  deps: SignInDeps,
  who: Caller["kind"],
  context: Asked,
): Promise<Result<Caller, SignInRefusal>> {
  const session = await findSession(deps, context);
  if (!session.ok) return refused({ problem: session.refusal, headers: {} });
  const { owner, token } = session.value;
  if (owner.kind === who)
    return ok(owner.kind === "account" ? { ...owner, toolWrites: false, token, isPerson: true } : owner);
  const detail = who === "account" ? "This session is an operator's." : "This session is no operator's.";
  return refused({ problem: problem("unauthorized", detail), headers: {} });
}

const NO_PAGE = problem("cross-site", "A request of a session that changes something carries X-Tandem-Session: 1.");

/** The refusal of a request that a form of another site could have made with a session. */
export function judgePage({ headers, method }: Pick<Asked, "headers" | "method">): Problem | undefined {
  return method === "GET" || method === "HEAD" || hasSessionHeader(headers) ? undefined : NO_PAGE;
}

/** The session that the request belongs to. */
export async function findSession(deps: SignInDeps, context: Asked): Promise<Result<Session, Problem>> {
  const { headers, ip } = context;
  const forged = judgePage(context);
  if (forged) return refused(forged);
  const text = headers.authorization === undefined ? sessionTextOf(headers) : undefined;
  if (text === undefined) return refused(problem("unauthorized", "Nobody has signed in here."));
  const session = text === null ? undefined : await deps.credentials.session(text, "use");
  if (session) return judgeOwner(headers, session);
  return refused(await countFailure(deps.limits, ip, "The session has ended: sign in again."));
}

/** All tabs of a browser share its cookie: a tab that still shows another account must not act for this one. */
function judgeOwner(headers: RequestContext["headers"], session: Session): Result<Session, Problem> {
  const shown = shownOwnerOf(headers);
  if (shown === undefined || shown === ownerName(session.owner)) return ok(session);
  return refused(problem("other-account", "Nothing was done: another account has signed in in this browser since."));
}

/** A trusted proxy may forward something that is not an address; all such callers share one count. */
function addressOf(ip: string): string {
  const address = parseAddress(ip);
  return address ? subscriberOf(address) : "unknown";
}

/** Whether credentials are still valid, for a stream that was opened with them. It does not prolong a session. */
export async function stillSignsIn(
  credentials: Credentials,
  who: Caller["kind"],
  headers: RequestContext["headers"],
): Promise<boolean> {
  if (headers.authorization === undefined) {
    const text = sessionTextOf(headers);
    const session = text ? await credentials.session(text, "look") : undefined;
    return session?.owner.kind === who;
  }
  const pair = readBasic(headers.authorization);
  const caller = pair && (await callerOf(credentials, who, pair));
  return caller !== undefined && (caller.kind === "operator" || caller.account.status === "Active");
}

function callerOf(credentials: Credentials, who: Caller["kind"], pair: Pair): MaybePromise<Caller | undefined> {
  if (who === "account") {
    return andThen(
      credentials.account(pair.name, pair.token),
      (signedIn) => signedIn && { kind: "account", ...signedIn, isPerson: false },
    );
  }
  return andThen(credentials.operator(pair.token), (operator) =>
    operator && pair.name === "operator" ? { kind: "operator", ...operator } : undefined,
  );
}

interface Pair {
  readonly name: string;
  readonly token: string;
}

/** By Authorization headers that were accepted, because clients repeat them with every request. */
const pairs = new Map<string, Pair>();
const PAIRS_KEPT_MAX = 1_000;
const KEPT_LENGTH_MAX = 256;

function keepPair(header: string | undefined, pair: Pair): void {
  if (header === undefined || header.length > KEPT_LENGTH_MAX || pairs.has(header)) return;
  if (pairs.size >= PAIRS_KEPT_MAX) pairs.clear();
  // A copy: a substring of a request's head would keep the whole head in memory.
  pairs.set(Buffer.from(header, "latin1").toString("latin1"), pair);
}

function readBasic(header: string | undefined): Pair | undefined {
  if (header === undefined) return undefined;
  const known = pairs.get(header);
  if (known) return known;
  if (!/^basic /i.test(header)) return undefined;
  const text = Buffer.from(header.slice(6), "base64").toString("utf8");
  const colon = text.indexOf(":");
  return colon < 0 ? undefined : { name: text.slice(0, colon), token: text.slice(colon + 1) };
}
