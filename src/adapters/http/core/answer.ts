// Renders and writes answers: the headers of every answer, the negotiated media type, problems.

import { STATUS_CODES } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Problem } from "../../../domain/problems.ts";
import { contentTypeFor, harmlessType } from "./media-type.ts";
import type { Operation, Reply, ReplyContent } from "./operation.ts";
import type { StoredAnswer } from "./ports.ts";
import { PROBLEM_STATUS, problemBody, traceIdFor } from "./problem-answer.ts";
import type { Refusal, RefusalLog } from "./refusal-log.ts";
import type { RequestContext } from "./request-context.ts";
import { openSocket } from "./web-socket.ts";

declare module "fastify" {
  interface FastifyInstance {
    refusals: RefusalLog;
    /** Requests whose refusals are shown in another shape. */
    problemShapes: ProblemShape[];
  }
  interface FastifyRequest {
    limitHeaders: RequestContext["limitHeaders"];
  }
  interface FastifyContextConfig {
    /** That the route is of. */
    operation?: Operation;
  }
}

export interface ProblemShape {
  readonly fits: (request: FastifyRequest) => boolean;
  readonly show: (problem: Problem, status: number) => object;
}

/** Text is stored for repeats under an Idempotency-Key; a stream is not. */
export interface Answer extends StoredAnswer {
  readonly isTrial?: true;
  readonly stream?: AsyncIterable<string>;
  readonly socket?: Reply["socket"];
  readonly content?: ReplyContent;
  /** What the answer tells, where it is a refusal. */
  readonly refusal?: Refusal;
}

export function render(reply: Reply): Answer {
  const { status, headers = {}, file, stream, socket, content, isTrial } = reply;
  const answer = { status, headers, text: textOf(reply) };
  if (!file && !stream && !socket && !content && !isTrial) return answer;
  return {
    ...answer,
    ...(file && { file: { name: file.name, contentType: file.contentType } }),
    ...(stream && { stream }),
    ...(socket && { socket }),
    ...(content && { content, file: content }),
    ...(isTrial && { isTrial }),
  };
}

function textOf({ body, file }: Reply): string {
  if (file) return Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.byteLength).toString("base64");
  return body === undefined ? "" : JSON.stringify(body);
}

export function renderProblem(context: Pick<RequestContext, "url" | "headers">, problem: Problem): Answer {
  const path = context.url.split("?", 1)[0] ?? "";
  const traceId = traceIdFor(context.headers.traceparent);
  const answer = render({
    status: PROBLEM_STATUS[problem.code],
    body: problemBody(problem, path.slice(0, 256), traceId),
    headers: {
      ...(problem.retryAfterSeconds !== undefined && { "Retry-After": String(problem.retryAfterSeconds) }),
      // RFC 9110 14.4: how much there is.
      ...(problem.sizeBytes !== undefined && { "Content-Range": `bytes */${problem.sizeBytes}` }),
    },
  });
  return { ...answer, refusal: { problem, traceId } };
}

/** The refusal as clients of that address read it. */
export function inShapeOf(request: FastifyRequest, answer: Answer): Answer {
  if (!answer.refusal) return answer;
  const shape = request.server.problemShapes.find(({ fits }) => fits(request));
  return shape ? { ...answer, text: JSON.stringify(shape.show(answer.refusal.problem, answer.status)) } : answer;
}

export function noteRefusal(request: FastifyRequest, { refusal }: Answer): void {
  if (refusal) request.server.refusals.note(request, request.routeOptions.config.operation, refusal);
}

/** Writes without the framework, whose reply would cost more CPU than the rest of a lookup. */
export function send(request: FastifyRequest, reply: FastifyReply, given: Answer): FastifyReply {
  const answer = inShapeOf(request, given);
  if (answer.stream) return sendStream(request, reply, answer.stream);
  if (answer.socket) {
    openSocket(request, reply, answer.socket);
    return reply;
  }
  if (answer.content) return sendContent(request, reply, answer, answer.content);
  noteRefusal(request, answer);
  const content = answer.file ? Buffer.from(answer.text, "base64") : answer.text;
  const headers = headersOf(request, answer, Buffer.byteLength(content));
  const connection = reply.getHeader("connection");
  if (typeof connection === "string") headers.push("Connection", connection);
  reply.hijack();
  writeHead(reply, answer.status, headers);
  reply.raw.end(request.method === "HEAD" ? undefined : content);
  return reply;
}

function sendContent(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
  { sizeBytes, stream }: ReplyContent,
): FastifyReply {
  reply.hijack();
  writeHead(reply, answer.status, headersOf(request, answer, sizeBytes));
  if (request.method === "HEAD") {
    stream.destroy();
    reply.raw.end();
    return reply;
  }
  // A reader who goes away, and a file that breaks off, end the connection: its length tells the reader.
  pipeline(stream, reply.raw).catch((error: Error) => {
    stream.destroy();
    reply.raw.destroy();
    request.log.debug({ reason: error.message }, "content not sent to its end");
  });
  return reply;
}

function writeHead(reply: FastifyReply, status: number, headers: (string | number)[]): void {
  const varies = headers.indexOf("Vary") + 1;
  if (varies > 0) headers[varies] = variesBy(reply, headers[varies] as string);
  reply.raw.writeHead(status, headers as string[]);
}

/** The value of Vary, which would replace what was said before: that the answer depends on the origin of a page. */
export function variesBy(reply: FastifyReply, header: string): string {
  const before = reply.raw.getHeader("Vary");
  return before === undefined ? header : `${before}, ${header}`;
}

/** Names and values alternate. */
type Headers = readonly (string | number)[];

const OF_EVERY_ANSWER: Headers = ["Cache-Control", "no-store"];
const VARIES: Headers = ["Vary", "Accept"];
const OF_CONTENT: Headers = [...VARIES, "X-Content-Type-Options", "nosniff"];

function headersOf(context: RequestContext, answer: Answer, length: number): (string | number)[] {
  const headers: (string | number)[] = ["X-Request-Id", context.id, ...OF_EVERY_ANSWER];
  if (context.limitHeaders) headers.push(...context.limitHeaders);
  for (const name in answer.headers) headers.push(name, answer.headers[name] as string);
  if (hasContent(answer.status)) {
    headers.push("Content-Type", contentTypeOf(context, answer), "Content-Length", length, ...OF_CONTENT);
  }
  // RFC 9110 15.4.5: it says what the answer with the content would say to caches.
  if (answer.status === 304) headers.push(...VARIES);
  if (answer.file) headers.push(...fileHeaders(answer.file.name));
  return headers;
}

function hasContent(status: number): boolean {
  return status !== 204 && status !== 304;
}

function contentTypeOf({ headers: { accept } }: RequestContext, { file }: Answer): string {
  return file ? harmlessType(file.contentType) : contentTypeFor(accept);
}

/** A whole answer as text, for a connection without Node's HTTP server. 0 closes the connection after it. */
export function answerText(context: RequestContext, answer: Answer, keptAliveMs: number): string {
  const { status, headers, file, text } = answer;
  let own = context.limitHeaders ? linesOf(context.limitHeaders) : "";
  for (const name in headers) own += `${name}: ${headers[name]}\r\n`;
  if (hasContent(status)) {
    own += `Content-Type: ${contentTypeOf(context, answer)}\r\nContent-Length: ${Buffer.byteLength(text)}\r\n${LINES_OF_CONTENT}`;
  }
  if (file) own += linesOf(fileHeaders(file.name));
  const connection =
    keptAliveMs === 0 ? "close" : `keep-alive\r\nKeep-Alive: timeout=${Math.floor(keptAliveMs / 1000)}`;
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nX-Request-Id: ${context.id}\r\n${LINES_OF_EVERY_ANSWER}${own}Date: ${dateText(Date.now())}\r\nConnection: ${connection}\r\n\r\n${text}`;
}

const LINES_OF_EVERY_ANSWER = linesOf(OF_EVERY_ANSWER);
const LINES_OF_CONTENT = linesOf(OF_CONTENT);

function linesOf(headers: Headers): string {
  let lines = "";
  for (let at = 0; at < headers.length; at += 2) lines += `${headers[at]}: ${headers[at + 1]}\r\n`;
  return lines;
}

let dated = { second: 0, text: "" };

/** Made once a second. */
function dateText(nowMs: number): string {
  const second = Math.floor(nowMs / 1000);
  if (second !== dated.second) dated = { second, text: new Date(nowMs).toUTCString() };
  return dated.text;
}

/** Outsiders made the file, so no browser may run scripts in it. */
function fileHeaders(name: string): readonly string[] {
  const plain = name.replace(/[^A-Za-z0-9._ ()-]/g, "_");
  const disposition = `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name.toWellFormed())}`;
  return ["Content-Disposition", disposition, "Content-Security-Policy", "sandbox; default-src 'none'"];
}

function sendStream(request: FastifyRequest, reply: FastifyReply, stream: AsyncIterable<string>): FastifyReply {
  addLimitHeaders(request, reply);
  // Proxies must not buffer the stream.
  reply.header("Cache-Control", "no-store").header("X-Accel-Buffering", "no");
  return reply.header("Content-Type", "text/event-stream; charset=utf-8").send(Readable.from(stream));
}

/** For an answer that the framework writes. */
export function addLimitHeaders(request: FastifyRequest, reply: FastifyReply): void {
  const limits = request.limitHeaders ?? [];
  for (let at = 0; at < limits.length; at += 2) reply.header(limits[at] as string, limits[at + 1]);
}

export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
  headers: Readonly<Record<string, string>> = {},
): FastifyReply {
  const answer = renderProblem(request, problem);
  return send(request, reply, { ...answer, headers: { ...answer.headers, ...headers } });
}
