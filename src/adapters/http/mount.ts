// Puts operations on the router: sign-in and rate limit before the body is read, then validation, then the work.

import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods, RouteOptions } from "fastify";
import type { z } from "zod";
import type { Clock } from "../../base/clock.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import { type Limit, type LimitClass, limitOf } from "../../domain/accounts/index.ts";
import { type FieldErrors, invalid, type Problem, problem } from "../../domain/problems.ts";
import { type Answer, renderProblem, send, sendProblem } from "./answer.ts";
import { carryOut, type Work } from "./carry-out.ts";
import { FormFields } from "./form-fields.ts";
import { FormRoom } from "./form-room.ts";
import { Multipart } from "./multipart.ts";
import type { Operation, OperationGroup } from "./operation.ts";
import type { Credentials, RateLimits, Store, Taken } from "./ports.ts";
import { type Form, readInput } from "./read-input.ts";
import { type Caller, signIn } from "./sign-in.ts";

export interface ApiDeps {
  readonly store: Store;
  readonly credentials: Credentials;
  readonly limits: RateLimits;
  readonly clock: Clock;
  readonly supportContact: string;
  /** Told of every operation that was answered. */
  readonly observe: (operation: string, status: number, seconds: number) => void;
}

interface MountDeps extends ApiDeps {
  readonly forms: FormRoom;
}

declare module "fastify" {
  interface FastifyRequest {
    caller: Caller | null;
    startedMs: number;
  }
}

const METHODS: readonly HTTPMethods[] = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE"];

export function mountOperations(app: FastifyInstance, deps: ApiDeps, groups: readonly OperationGroup[]): void {
  app.decorateRequest("caller", null);
  app.decorateRequest("startedMs", 0);
  const mounted = { ...deps, forms: new FormRoom() };
  const methodsByUrl = new Map<string, Set<HTTPMethods>>();
  for (const group of groups) {
    for (const operation of group.operations) {
      for (const prefix of group.prefixes) {
        const url = `${prefix}${operation.path.replace(/\{(\w+)\}/g, ":$1")}`;
        const methods = methodsByUrl.get(url) ?? new Set();
        methodsByUrl.set(url, methods.add(operation.method));
        // A stream never ends by itself, and nobody would be there to end it.
        const exposeHeadRoute = operation.method === "GET" && !isStream(operation);
        if (exposeHeadRoute) methods.add("HEAD");
        app.route({
          method: operation.method,
          url,
          exposeHeadRoute,
          config: { takesForm: operation.form !== undefined },
          ...(operation.form ? { bodyLimit: operation.form.bytesMax } : {}),
          ...steps(mounted, operation),
        });
      }
    }
  }
  for (const [url, methods] of methodsByUrl) refuseOtherMethods(app, url, methods);
}

/** Who sends a body is let in before it is read; who sends none is spared the extra step. */
function steps(deps: MountDeps, operation: Operation): Pick<RouteOptions, "onRequest" | "handler"> {
  const admitted = (request: FastifyRequest, reply: FastifyReply) => admit(deps, operation, request, reply);
  const served = (request: FastifyRequest, reply: FastifyReply) =>
    serve(deps, operation, request, reply).catch((fault: unknown) => {
      deps.observe(operation.id, 500, (performance.now() - request.startedMs) / 1000);
      throw fault;
    });
  if (operation.method !== "GET") return { onRequest: admitted, handler: served };
  return {
    handler: async (request, reply) => {
      await admitted(request, reply);
      return reply.sent ? reply : served(request, reply);
    },
  };
}

function isStream(operation: Operation): boolean {
  return Object.values(operation.answers).some(({ mediaType }) => mediaType === "text/event-stream");
}

function refuseOtherMethods(app: FastifyInstance, url: string, allowed: ReadonlySet<HTTPMethods>): void {
  const allow = [...allowed].join(", ");
  app.route({
    method: METHODS.filter((method) => !allowed.has(method)),
    url,
    onRequest: async (request, reply) =>
      sendProblem(request, reply, problem("method-not-allowed", `Allowed here: ${allow}.`), { Allow: allow }),
    handler: async () => undefined,
  });
}

async function admit(
  deps: MountDeps,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  request.startedMs = performance.now();
  const caller = await signIn(deps, operation.who, request);
  if (!caller.ok) {
    const { problem: refusal, headers } = caller.refusal;
    return finish(deps, operation, request, reply, { ...renderProblem(request, refusal), headers });
  }
  request.caller = caller.value;
  if (operation.who !== "account" || caller.value.kind !== "account") return undefined;
  const { account } = caller.value;
  const denied = await takeFromLimit(deps, caller.value, operation.limit, operation.cost ? 0 : 1, request);
  if (denied) return finish(deps, operation, request, reply, renderDenied(request, denied));
  if (account.status === "Suspended" && !operation.servesSuspended) {
    const advice = `Ask ${deps.supportContact} why, and what to do.`;
    return finish(deps, operation, request, reply, renderProblem(request, suspended(advice)));
  }
  if (!operation.form) return undefined;
  const leave = await deps.forms.enter(account.sid);
  if (!leave) return finish(deps, operation, request, reply, renderProblem(request, CROWDED));
  if (reply.raw.destroyed) leave();
  else reply.raw.once("close", leave);
  return undefined;
}

const CROWDED: Problem = {
  ...problem("unavailable", "Too many files are on their way here. Ask again in a moment."),
  retryAfterSeconds: 1,
};

/** Senders of messages know it by a number. */
function suspended(advice: string): Problem {
  return { ...problem("account-suspended", advice), errorCode: 3019, errorMessage: "The account is suspended." };
}

function finish(
  deps: ApiDeps,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
): FastifyReply {
  deps.observe(operation.id, answer.status, (performance.now() - request.startedMs) / 1000);
  return send(request, reply, answer);
}

interface Denial {
  readonly problem: Problem;
  readonly retryAfterSeconds: number;
}

function renderDenied(request: FastifyRequest, { problem: refusal, retryAfterSeconds }: Denial): Answer {
  return { ...renderProblem(request, refusal), headers: { "Retry-After": String(retryAfterSeconds) } };
}

async function takeFromLimit(
  deps: ApiDeps,
  caller: Extract<Caller, { kind: "account" }>,
  limitClass: LimitClass,
  cost: number,
  request: FastifyRequest,
): Promise<Denial | undefined> {
  const limit = limitOf(caller.account, limitClass);
  const taken = await deps.limits.take(caller.account.sid, limitClass, limit, cost);
  request.limitHeaders = limitHeaders(limit, taken);
  if (taken.admitted) return undefined;
  const { resetSeconds } = taken;
  const detail = `${limit.requests} per ${limit.windowSeconds} s are allowed; ask again in ${resetSeconds} s.`;
  return { problem: problem("rate-limited", detail), retryAfterSeconds: resetSeconds };
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

async function serve(
  deps: ApiDeps,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { caller } = request;
  if (!caller) throw new Error(`${operation.id} was reached without a caller`);
  const unfit = unfitBody(operation, request.body);
  if (unfit !== undefined) {
    const refusal = problem("unsupported-media-type", unfit);
    return finish(deps, operation, request, reply, renderProblem(request, refusal));
  }
  const form = operation.form && (await operation.form.read(request.body));
  const input = readAll(operation, request, form);
  if (!input.ok) return finish(deps, operation, request, reply, renderProblem(request, invalid(input.refusal)));
  if (operation.who === "account" && operation.cost && caller.kind === "account") {
    const denied = await takeFromLimit(deps, caller, operation.limit, operation.cost(input.value.body), request);
    if (denied) return finish(deps, operation, request, reply, renderDenied(request, denied));
  }
  const answer = await carryOut(deps, { operation, caller, input: input.value }, request);
  return finish(deps, operation, request, reply, answer);
}

function unfitBody({ form, readBody }: Operation, body: unknown): string | undefined {
  if (form?.isRequired && !(body instanceof Multipart)) return "Send a form with files as multipart/form-data.";
  return body instanceof FormFields && !readBody ? "Send JSON as application/json." : undefined;
}

function readAll(operation: Operation, request: FastifyRequest, form: unknown): Result<Work["input"], FieldErrors> {
  const params = readPart(operation.params, request.params, "text");
  const query = readPart(operation.query, request.query, "text");
  const body = operation.form ? ok(form) : readBodyOf(operation, request.body);
  if (params.ok && query.ok && body.ok) {
    return ok({ params: params.value, query: query.value, body: body.value });
  }
  // Not assigned into an object: a member may be called __proto__.
  return refused(
    Object.fromEntries([params, query, body].flatMap((part) => (part.ok ? [] : Object.entries(part.refusal)))),
  );
}

function readBodyOf({ readBody, body: schema }: Operation, body: unknown): Result<unknown, FieldErrors> {
  if (!readBody) return readPart(schema, body, "json");
  return ok(readBody(body instanceof FormFields ? body.fields : body));
}

function readPart(schema: z.ZodType | undefined, raw: unknown, form: Form): Result<unknown, FieldErrors> {
  if (schema) return readInput(schema, raw, form);
  const names = raw !== null && typeof raw === "object" ? Object.keys(raw) : [];
  if (names.length === 0) return ok(undefined);
  return refused(
    Object.fromEntries(names.slice(0, 20).map((name) => [name.slice(0, 64), ["This is not known here."]])),
  );
}
