// The HTTP request listener of the simulated registry: authentication, rate limits, body limits, then the routes.

import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Clock } from "../../base/clock.ts";
import { readBody } from "../http.ts";
import { RateLimit } from "./rate-limit.ts";
import { type RequestContext, ROUTES, type RouteDeps } from "./routes.ts";

export type FaultyAnswer = 429 | 500 | "garbage" | "down";

export interface ListenerDeps {
  /** Replaces every answer. */
  readonly faultyAnswer: () => FaultyAnswer | undefined;
  readonly callerOf: (request: IncomingMessage) => string | undefined;
  readonly clock: Clock;
  readonly deps: RouteDeps;
}

const BODY_BYTES_MAX = 64 * 1024;

export function registryRequestListener({ faultyAnswer, callerOf, clock, deps }: ListenerDeps): RequestListener {
  const reads = new RateLimit(20, 1000, clock);
  const writes = new RateLimit(20, 10_000, clock);
  return async (request, response) => {
    request.on("error", () => {});
    const fault = faultyAnswer();
    if (fault !== undefined) return fail(request, response, fault);
    const caller = callerOf(request);
    if (caller === undefined) return send(response, 401);
    if (!(request.method === "GET" ? reads : writes).mayPass(caller)) return send(response, 429);
    const body = await readJson(request);
    if (body === undefined) return send(response, 413);
    return answerRequest(deps, request, response, { caller, body });
  };
}

function answerRequest(
  deps: RouteDeps,
  request: IncomingMessage,
  response: ServerResponse,
  context: Pick<RequestContext, "caller" | "body">,
): void {
  const [pathname = "", search = ""] = (request.url ?? "").split("?");
  for (const { method, path, answer } of ROUTES) {
    const parts = method === request.method ? path.exec(pathname)?.slice(1) : undefined;
    if (!parts) continue;
    const reply = answer(deps, { ...context, parts, query: new URLSearchParams(search) });
    if (!reply.ok) send(response, 400, reply.refusal);
    else send(response, reply.value === undefined ? 204 : 200, reply.value);
    return;
  }
  send(response, 404);
}

function fail(request: IncomingMessage, response: ServerResponse, fault: FaultyAnswer): void {
  if (fault === "down") request.socket.destroy();
  else if (fault === "garbage") response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>");
  else send(response, fault);
}

function send(response: ServerResponse, status: number, document?: unknown): void {
  if (document === undefined) response.writeHead(status).end();
  else response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(document));
}

/** Undefined for a body that is too large. Anything but JSON becomes null, and is refused for its missing members. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  try {
    const body = await readBody(request, BODY_BYTES_MAX);
    return body && JSON.parse(body.toString() || "null");
  } catch {
    return null;
  }
}
