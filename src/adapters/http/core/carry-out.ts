// Runs an operation once. A write, its audit entry and the answer stored under its Idempotency-Key commit together, so
// a repeat after a crash finds either all of them or none. A claim marks the key while the first request runs; a claim
// whose process died expires, and since its work would have committed with the answer, an expired claim without an
// answer means nothing happened. Only a success is stored: a refused request releases its key, so that a corrected
// request, or one whose obstacle has gone, may use it again.

import { createHash } from "node:crypto";
import type { Clock } from "../../../base/clock.ts";
import { andThen, type MaybePromise } from "../../../base/maybe-promise.ts";
import type { MessageIntake, NewMessage } from "../../../domain/messaging/index.ts";
import { type FieldErrors, type Problem, problem } from "../../../domain/problems.ts";
import { type Answer, render, renderProblem } from "./answer.ts";
import { describeMissing } from "./not-found.ts";
import { type Audited, type Operation, type Outcome, type Reply, TEST_KIT } from "./operation.ts";
import type { Claim, ClaimOutcome, Store, StoredAnswer, Unit } from "./ports.ts";
import { type Caller, nameOfRequest, type RequestContext } from "./request-context.ts";

export interface Work {
  readonly operation: Operation;
  /** Null where no sign-in is needed. */
  readonly caller: Caller | null;
  readonly input: { readonly params: unknown; readonly query: unknown; readonly body: unknown };
}

interface Deps {
  readonly store: Store;
  readonly clock: Clock;
}

/** Rolls back the transaction in which it is thrown; the refusal is the answer. */
class RolledBack extends Error {
  readonly refusal: Problem;
  constructor(refusal: Problem) {
    super("rolled back");
    this.refusal = refusal;
  }
}

const KEY_LENGTH_MAX = 255;

/** The faults of the Idempotency-Key, if any. */
export function keyFaults({ method }: Operation, headers: RequestContext["headers"]): FieldErrors | undefined {
  const key = headers["idempotency-key"];
  if (method !== "POST" || key === undefined) return undefined;
  if (typeof key === "string" && key.length > 0 && key.length <= KEY_LENGTH_MAX) return undefined;
  return { "Idempotency-Key": [`1 to ${KEY_LENGTH_MAX} characters are allowed.`] };
}

/** Expects a valid Idempotency-Key, or none. */
export function carryOut(deps: Deps, work: Work, context: RequestContext): MaybePromise<Answer> {
  const key = context.headers["idempotency-key"];
  const { caller } = work;
  if (work.operation.method !== "POST" || typeof key !== "string" || !caller) {
    return perform(deps, work, context, undefined);
  }
  return carryOutOnce(deps, work, context, caller, key);
}

async function carryOutOnce(
  deps: Deps,
  work: Work,
  context: RequestContext,
  caller: Caller,
  key: string,
): Promise<Answer> {
  const claimed = await deps.store.claimAnswer({
    scope: caller.kind === "account" ? caller.account.sid : `operator ${caller.name}`,
    key: Buffer.from(key, "latin1").toString("base64"),
    requestDigest: digestOf(work),
    now: deps.clock.now(),
  });
  if (claimed.kind === "claimed") return performClaimed(deps, work, context, claimed.claim);
  return answerTo(claimed, context);
}

function answerTo(outcome: Exclude<ClaimOutcome, { kind: "claimed" }>, context: RequestContext): StoredAnswer {
  switch (outcome.kind) {
    case "answered":
      return { ...outcome.answer, headers: { ...outcome.answer.headers, "Idempotent-Replayed": "true" } };
    case "running":
      return renderProblem(context, problem("idempotency-running", "Ask again in a moment to get its answer."));
    case "otherRequest":
      return renderProblem(context, problem("idempotency-key-reused", "Use a new key for a new request."));
  }
}

async function performClaimed(deps: Deps, work: Work, context: RequestContext, claim: Claim): Promise<Answer> {
  let answer: Answer | undefined;
  try {
    answer = await perform(deps, work, context, claim);
    return answer;
  } finally {
    if (!answer || !isStored(answer)) await deps.store.releaseClaim(claim);
  }
}

function isStored({ status, isTrial }: Answer): boolean {
  return status < 300 && isTrial !== true;
}

function perform(deps: Deps, work: Work, context: RequestContext, claim: Claim | undefined): MaybePromise<Answer> {
  const { operation } = work;
  const now = deps.clock.now();
  if (operation.writes === "grouped" && claim) return performGrouped(deps, work, context, claim, now);
  if (operation.writes && operation.writes !== "grouped") {
    return performInTransaction(deps, work, context, claim, now);
  }
  return andThen(handle(work, deps.store, context, now), (outcome) => {
    if (!outcome.ok) return renderRefusal(work, context, outcome.refusal);
    return andThen(audit(deps.store, work, context.id, now), () => {
      const answer = render(outcome.value);
      return claim && isStored(answer) ? deps.store.storeAnswer(claim, answer).then(() => answer) : answer;
    });
  });
}

/** The message is stored last, in one statement with its answer, and with those of concurrent requests. */
async function performGrouped(
  deps: Deps,
  work: Work,
  context: RequestContext,
  claim: Claim,
  now: Date,
): Promise<Answer> {
  const accepted: NewMessage[] = [];
  const intake: MessageIntake = {
    accept: async (message) => void accepted.push(message),
    waitingOf: (accountSid) => deps.store.intake.waitingOf(accountSid),
  };
  const outcome = await handle(work, { ...deps.store, intake }, context, now);
  if (!outcome.ok) return renderRefusal(work, context, outcome.refusal);
  const answer = render(outcome.value);
  const [message] = accepted;
  if (message && !(await deps.store.acceptOnce(message, claim, answer))) {
    return renderRefusal(work, context, problem("idempotency-running"));
  }
  return answer;
}

async function performInTransaction(
  deps: Deps,
  work: Work,
  context: RequestContext,
  claim: Claim | undefined,
  now: Date,
): Promise<Answer> {
  try {
    return await deps.store.transaction(async (unit) => {
      const outcome = await handle(work, unit, context, now);
      if (!outcome.ok) throw new RolledBack(outcome.refusal);
      await audit(unit, work, context.id, now);
      await trace(unit, work, outcome.value, context.id, now);
      const answer = render(outcome.value);
      if (claim && isStored(answer) && !(await unit.storeAnswer(claim, answer))) {
        throw new RolledBack(problem("idempotency-running"));
      }
      return answer;
    });
  } catch (fault) {
    if (!(fault instanceof RolledBack)) throw fault;
    return renderRefusal(work, context, fault.refusal);
  }
}

function renderRefusal({ operation, input }: Work, context: RequestContext, refusal: Problem): Answer {
  if (refusal.code !== "not-found" || refusal.detail !== undefined) return renderProblem(context, refusal);
  return renderProblem(context, problem("not-found", describeMissing(operation, input.params)));
}

function handle(work: Work, unit: Unit, context: RequestContext, now: Date): MaybePromise<Outcome> {
  const { operation, caller } = work;
  const { params, query, body } = work.input;
  const { headers } = context;
  const request = nameOfRequest(context);
  if (operation.who === "operator") {
    return operation.handle({ params, query, body, headers, now, request }, unit, undefined);
  }
  if (operation.who === "anyone") {
    return operation.handle({ params, query, body, headers, now, request, by: context }, unit, undefined);
  }
  if (caller?.kind !== "account") throw new Error(`${operation.id} was reached without an account`);
  return operation.handle({ params, query, body, headers, now, request, account: caller.account }, unit, undefined);
}

function audit(unit: Unit, { operation, caller, input }: Work, requestId: string, now: Date): MaybePromise<void> {
  if (operation.who !== "operator" || caller?.kind !== "operator") return undefined;
  const entry = operation.writes ? auditedChange(input) : operation.audit?.(input);
  if (!entry) return undefined;
  return unit.audit.record({ at: now, operator: caller.name, action: operation.id, ...entry, requestId });
}

/** Who changed what in an account. What happens in the simulated world is no change of it. */
function trace(unit: Unit, { operation, caller, input }: Work, reply: Reply, requestId: string, now: Date) {
  if (operation.who !== "account" || caller?.kind !== "account") return undefined;
  if (operation.limit !== "write" || operation.isRead || operation.tag === TEST_KIT) return undefined;
  const { account, token, isPerson } = caller;
  return unit.changes.record({
    ...{ createdOn: now, accountSid: account.sid, token, isPerson },
    ...{ operation: operation.id, resource: resourceOf(input, reply), requestId },
  });
}

/** What the path names, else what was made, else what the query names. */
function resourceOf({ params, query }: Work["input"], { body }: Reply): string | null {
  const named = Object.values((params ?? {}) as Record<string, unknown>);
  if (named.length > 0) return named.join("/").slice(0, RESOURCE_LENGTH_MAX);
  const { sid, number } = { ...(query as object), ...(body as object) } as Readonly<Record<string, unknown>>;
  const found = sid ?? number;
  return typeof found === "string" ? found : null;
}

const RESOURCE_LENGTH_MAX = 64;

function auditedChange({ params, body }: Work["input"]): Audited {
  const given = Object.values((params ?? {}) as Record<string, unknown>);
  return { subject: given.length === 0 ? null : given.join("/"), details: body ?? null };
}

function digestOf(work: Work): Uint8Array {
  const { params, query, body } = work.input;
  return createHash("sha256")
    .update(JSON.stringify([work.operation.id, params ?? null, query ?? null, body ?? null]))
    .digest();
}
