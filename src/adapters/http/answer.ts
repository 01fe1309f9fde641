// The one place where answers leave: headers of every answer, negotiated media type, problems.

import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Problem } from "../../domain/problems.ts";
import { contentTypeFor } from "./media-type.ts";
import type { Reply } from "./operation.ts";
import type { KeptAnswer } from "./ports.ts";
import { PROBLEM_STATUS, problemBody, traceIdFor } from "./problem-answer.ts";

/** What is kept for repeats is text; a stream is not kept. */
export interface Answer extends KeptAnswer {
  readonly stream?: AsyncIterable<string>;
}

export function render(reply: Reply): Answer {
  return {
    status: reply.status,
    headers: reply.headers ?? {},
    text: reply.body === undefined ? "" : JSON.stringify(reply.body),
    ...(reply.stream === undefined ? {} : { stream: reply.stream }),
  };
}

export function renderProblem(request: FastifyRequest, problem: Problem): Answer {
  const path = request.url.split("?", 1)[0] ?? "";
  return render({
    status: PROBLEM_STATUS[problem.code],
    body: problemBody(problem, path.slice(0, 256), traceIdFor(request.headers.traceparent)),
  });
}

export function send(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply {
  reply.code(answer.status).headers(answer.headers).header("Cache-Control", "no-store");
  if (answer.status === 204) return reply.send();
  if (answer.stream) {
    // Proxies must not hold back what is meant to arrive at once.
    reply.header("Content-Type", "text/event-stream; charset=utf-8").header("X-Accel-Buffering", "no");
    return reply.send(Readable.from(answer.stream));
  }
  return reply
    .header("Content-Type", contentTypeFor(request.headers.accept))
    .header("Vary", "Accept")
    .header("X-Content-Type-Options", "nosniff")
    .send(answer.text);
}

export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
  headers: Readonly<Record<string, string>> = {},
): FastifyReply {
  return send(request, reply.headers(headers), renderProblem(request, problem));
}
