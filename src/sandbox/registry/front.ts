// The simulated registry's HTTP: who asks, how often, how much, and then the table of routes.

import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Clock } from "../../base/clock.ts";
import { type Asked, ROUTES, type World } from "./routes.ts";
import { WindowCount } from "./window-count.ts";

export type FaultyAnswer = 429 | 500 | "garbage" | "down";

export interface FrontDeps {
  /** Given instead of every answer. */
  readonly faultyAnswer: () => FaultyAnswer | undefined;
  readonly callerOf: (request: IncomingMessage) => string | undefined;
  readonly clock: Clock;
  readonly world: World;
}

const BODY_BYTES_MAX = 64 * 1024;

export function registryFront({ faultyAnswer, callerOf, clock, world }: FrontDeps): RequestListener {
  const reads = new WindowCount(20, 1000, clock);
  const writes = new WindowCount(20, 10_000, clock);
  return async (request, response) => {
    request.on("error", () => {});
    const fault = faultyAnswer();
    if (fault !== undefined) return fail(request, response, fault);
    const caller = callerOf(request);
    if (caller === undefined) return send(response, 401);
    if (!(request.method === "GET" ? reads : writes).mayPass(caller)) return send(response, 429);
    const body = await readBody(request);
    if (body === undefined) return send(response, 413);
    return answerAsked(world, request, response, { caller, body });
  };
}

async function answerAsked(
  world: World,
  request: IncomingMessage,
  response: ServerResponse,
  asked: Pick<Asked, "caller" | "body">,
): Promise<void> {
  const [pathname = "", search = ""] = (request.url ?? "").split("?");
  for (const { method, path, answer } of ROUTES) {
    const parts = method === request.method ? path.exec(pathname)?.slice(1) : undefined;
    if (!parts) continue;
    const reply = await answer(world, { ...asked, parts, query: new URLSearchParams(search) });
    if (!reply.ok) return send(response, 400, reply.refusal);
    return reply.value === undefined ? send(response, 204) : send(response, 200, reply.value);
  }
  return send(response, 404);
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

/** Undefined when it is too much; what is no JSON is null, and is refused for lack of members. */
async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      // The rest is read and dropped, so that whoever sends it sees the answer.
      if (size <= BODY_BYTES_MAX) chunks.push(chunk);
    }
    if (size > BODY_BYTES_MAX) return undefined;
    return JSON.parse(Buffer.concat(chunks).toString() || "null");
  } catch {
    return null;
  }
}
