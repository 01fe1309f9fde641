// Authenticates callers by HTTP Basic: an account's sid and token, or `operator` and an operator's token. A wrong name
// and a wrong token give the same answer in the same time. Only failures are counted, per address, so that guesses from
// behind the same proxy do not lock out a caller with good credentials.

import { parseAddress, subscriberOf } from "../../../base/cidr.ts";
import { ok, type Result, refused } from "../../../base/result.ts";
import type { Limit } from "../../../domain/accounts/index.ts";
import { type Problem, problem } from "../../../domain/problems.ts";
import type { Credentials, RateLimits } from "./ports.ts";
import type { Caller, RequestContext } from "./request-context.ts";

export interface SignInRefusal {
  readonly problem: Problem;
  readonly headers: Readonly<Record<string, string>>;
}

const FAILED_SIGN_INS: Limit = { requests: 300, windowSeconds: 60 };
const CHALLENGE = { "WWW-Authenticate": 'Basic realm="tandem"' };

export async function signIn(
  deps: { readonly credentials: Credentials; readonly limits: RateLimits },
  who: Caller["kind"],
  context: Pick<RequestContext, "headers" | "ip">,
): Promise<Result<Caller, SignInRefusal>> {
  const pair = readBasic(context.headers.authorization);
  if (!pair) {
    const advice =
      who === "account"
        ? "Send HTTP Basic credentials: the account sid as user name, a token as password."
        : "Send HTTP Basic credentials: operator as user name, an operator token as password.";
    return refused({ problem: problem("unauthorized", advice), headers: CHALLENGE });
  }
  const caller = await callerOf(deps.credentials, who, pair);
  if (caller) return ok(caller);
  const failures = await deps.limits.take(`address ${addressOf(context.ip)}`, "signIn", FAILED_SIGN_INS, 1);
  if (failures.admitted) {
    return refused({ problem: problem("unauthorized", "The account or the token is wrong."), headers: CHALLENGE });
  }
  return refused({
    problem: problem("rate-limited", "Too many failed sign-ins from this address."),
    headers: { "Retry-After": String(failures.resetSeconds) },
  });
}

/** A trusted proxy may forward something else than an address; all such callers share one count. */
function addressOf(ip: string): string {
  const address = parseAddress(ip);
  return address ? subscriberOf(address) : "unknown";
}

/** Whether an account's credentials are still valid, for a stream that was opened with them. */
export async function stillSignsIn(credentials: Credentials, authorization: string | undefined): Promise<boolean> {
  const pair = readBasic(authorization);
  const account = pair && (await credentials.account(pair.name, pair.token));
  return account?.status === "Active";
}

async function callerOf(credentials: Credentials, who: Caller["kind"], pair: Pair): Promise<Caller | undefined> {
  if (who === "account") {
    const account = await credentials.account(pair.name, pair.token);
    return account && { kind: "account", account };
  }
  const operator = await credentials.operator(pair.token);
  return operator && pair.name === "operator" ? { kind: "operator", ...operator } : undefined;
}

interface Pair {
  readonly name: string;
  readonly token: string;
}

function readBasic(header: string | undefined): Pair | undefined {
  if (header === undefined || !/^basic /i.test(header)) return undefined;
  const text = Buffer.from(header.slice(6), "base64").toString("utf8");
  const colon = text.indexOf(":");
  return colon < 0 ? undefined : { name: text.slice(0, colon), token: text.slice(colon + 1) };
}
