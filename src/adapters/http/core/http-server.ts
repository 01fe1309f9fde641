// The HTTP server with what all answers share: X-Request-Id, problems instead of the framework's errors, bounds on all
// that a client can send, and a drain that lets running requests finish.

import { randomUUID } from "node:crypto";
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Log } from "../../../base/log.ts";
import { tableOf } from "../../../base/table.ts";
import { type FieldErrors, invalid, type Problem, problem } from "../../../domain/problems.ts";
import { type Multipart, parseMultipart } from "../reading/multipart.ts";
import { FORM_TYPE, JSON_TYPE, readForm, readJson } from "../reading/read-body.ts";
import { answerText, inShapeOf, noteRefusal, renderProblem, sendProblem } from "./answer.ts";
import { type ConnectionLimit, limitConnections } from "./connection-limit.ts";
import { guardOrigins, type OriginRules } from "./cross-site.ts";
import { endAfterText, endingOf } from "./end-connection.ts";
import { problemOfFault } from "./fault-problem.ts";
import { PROBLEM_STATUS, problemBody, traceIdFor } from "./problem-answer.ts";
import type { RefusalLog } from "./refusal-log.ts";
import { requestIdOf } from "./request-context.ts";
import { ADDRESS_LENGTH_MAX, HEADER_BYTES_MAX } from "./request-head.ts";
import { takeTurns } from "./request-turns.ts";
import { refusedBy } from "./run-operation.ts";

export interface HttpServerOptions extends OriginRules {
  readonly log: Log;
  /** Without it, as many connections as come are taken. */
  readonly connections?: ConnectionLimit;
  /** Certificate and key in PEM; plain HTTP without. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /** Addresses or networks whose X-Forwarded-For is believed. */
  readonly trustProxy: readonly string[];
  /** Where refusals are noted. */
  readonly refusals: RefusalLog;
}

const BODY_BYTES_MAX = 256 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_MS = 65_000;

/** Thrown by the body parsers; any other exception is a fault of the server. */
class Refused extends Error {
  readonly problem: Problem;
  constructor(refusal: Problem) {
    super(refusal.code);
    this.problem = refusal;
  }
}

function newFastify(options: HttpServerOptions): FastifyInstance {
  const shared = {
    logger: false,
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: "idle",
    return503OnClosing: false,
    trustProxy: options.trustProxy.length > 0 ? [...options.trustProxy] : false,
    requestIdHeader: false,
    genReqId: requestIdOf,
    clientErrorHandler: answerClientError,
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: Parameters<typeof sendProblem>[1]) => {
      reply.header("X-Request-Id", request.id);
      sendProblem(request, reply, problemOf(error, options.log, request));
    },
    // No route has a schema of the framework's, whose compilers take long to load.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    routerOptions: {
      caseSensitive: false,
      ignoreTrailingSlash: true,
      // The operation refuses a parameter that is too long, not the router.
      maxParamLength: HEADER_BYTES_MAX,
    },
  } as const;
  const http = {
    maxHeaderSize: HEADER_BYTES_MAX,
    headersTimeout: HEADERS_TIMEOUT_MS,
    connectionsCheckingInterval: 1_000,
    // Checked below, because Node's refusal has no X-Request-Id and no problem.
    requireHostHeader: false,
  };
  return (options.tls
    ? fastify({ ...shared, https: { ...http, handshakeTimeout: HEADERS_TIMEOUT_MS, ...options.tls } })
    : fastify({ ...shared, http })) as unknown as FastifyInstance;
}

function noCompiler(): never {
  throw new Error("operations have schemas of their own");
}

export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  const app = newFastify(options);
  // All headers are looked at; their bytes are limited.
  app.server.maxHeadersCount = 0;
  app.decorate("refusals", options.refusals);
  app.decorate("problemShapes", []);
  app.decorateRequest("limitHeaders", null);
  app.decorateRequest("caller", null);
  readBodies(app);
  if (options.connections) limitConnections(app.server, options.connections, options.trustProxy);
  takeTurns(app.server);
  answerWhatNodeWould(app);
  const connections = trackConnections(app, options.tls ? "secureConnection" : "connection", () => draining);
  let draining = false;
  app.addHook("preClose", async () => {
    draining = true;
    connections.forEach(endWhenIdle);
  });
  app.decorate("cutConnections", () => {
    for (const socket of connections) socket.destroy();
  });
  app.addHook("onRequest", (request, reply, done) => {
    // RFC 9112 9.6: after the last answer on a connection, no further request is processed.
    if (request.raw.socket.writableEnded) {
      reply.hijack();
      request.raw.resume();
      return;
    }
    reply.header("X-Request-Id", request.id);
    if (draining) {
      reply.header("Connection", "close");
      endWhenIdle(request.raw.socket);
    }
    if (request.url.length > ADDRESS_LENGTH_MAX) {
      sendProblem(request, reply, problem("uri-too-long", `${ADDRESS_LENGTH_MAX} characters are read at most.`));
      return;
    }
    const faults = headerFaults(request.raw);
    if (faults) {
      sendProblem(request, reply.header("Connection", "close"), invalid(faults));
      return;
    }
    done();
  });
  guardOrigins(app, options);
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (error.code === BODY_TOO_LARGE) return refuseBody(request, reply);
    return sendProblem(request, reply, ofOperation(request, problemOf(error, options.log, request)));
  });
  app.setNotFoundHandler((request, reply) =>
    sendProblem(request, reply, problem("not-found", "See /docs for what there is.")),
  );
  return app;
}

/**
 * RFC 9112 3.2: a request without Host, or with two, is answered with 400. Of two Authorization headers Node would take
 * the first and a proxy perhaps the second. The fast path hands on a head with any header twice.
 */
function headerFaults({ rawHeaders, httpVersion }: IncomingMessage): FieldErrors | undefined {
  let hosts = 0;
  let authorizations = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === "host") hosts++;
    else if (name.length === 13 && name.toLowerCase() === "authorization") authorizations++;
  }
  const isHostless = hosts === 0 && httpVersion === "1.1";
  if (!isHostless && hosts < 2 && authorizations < 2) return undefined;
  return {
    ...(isHostless ? { Host: ["This header is required."] } : {}),
    ...(hosts > 1 ? { Host: [ONCE] } : {}),
    ...(authorizations > 1 ? { Authorization: [ONCE] } : {}),
  };
}

const ONCE = "This header may be given once.";

/** Node's own list lacks connections without a request so far, which would hold up a drain too. */
function trackConnections(app: FastifyInstance, event: string, isDraining: () => boolean): ReadonlySet<Socket> {
  const connections = new Set<Socket>();
  app.server.on(event, (socket: Socket) => {
    if (isDraining()) socket.destroy();
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });
  return connections;
}

/** Node would close with the rest of the body unread, and the reset would overtake the answer. */
function refuseBody(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const tooLong = ofOperation(request, tooLarge(request.routeOptions.bodyLimit));
  const refusal = inShapeOf(request, renderProblem(request, tooLong));
  const { socket } = request.raw;
  noteRefusal(request, refusal);
  reply.hijack();
  request.raw.resume();
  after(before.get(request.raw), () => endAfterText(socket, answerText(request, refusal, 0)));
  return reply;
}

/** A body that could not be read is refused as its operation refuses; a fault of the server is none of its business. */
function ofOperation({ routeOptions: { config } }: FastifyRequest, refusal: Problem): Problem {
  return PROBLEM_STATUS[refusal.code] < 500 ? refusedBy(config.operation, refusal) : refusal;
}

/** Ends the connection at once, or when its newest answer has been written. */
function endWhenIdle(socket: Socket): void {
  const end = endingOf(socket);
  if (end) {
    end();
    return;
  }
  const newest = newestExchange.get(socket);
  after(newest?.response, () => {
    if (newestExchange.get(socket) === newest) endAfterText(socket, "");
  });
}

function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(JSON_TYPE, { parseAs: "buffer" }, (_request, body, done) => {
    // The limit of a route that takes files is higher.
    if (body.length > BODY_BYTES_MAX) return done(new Refused(tooLarge(BODY_BYTES_MAX)));
    const read = readJson(body as Buffer);
    if (read.ok) done(null, read.value);
    else done(new Refused(read.refusal));
  });
  app.addContentTypeParser(
    FORM_TYPE,
    { parseAs: "buffer" },
    async (_request: FastifyRequest, body: string | Buffer) => {
      const read = readForm(body as Buffer);
      if (!read.ok) throw new Refused(read.refusal);
      return read.value;
    },
  );
  app.addContentTypeParser(
    /^multipart\/form-data\b/i,
    { parseAs: "buffer" },
    async (request: FastifyRequest, body: string | Buffer) => readMultipart(request, body as Buffer),
  );
}

declare module "fastify" {
  interface FastifyInstance {
    /** Destroys all connections at once, with requests under way. */
    cutConnections(): void;
  }
  interface FastifyContextConfig {
    /** The route takes a form with files. */
    takesForm?: boolean;
  }
}

function readMultipart(request: FastifyRequest, body: Buffer): Multipart {
  if (!request.routeOptions.config.takesForm) throw new Refused(UNREAD_TYPE);
  const form = parseMultipart(request.headers["content-type"] ?? "", body);
  if (!form.ok) throw new Refused(invalid({ $: [form.refusal] }));
  return form.value;
}

const UNREAD_TYPE = problem("unsupported-media-type", "Send JSON as application/json, or a message as a form.");

const tooLarge = (bytesMax: number) => problem("body-too-large", `${bytesMax} bytes are read at most.`);

const BODY_TOO_LARGE = "FST_ERR_CTP_BODY_TOO_LARGE";

const FRAMEWORK_PROBLEMS = tableOf<Problem>({
  FST_ERR_CTP_INVALID_MEDIA_TYPE: UNREAD_TYPE,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: invalid({ $: ["The body is not as long as Content-Length says."] }),
  FST_ERR_BAD_URL: invalid({ $: ["The address holds a malformed percent sequence."] }),
});

function problemOf(error: FastifyError | Refused, log: Log, request: FastifyRequest): Problem {
  if (error instanceof Refused) return error.problem;
  const known = FRAMEWORK_PROBLEMS.get(error.code);
  if (known) return known;
  const status = (error as FastifyError).statusCode;
  if (status !== undefined && status >= 400 && status < 500) return invalid({ $: ["The request is malformed."] });
  return problemOfFault(error, log, request, request.routeOptions.url);
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The newest exchange of each connection. */
const newestExchange = new WeakMap<Socket, Exchange>();
/** The previous answer on the connection, if it was unfinished when the request came. */
const before = new WeakMap<IncomingMessage, ServerResponse>();
const refusedSockets = new WeakSet<Socket>();

/** Takes over the requests that Node would answer before any route sees them, without X-Request-Id. */
function answerWhatNodeWould(app: FastifyInstance): void {
  app.server.prependListener("request", (request, response) => {
    const last = newestExchange.get(request.socket)?.response;
    if (last && !last.writableFinished) before.set(request, last);
    newestExchange.set(request.socket, { request, response });
  });
  // RFC 9110 10.1.1: an unknown expectation may be ignored.
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
  app.server.on("connect", (_request, socket) => {
    // Node has detached the socket: a reset without a listener would end the process.
    socket.on("error", () => socket.destroy());
    refuseByHand(socket as Socket, problem("method-not-allowed", "This is no proxy."));
  });
}

/** Answers bytes that are no request, or not a whole one, after the earlier requests of the same connection. */
function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  // The parser reports every chunk that follows too; they are discarded.
  if (refusedSockets.has(socket)) return;
  refusedSockets.add(socket);
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const newest = newestExchange.get(socket);
  const isWithinBody = newest !== undefined && !newest.request.complete;
  if (isWithinBody && newest.response.headersSent) after(newest.response, () => endAfterText(socket, ""));
  else
    after(isWithinBody ? before.get(newest.request) : newest?.response, () =>
      refuseByHand(socket, problemOfBytes(error)),
    );
}

function after(answer: ServerResponse | undefined, action: () => void): void {
  if (!answer || answer.writableFinished) action();
  else answer.once("finish", action);
}

function problemOfBytes(error: NodeJS.ErrnoException): Problem {
  switch (error.code) {
    case "HPE_HEADER_OVERFLOW":
      return problem("headers-too-large", `${HEADER_BYTES_MAX} bytes of address and headers are read at most.`);
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return problem("request-timeout");
    default:
      return invalid({ $: ["This is not HTTP/1.1."] });
  }
}

function refuseByHand(socket: Socket, refusal: Problem): void {
  const status = PROBLEM_STATUS[refusal.code];
  const text = JSON.stringify(problemBody(refusal, null, traceIdFor(undefined)));
  endAfterText(
    socket,
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nX-Request-Id: ${randomUUID()}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  );
}
