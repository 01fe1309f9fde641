// The steps of every operation: sign-in and rate limit before the body is read, then validation, then the work.

import { z } from "zod";
import type { ActiveAccounts } from "../../../base/active-accounts.ts";
import type { Clock } from "../../../base/clock.ts";
import type { Uuids } from "../../../base/ids.ts";
import type { Log } from "../../../base/log.ts";
import { andThen, type MaybePromise } from "../../../base/maybe-promise.ts";
import { ok, type Result, refused } from "../../../base/result.ts";
import { type Account, type Limit, type LimitClass, limitOf } from "../../../domain/accounts/index.ts";
import { type FieldErrors, invalid, mergeErrors, type Problem, problem } from "../../../domain/problems.ts";
import { FormFields } from "../reading/form-fields.ts";
import { Multipart } from "../reading/multipart.ts";
import { type Form, readInput, readWithFaults } from "../reading/read-input.ts";
import { type Answer, renderProblem } from "./answer.ts";
import { carryOut, keyFaults, type Work } from "./carry-out.ts";
import type { ListPlaces } from "./list-places.ts";
import type { LiveTap } from "./live-tap.ts";
import { isList, needsAdmin, type Operation } from "./operation.ts";
import type { Credentials, RateLimits, Store, Taken } from "./ports.ts";
import { readList } from "./read-list.ts";
import type { RefusalLog } from "./refusal-log.ts";
import type { Caller, RequestContext } from "./request-context.ts";
import { type SignInRefusal, signIn } from "./sign-in.ts";

export interface ApiDeps {
  readonly store: Store;
  readonly credentials: Credentials;
  readonly limits: RateLimits;
  readonly clock: Clock;
  readonly uuids: Uuids;
  readonly log: Log;
  readonly supportContact: string;
  readonly refusals: RefusalLog;
  readonly lists: ListPlaces;
  /** Hears of every caller. */
  readonly active: Pick<ActiveAccounts, "note">;
  /** Receives answered requests for current listeners. */
  readonly live: LiveTap;
  /** Called for every answered operation, for metrics. */
  readonly observe: (operation: string, status: number, seconds: number) => void;
  /** Called for every answered operation, for traces; undefined where they are off. */
  readonly trace: TraceRequest | undefined;
}

export type TraceRequest = (
  operation: Pick<Operation, "id" | "method" | "path">,
  context: RequestContext,
  answer: Pick<Answer, "status" | "text">,
) => void;

const BAD_LINK = problem(
  "unauthorized",
  "This link has expired, or was changed: read the call again for a new one, or send HTTP Basic credentials.",
);

/** Checks credentials, role, rate limit and account; returns a refusal, or undefined when the caller is admitted. */
export function admit(deps: ApiDeps, operation: Operation, context: RequestContext): MaybePromise<Answer | undefined> {
  context.startedMs = performance.now();
  const { who } = operation;
  if (who === "anyone") return undefined;
  if (who === "operator" || !operation.byLink) {
    return andThen(signIn(deps, who, context), (caller) => admitSignedIn(deps, operation, context, caller));
  }
  return andThen(operation.byLink(context, undefined), (account) => {
    // Requests by shared links do not use up the account's own limit.
    if (account) {
      const caller = { kind: "account", account, toolWrites: false, token: null, isPerson: false } as const;
      return admitCaller(deps, operation, context, caller, `links ${account.sid}`);
    }
    return andThen(signIn(deps, who, context), (caller) => admitSignedIn(deps, operation, context, caller));
  });
}

function admitSignedIn(
  deps: ApiDeps,
  operation: Operation,
  context: RequestContext,
  caller: Result<Caller, SignInRefusal>,
): MaybePromise<Answer | undefined> {
  if (caller.ok) return admitCaller(deps, operation, context, caller.value);
  const { problem: refusal, headers } = caller.refusal;
  const isLink = operation.who === "account" && operation.byLink && /[?&]signature=/i.test(context.url);
  return renderProblem(context, isLink ? BAD_LINK : refusal, headers);
}

function admitCaller(
  deps: ApiDeps,
  operation: Operation,
  context: RequestContext,
  caller: Caller,
  subject?: string,
): MaybePromise<Answer | undefined> {
  context.caller = caller;
  deps.active.note(caller.kind === "account" ? caller.account.sid : "operators");
  if (caller.kind === "operator" && caller.role !== "admin" && needsAdmin(operation)) {
    const { name, role } = caller;
    return renderProblem(context, problem("admin-only", `The token ${name} has the role ${role}, which only reads.`));
  }
  if (operation.who !== "account" || caller.kind !== "account") return undefined;
  const { account } = caller;
  const cost = operation.cost ? 0 : 1;
  const limitClass = limitClassOf(operation.limit, context, subject !== undefined);
  return andThen(takeFromLimit(deps, account, limitClass, cost, context, subject), (limited) => {
    const denied = limited ?? (operation.servesSuspended ? undefined : refuseSuspended(deps, account));
    return denied && renderProblem(context, denied);
  });
}

/** Only sessions and signed links have no credentials in `Authorization`. */
function limitClassOf(limit: LimitClass, { headers }: RequestContext, isLink: boolean): LimitClass {
  return limit === "read" && headers.authorization === undefined && !isLink ? "session" : limit;
}

/** With the error code that message senders expect; undefined when the account is not suspended. */
export function refuseSuspended(deps: Pick<ApiDeps, "supportContact">, account: Account): Problem | undefined {
  if (account.status !== "Suspended") return undefined;
  const { suspendedReason: reason } = account;
  const advice = reason
    ? `${/[.!?]$/.test(reason) ? reason : `${reason}.`} Ask ${deps.supportContact} what to do.`
    : `Ask ${deps.supportContact} why, and what to do.`;
  return { ...problem("account-suspended", advice), errorCode: 3019, errorMessage: "The account is suspended." };
}

/** `subject`: its requests are counted together. */
export function takeFromLimit(
  deps: Pick<ApiDeps, "limits">,
  account: Account,
  limitClass: LimitClass,
  cost: number,
  context: Pick<RequestContext, "limitHeaders">,
  subject: string = account.sid,
): MaybePromise<Problem | undefined> {
  const limit = limitOf(account, limitClass);
  return andThen(deps.limits.take(subject, limitClass, limit, cost), (taken) => {
    context.limitHeaders = limitHeaders(limit, taken);
    if (taken.admitted) return undefined;
    const { resetSeconds } = taken;
    const detail = `${limit.requests} per ${limit.windowSeconds} s are allowed; ask again in ${resetSeconds} s.`;
    return { ...problem("rate-limited", detail), retryAfterSeconds: resetSeconds };
  });
}

function limitHeaders(limit: Limit, taken: Taken): readonly (string | number)[] {
  return [
    "RateLimit-Limit",
    limit.requests,
    "RateLimit-Remaining",
    taken.remaining,
    "RateLimit-Reset",
    taken.resetSeconds,
    "RateLimit-Policy",
    `${limit.requests};w=${limit.windowSeconds}`,
  ];
}

/** Serves an admitted caller. */
export function serve(
  deps: ApiDeps,
  operation: Operation,
  context: RequestContext,
  given: unknown,
): MaybePromise<Answer> {
  if (!context.caller && operation.who !== "anyone") throw new Error(`${operation.id} was reached without a caller`);
  const unfit = unfitBody(operation, given);
  if (unfit !== undefined) {
    return renderProblem(context, refusedBy(operation, problem("unsupported-media-type", unfit)));
  }
  if (!operation.form || !operation.body) return serveRead(deps, operation, context, given, undefined);
  const form = operation.form.read(operation.body, given, undefined);
  return form.then((read) => serveRead(deps, operation, context, given, read));
}

/** `form`: as for `readRequest`. */
function serveRead(
  deps: ApiDeps,
  operation: Operation,
  context: RequestContext,
  given: unknown,
  form: unknown,
): MaybePromise<Answer> {
  const { caller } = context;
  const input = readRequest(operation, context, given, form);
  const ofKey = keyFaults(operation, context.headers);
  if (!input.ok || ofKey) {
    const further = furtherFaults(operation, context, given, form, deps.clock.now());
    const refusal = invalid(mergeErrors(input.ok ? {} : input.refusal, ofKey ?? {}, further));
    return renderProblem(context, refusedBy(operation, refusal, given));
  }
  const work = { operation, caller, input: input.value };
  if (isList(operation)) return readList(deps, work, context);
  if (operation.who !== "account" || !operation.cost || caller?.kind !== "account") {
    return carryOut(deps, work, context);
  }
  const cost = operation.cost(input.value.body);
  return andThen(takeFromLimit(deps, caller.account, operation.limit, cost, context), (denied) =>
    denied ? renderProblem(context, denied) : carryOut(deps, work, context),
  );
}

/** The refusal of a request that could not be read, as its operation shapes it. `given`: the body, if it was parsed. */
export function refusedBy(operation: Operation | undefined, refusal: Problem, given?: unknown): Problem {
  if (!operation?.refuse) return refusal;
  const body = given === undefined ? undefined : readBodyOf(operation, given);
  return operation.refuse(refusal, body?.ok ? body.value : undefined);
}

function unfitBody({ form, readBody }: Operation, body: unknown): string | undefined {
  if (form?.isRequired && !(body instanceof Multipart)) return "Send a form with files as multipart/form-data.";
  return body instanceof FormFields && !readBody ? "Send JSON as application/json." : undefined;
}

/** Reads the input by the schemas of the operation. `form` is the body of an operation with a form, already read. */
export function readRequest(
  operation: Operation,
  context: Pick<RequestContext, "params" | "query">,
  given: unknown,
  form: unknown,
): Result<Work["input"], FieldErrors> {
  const params = readPart(operation.params, context.params, "text");
  const query = readPart(operation.query, context.query, "text");
  const body = operation.form ? ok(form) : readBodyOf(operation, given);
  if (params.ok && query.ok && body.ok) {
    return ok({ params: params.value, query: query.value, body: body.value });
  }
  // Object.fromEntries is safe for a member called __proto__.
  return refused(
    Object.fromEntries([params, query, body].flatMap((part) => (part.ok ? [] : Object.entries(part.refusal)))),
  );
}

/** The faults that the handler would have found in a request that is refused before it. */
function furtherFaults(
  operation: Operation,
  { params, query, headers, caller }: RequestContext,
  given: unknown,
  form: unknown,
  now: Date,
): FieldErrors {
  if (!operation.furtherFaults) return {};
  const read = (schema: z.ZodType | undefined, raw: unknown, how: Form) =>
    (schema && readWithFaults(schema, raw, how).value) ?? {};
  const shaped = operation.readBody ? readBodyOf(operation, given) : ok(form);
  return operation.furtherFaults(
    {
      params: read(operation.params, params, "text"),
      query: read(operation.query, query, "text"),
      body: shaped.ok && shaped.value ? shaped.value : read(operation.body, given, "json"),
      headers,
      now,
      country: caller?.kind === "account" ? caller.account.country : null,
    },
    undefined,
  );
}

function readBodyOf({ readBody, body: schema }: Operation, body: unknown): Result<unknown, FieldErrors> {
  if (body === undefined && schema instanceof z.ZodOptional) return ok(undefined);
  if (!readBody || !schema) return readPart(schema, body, "json");
  return ok(readBody(schema, body instanceof FormFields ? body.fields : body));
}

function readPart(schema: z.ZodType | undefined, raw: unknown, form: Form): Result<unknown, FieldErrors> {
  if (schema) return readInput(schema, raw, form);
  const names = raw !== null && typeof raw === "object" ? Object.keys(raw) : [];
  if (names.length === 0) return ok(undefined);
  return refused(
    Object.fromEntries(names.slice(0, 20).map((name) => [name.slice(0, 64), ["This is not known here."]])),
  );
}
