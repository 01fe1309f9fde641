// Renders and writes answers: the headers of every answer, the negotiated media type, problems.

import { STATUS_CODES } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { gzip as zip } from "node:zlib";
import type { ByteStream } from "../../../base/byte-stream.ts";
import type { Problem } from "../../../domain/problems.ts";
import type { Exchange } from "./exchange.ts";
import { contentTypeFor, harmlessType } from "./media-type.ts";
import type { Reply, ReplyContent } from "./operation.ts";
import type { StoredAnswer } from "./ports.ts";
import { PROBLEM_STATUS, problemBody, traceIdFor } from "./problem-answer.ts";
import type { Refusal } from "./refusal-log.ts";
import type { RequestContext } from "./request-context.ts";
import { hasSessionHeader } from "./session-cookie.ts";
import { openSocket } from "./web-socket.ts";

/** Text is stored for repeats under an Idempotency-Key; a stream is not. */
export interface Answer extends StoredAnswer {
  readonly isTrial?: true;
  readonly stream?: AsyncIterable<string>;
  readonly socket?: Reply["socket"];
  readonly content?: ReplyContent;
  /** A body that is not the API's: `headers` holds its type and its caching headers. */
  readonly raw?: Uint8Array | ByteStream;
  /** Set when the answer is a refusal. */
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

function textOf({ body, json, file }: Reply): string {
  if (json !== undefined) return json;
  if (file) return Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.byteLength).toString("base64");
  return body === undefined ? "" : JSON.stringify(body);
}

export function renderProblem(
  context: Pick<RequestContext, "id" | "url" | "headers">,
  problem: Problem,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const path = context.url.split("?", 1)[0] ?? "";
  const traceId = traceIdFor(context.headers.traceparent, context.id);
  const answer = render({
    status: PROBLEM_STATUS[problem.code],
    body: problemBody(problem, path.slice(0, 256), traceId),
    headers: {
      ...headers,
      ...(problem.retryAfterSeconds !== undefined && { "Retry-After": String(problem.retryAfterSeconds) }),
      // RFC 9110 14.4: the complete length.
      ...(problem.sizeBytes !== undefined && { "Content-Range": `bytes */${problem.sizeBytes}` }),
    },
  });
  return { ...answer, refusal: { problem, traceId } };
}

/** Writes the answer, unless the exchange has one. */
export function send(exchange: Exchange, answer: Answer): void {
  if (exchange.isAnswered) {
    answer.content?.stream.destroy();
    return;
  }
  exchange.isAnswered = true;
  if (answer.socket) openSocket(exchange, answer.socket);
  else if (answer.stream) sendStream(exchange, answer.stream);
  else if (answer.raw) sendRaw(exchange, answer, answer.raw);
  else if (answer.content) sendContent(exchange, answer, answer.content);
  else {
    const content = answer.file ? Buffer.from(answer.text, "base64") : answer.text;
    if (isZipped(exchange, answer)) zip(content, ZIP, (_, zipped) => sendText(exchange, answer, content, zipped));
    else sendText(exchange, answer, content);
  }
}

/** Without `zipped`, also when compressing failed, the content is sent as it is. */
function sendText(exchange: Exchange, answer: Answer, content: string | Uint8Array, zipped?: Uint8Array): void {
  const sent = zipped ?? content;
  const headers = headersOf(exchange, answer, Buffer.byteLength(sent));
  if (zipped) {
    headers.push("Content-Encoding", "gzip");
    headers[headers.indexOf("Vary") + 1] += ", Accept-Encoding";
  }
  writeHead(exchange, answer.status, headers);
  endWith(exchange, sent);
}

const ZIPPED_BYTES_MIN = 1024;
/** Quick: an answer is compressed for one reader. */
const ZIP = { level: 3 };

/**
 * Pages read long lists over slow lines. Programs, which are near or on the hot path, are not worth the processor time.
 * The length of what is compressed betrays nothing: no other page can make such a request, not even one of the same
 * host on another port, because it needs the header of session-cookie.ts. And tokens and secrets are shown by the
 * answer to a change, which is never compressed.
 */
function isZipped({ method, headers }: Exchange, { text, file }: Answer): boolean {
  if (file || text.length < ZIPPED_BYTES_MIN || !hasSessionHeader(headers)) return false;
  if (method !== "GET" && method !== "HEAD") return false;
  return /\bgzip\b/.test(String(headers["accept-encoding"] ?? ""));
}

function sendContent(exchange: Exchange, answer: Answer, { sizeBytes, stream }: ReplyContent): void {
  writeHead(exchange, answer.status, headersOf(exchange, answer, sizeBytes));
  pipe(exchange, stream);
}

function sendRaw(exchange: Exchange, { status, headers }: Answer, body: Uint8Array | ByteStream): void {
  const own = Object.entries(headers).flat();
  if (body instanceof Uint8Array) {
    writeHead(exchange, status, [...commonHeaders(exchange), ...own, "Content-Length", body.byteLength]);
    endWith(exchange, body);
  } else {
    writeHead(exchange, status, [...commonHeaders(exchange), ...own]);
    pipe(exchange, body);
  }
}

function sendStream(exchange: Exchange, stream: AsyncIterable<string>): void {
  writeHead(exchange, 200, [...commonHeaders(exchange), ...OF_EVERY_ANSWER, ...OF_EVENTS]);
  pipe(exchange, Readable.from(stream));
}

function endWith({ method, response }: Exchange, content: string | Uint8Array): void {
  response.end(method === "HEAD" ? undefined : content);
}

/** Destroys the connection when the client leaves or the content breaks off: no part is taken for the whole. */
function pipe({ method, response }: Exchange, stream: ByteStream | Readable): void {
  if (method === "HEAD") {
    stream.destroy();
    response.end();
    return;
  }
  pipeline(stream, response).catch(() => {
    stream.destroy();
    response.destroy();
  });
}

function writeHead({ response }: Exchange, status: number, headers: (string | number)[]): void {
  const varies = headers.indexOf("Vary") + 1;
  const before = response.getHeader("Vary");
  if (varies > 0 && before !== undefined) headers[varies] = `${before}, ${headers[varies]}`;
  response.writeHead(status, headers as string[]);
}

/** Names and values alternate. */
type Headers = readonly (string | number)[];

const OF_EVERY_ANSWER: Headers = ["Cache-Control", "no-store"];
const VARIES: Headers = ["Vary", "Accept"];
const OF_CONTENT: Headers = [...VARIES, "X-Content-Type-Options", "nosniff"];
/** Proxies must not buffer them. */
const OF_EVENTS: Headers = ["X-Accel-Buffering", "no", "Content-Type", "text/event-stream; charset=utf-8"];

function commonHeaders({ id, limitHeaders }: RequestContext): (string | number)[] {
  return limitHeaders ? ["X-Request-Id", id, ...limitHeaders] : ["X-Request-Id", id];
}

function headersOf(context: RequestContext, answer: Answer, length: number): (string | number)[] {
  const headers = [...commonHeaders(context), ...OF_EVERY_ANSWER];
  for (const name in answer.headers) headers.push(name, answer.headers[name] as string);
  if (hasContent(answer.status)) {
    headers.push("Content-Type", contentTypeOf(context, answer), "Content-Length", length, ...OF_CONTENT);
  }
  // RFC 9110 15.4.5: a 304 carries the Vary that the answer with the content would carry.
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

/** A whole answer as text, for a connection without Node's HTTP server. `keptAliveMs` 0 closes the connection. */
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

/** Formatted once a second. */
function dateText(nowMs: number): string {
  const second = Math.floor(nowMs / 1000);
  if (second !== dated.second) dated = { second, text: new Date(nowMs).toUTCString() };
  return dated.text;
}

/** Outsiders made the file, so browsers must not run scripts in it. */
function fileHeaders(name: string): readonly string[] {
  const plain = name.replace(/[^A-Za-z0-9._ ()-]/g, "_");
  const disposition = `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name.toWellFormed())}`;
  return ["Content-Disposition", disposition, "Content-Security-Policy", "sandbox; default-src 'none'"];
}
