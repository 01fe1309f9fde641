// Puts operations on the router, and the frequent ones on the fast path too.

import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods, RouteOptions } from "fastify";
import { type Problem, problem } from "../../../domain/problems.ts";
import { type Upload, UploadLimit } from "../reading/upload-limit.ts";
import { AddressMethods, type MethodsByUrl } from "./address-methods.ts";
import { type Answer, answerText, renderProblem, send, sendProblem } from "./answer.ts";
import { endAfterText } from "./end-connection.ts";
import { openFastPath } from "./fast-path.ts";
import { tellRequest } from "./live-requests.ts";
import type { Operation, OperationGroup } from "./operation.ts";
import type { Caller } from "./request-context.ts";
import { type ApiDeps, admit, serve } from "./run-operation.ts";
import { openUpgrades } from "./web-socket.ts";

interface MountDeps extends ApiDeps {
  readonly uploads: UploadLimit;
}

declare module "fastify" {
  interface FastifyRequest {
    caller: Caller | null;
    startedMs: number;
  }
}

export function mountOperations(app: FastifyInstance, deps: ApiDeps, groups: readonly OperationGroup[]): void {
  app.decorateRequest("startedMs", 0);
  const mounted = { ...deps, uploads: new UploadLimit() };
  const methodsByUrl = new Map<string, Set<HTTPMethods>>();
  const frequent = new Map<string, Operation>();
  for (const group of groups) {
    for (const operation of group.operations) {
      for (const prefix of group.prefixes) {
        const url = `${prefix}${operation.path.replace(/\{(\w+)\}/g, ":$1")}`;
        if (operation.isFrequent) frequent.set(url, operation);
        const methods = methodsByUrl.get(url) ?? new Set();
        methodsByUrl.set(url, methods.add(operation.method));
        // HEAD on a stream would never end.
        const exposeHeadRoute = operation.method === "GET" && !isStream(operation);
        if (exposeHeadRoute) methods.add("HEAD");
        app.route({
          method: operation.method,
          url,
          exposeHeadRoute,
          config: { takesForm: operation.form !== undefined, operation },
          ...(operation.form ? { bodyLimit: operation.form.bytesMax } : {}),
          ...steps(mounted, operation),
        });
      }
    }
  }
  refuseOtherMethods(app, methodsByUrl);
  if (groups.some(({ operations }) => operations.some(opensSocket))) openUpgrades(app.server);
  if (frequent.size > 0) openFastPath(app.server, deps, frequent);
}

/** A request with a body is admitted before the body is read; a GET saves the extra hook. */
function steps(deps: MountDeps, operation: Operation): Pick<RouteOptions, "onRequest" | "handler"> {
  const admitted = (request: FastifyRequest, reply: FastifyReply) => admitRequest(deps, operation, request, reply);
  const served = async (request: FastifyRequest, reply: FastifyReply) => {
    try {
      return finish(deps, operation, request, reply, await serve(deps, operation, request, request.body));
    } catch (fault) {
      deps.observe(operation.id, 500, (performance.now() - request.startedMs) / 1000);
      throw fault;
    }
  };
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

function opensSocket({ answers }: Operation): boolean {
  return 101 in answers;
}

/**
 * A route refuses a method only where the router would find another: that of a URL that fits as well, or the portal's
 * page, which GET finds everywhere. Routes for all methods would take as long to add as those of the operations.
 */
function refuseOtherMethods(app: FastifyInstance, methodsByUrl: MethodsByUrl): void {
  const addresses = new AddressMethods(methodsByUrl);
  for (const [url, allowed] of methodsByUrl) {
    const found = new Set<HTTPMethods>(["GET", "HEAD", ...addresses.shadowedBy(url)]);
    const method = [...found].filter((each) => !allowed.has(each));
    const onRequest: RouteOptions["onRequest"] = async (request, reply) => refuseMethod(request, reply, allowed);
    if (method.length > 0)
      app.route({ method, url, exposeHeadRoute: false, onRequest, handler: async () => undefined });
  }
  app.addHook("onRequest", (request, reply, done) => {
    const allowed = request.is404 ? addresses.of(request.url) : undefined;
    if (allowed) refuseMethod(request, reply, allowed);
    else done();
  });
}

function refuseMethod(request: FastifyRequest, reply: FastifyReply, allowed: ReadonlySet<HTTPMethods>): FastifyReply {
  const allow = [...allowed].join(", ");
  return sendProblem(request, reply, problem("method-not-allowed", `Allowed here: ${allow}.`), { Allow: allow });
}

async function admitRequest(
  deps: MountDeps,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const refusal = await admit(deps, operation, request);
  if (refusal) return finish(deps, operation, request, reply, refusal);
  const { caller } = request;
  if (!operation.form || caller?.kind !== "account") return undefined;
  const release = await deps.uploads.acquire(uploadOf(caller.account.sid, request, reply));
  if (!release) return finish(deps, operation, request, reply, renderProblem(request, TOO_MANY_UPLOADS));
  if (reply.raw.destroyed) release();
  else reply.raw.once("close", release);
  return undefined;
}

function uploadOf(accountSid: string, request: FastifyRequest, reply: FastifyReply): Upload {
  const { raw } = request;
  return {
    accountSid,
    isArriving: () => !raw.complete,
    bytesRead: () => raw.socket.bytesRead,
    cut() {
      const refusal = problem("request-timeout", "This form arrived too slowly while others waited.");
      reply.hijack();
      endAfterText(raw.socket, answerText(request, renderProblem(request, refusal), 0));
    },
  };
}

const TOO_MANY_UPLOADS: Problem = {
  ...problem("unavailable", "Too many files are on their way here. Ask again in a moment."),
  retryAfterSeconds: 1,
};

function finish(
  deps: ApiDeps,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
): FastifyReply {
  deps.observe(operation.id, answer.status, (performance.now() - request.startedMs) / 1000);
  tellRequest(deps.live, operation, request, answer);
  return send(request, reply, answer);
}
