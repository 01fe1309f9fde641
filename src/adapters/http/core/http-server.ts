// The HTTP server: a router on Node's HTTP server, with what all answers share: X-Request-Id, problems for every
// refusal, bounds on all that a client can send, and a drain that lets running requests finish.

import { createServer as createPlainServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Socket } from "node:net";
import createRouter from "find-my-way";
import type { Uuids } from "../../../base/ids.ts";
import type { Log } from "../../../base/log.ts";
import type { MaybePromise } from "../../../base/maybe-promise.ts";
import { type FieldErrors, invalid, type Problem, problem } from "../../../domain/problems.ts";
import { type BodyRefusal, type BodyRules, FIELDS_BYTES_MAX, readRequestBody } from "../reading/request-body.ts";
import { type Answer, answerText, renderProblem, send } from "./answer.ts";
import { type ConnectionLimit, limitConnections } from "./connection-limit.ts";
import { guardOrigins, type OriginGuard, type OriginRules } from "./cross-site.ts";
import { Exchange } from "./exchange.ts";
import { problemOfFault } from "./fault-problem.ts";
import type { Operation } from "./operation.ts";
import type { RefusalLog } from "./refusal-log.ts";
import { ADDRESS_LENGTH_MAX, HEADER_BYTES_MAX } from "./request-head.ts";
import { takeTurns } from "./request-turns.ts";
import { refusedBy } from "./run-operation.ts";
import { TrustedProxies } from "./trusted-proxies.ts";
import { answerWhatNodeWould, endWhenIdle, endWithUnreadBody } from "./unreadable-requests.ts";

export interface HttpServerOptions extends OriginRules {
  readonly log: Log;
  /** Without it, the number of connections is not limited. */
  readonly connections?: ConnectionLimit;
  /** Certificate and key in PEM; plain HTTP without. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /** Addresses or networks whose X-Forwarded-For is trusted. */
  readonly trustProxy: readonly string[];
  /** Makes the ids of requests. */
  readonly uuids: Uuids;
  /** Where refusals are recorded. */
  readonly refusals: RefusalLog;
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface Route {
  readonly method: Method;
  /** A segment that begins with a colon is a parameter. */
  readonly path: string;
  /** The operation that the route serves: it gives refusals their shape. */
  readonly operation?: Operation;
  /** False: HEAD is refused, because it would never end on a stream. */
  readonly servesHead?: boolean;
  /** JSON or a form by default. A GET has no body. */
  readonly body?: BodyRules;
  /** Runs before the body is read; an answer that it returns is sent instead. */
  readonly admit?: (exchange: Exchange) => MaybePromise<Answer | undefined>;
  readonly handle: (exchange: Exchange, body: unknown) => MaybePromise<Answer>;
}

/** The shape of the refusals of some requests. */
export interface ProblemShape {
  readonly fits: (exchange: Exchange) => boolean;
  readonly show: (problem: Problem, status: number) => object;
}

type Handle = Route["handle"];

/** The routes of one path, by method. */
type Methods = Map<string, Route>;

const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_MS = 65_000;
const FIELDS: BodyRules = { form: "fields", bytesMax: FIELDS_BYTES_MAX };
/** The router finds paths only; methods are looked up in what it finds. */
const ANY_METHOD = "GET";

export class HttpServer {
  readonly server: Server;
  /** The first that fits a request shapes its refusal. */
  readonly problemShapes: ProblemShape[] = [];
  readonly #log: Log;
  readonly #uuids: Uuids;
  readonly #refusals: RefusalLog;
  readonly #proxies: TrustedProxies;
  readonly #guardOrigin: OriginGuard;
  readonly #addresses = createRouter({
    caseSensitive: false,
    ignoreTrailingSlash: true,
    // The operation refuses a parameter that is too long, not the router.
    maxParamLength: HEADER_BYTES_MAX,
    onBadUrl: () => undefined,
  });
  readonly #methodsByPath = new Map<string, Methods>();
  readonly #connections = new Set<Socket>();
  readonly #closingHooks: (() => Promise<void>)[] = [];
  readonly #barriers: ((exchange: Exchange) => Problem | undefined)[] = [];
  #elsewhere: Handle | undefined;
  /** About to close: each connection is asked to end after its next answer. */
  #isLeaving = false;
  #closing: Promise<void> | undefined;

  constructor(options: HttpServerOptions) {
    this.#log = options.log;
    this.#uuids = options.uuids;
    this.#refusals = options.refusals;
    this.#proxies = new TrustedProxies(options.trustProxy);
    this.#guardOrigin = guardOrigins(options);
    this.server = newServer(options, (request, response) => void this.#serve(request, response));
    if (options.connections) limitConnections(this.server, options.connections, this.#proxies);
    takeTurns(this.server);
    answerWhatNodeWould(this.server);
    this.#trackConnections(options.tls ? "secureConnection" : "connection");
  }

  route(route: Route): void {
    const { method, path, servesHead = true } = route;
    const methods: Methods = this.#methodsByPath.get(path) ?? new Map();
    if (!this.#methodsByPath.has(path)) {
      this.#methodsByPath.set(path, methods);
      this.#addresses.on(ANY_METHOD, path, () => undefined, methods);
    }
    if (methods.has(method)) throw new Error(`${method} ${path} has two routes`);
    methods.set(method, route);
    if (method === "GET" && servesHead) methods.set("HEAD", route);
  }

  get(path: string, handle: (exchange: Exchange) => MaybePromise<Answer>): void {
    this.route({ method: "GET", path, handle });
  }

  /** Serves GET at every path that has no route. */
  getElsewhere(handle: (exchange: Exchange) => MaybePromise<Answer>): void {
    this.#elsewhere = handle;
  }

  /** Refuses requests before routing, including those that have no route. */
  refuseWhere(barrier: (exchange: Exchange) => Problem | undefined): void {
    this.#barriers.push(barrier);
  }

  /** Called when the server begins to close, before it waits for the requests that are running. */
  onClosing(hook: () => Promise<void>): void {
    this.#closingHooks.push(hook);
  }

  listen({ host, port }: { readonly host: string; readonly port: number }): Promise<void> {
    return new Promise((resolve, reject) => {
      this.server.once("error", reject);
      this.server.listen({ host, port }, () => {
        this.server.off("error", reject);
        resolve();
      });
    });
  }

  get isLeaving(): boolean {
    return this.#isLeaving;
  }

  /** Serves on, and lets no client use a connection again. */
  leave(): void {
    this.#isLeaving = true;
  }

  /** Ends idle connections now and the others after the answers to their requests. Resolves when all have ended. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.leave();
    this.#connections.forEach(endWhenIdle);
    // Stops listening before anything is awaited, for a connection accepted from now on would be destroyed.
    const closed = this.server.listening ? new Promise((resolve) => this.server.close(resolve)) : undefined;
    for (const hook of this.#closingHooks) await hook();
    await closed;
  }

  /** Destroys all connections immediately, even with requests under way. */
  cutConnections(): void {
    for (const socket of this.#connections) socket.destroy();
  }

  /** Node's own list lacks connections without a request so far, which would also hold up a drain. */
  #trackConnections(event: string): void {
    this.server.on(event, (socket: Socket) => {
      if (this.#closing) socket.destroy();
      this.#connections.add(socket);
      socket.once("close", () => this.#connections.delete(socket));
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { socket } = request;
    // RFC 9112 9.6: after the last answer on a connection, no further request is processed.
    if (socket.writableEnded) {
      request.resume();
      return;
    }
    const exchange = new Exchange(request, response, this.#proxies, this.#uuids);
    if (this.#isLeaving) response.setHeader("Connection", "close");
    if (this.#closing) endWhenIdle(socket);
    const early = this.#refuseHead(exchange) ?? this.#guardOrigin(exchange);
    if (early) this.#send(exchange, undefined, early);
    else await this.#serveRoute(exchange);
  }

  #refuseHead(exchange: Exchange): Answer | undefined {
    if (exchange.url.length > ADDRESS_LENGTH_MAX) {
      return renderProblem(exchange, problem("uri-too-long", `${ADDRESS_LENGTH_MAX} characters are read at most.`));
    }
    const faults = headerFaults(exchange.request);
    return faults && renderProblem(exchange, invalid(faults), { Connection: "close" });
  }

  async #serveRoute(exchange: Exchange): Promise<void> {
    const { method, url } = exchange;
    const found = this.#addresses.find(ANY_METHOD, url);
    // The router's result for a path that it cannot decode.
    if (found && !found.store) return this.#refuse(exchange, undefined, BAD_URL);
    const methods = found?.store as Methods | undefined;
    const route = methods?.get(method);
    exchange.operation = route?.operation;
    for (const barrier of this.#barriers) {
      const refusal = barrier(exchange);
      if (refusal) return this.#refuse(exchange, exchange.operation, refusal);
    }
    if (methods && !route) {
      const allow = [...methods.keys()].join(", ");
      return this.#refuse(exchange, undefined, problem("method-not-allowed", `Allowed here: ${allow}.`), {
        Allow: allow,
      });
    }
    exchange.params = found?.params;
    exchange.query = found?.searchParams;
    const elsewhere = method === "GET" || method === "HEAD" ? this.#elsewhere : undefined;
    try {
      if (route) await this.#answerBy(route, exchange);
      else if (elsewhere) this.#send(exchange, undefined, await elsewhere(exchange, undefined));
      else this.#refuse(exchange, undefined, NOT_FOUND);
    } catch (fault) {
      this.#refuse(exchange, route?.operation, problemOfFault(fault, this.#log, exchange, route?.path));
    }
  }

  async #answerBy(route: Route, exchange: Exchange): Promise<void> {
    const { operation } = route;
    const denied = await route.admit?.(exchange);
    if (denied) return this.#send(exchange, operation, denied);
    if (route.method === "GET") return this.#send(exchange, operation, await route.handle(exchange, undefined));
    const body = await readRequestBody(exchange.request, route.body ?? FIELDS);
    if (body.ok) this.#send(exchange, operation, await route.handle(exchange, body.value));
    else this.#refuseBody(exchange, operation, body.refusal);
  }

  /** Refuses a body that could not be read, as its operation shapes refusals. */
  #refuseBody(exchange: Exchange, operation: Operation | undefined, { problem: refusal, isUnread }: BodyRefusal): void {
    const answer = renderProblem(exchange, refusedBy(operation, refusal));
    if (isUnread) {
      exchange.isAnswered = true;
      endWithUnreadBody(exchange.request, answerText(exchange, this.#shaped(exchange, operation, answer), 0));
    } else {
      this.#send(exchange, operation, answer);
    }
  }

  #refuse(
    exchange: Exchange,
    operation: Operation | undefined,
    refusal: Problem,
    headers: Readonly<Record<string, string>> = {},
  ): void {
    this.#send(exchange, operation, renderProblem(exchange, refusal, headers));
  }

  #send(exchange: Exchange, operation: Operation | undefined, answer: Answer): void {
    send(exchange, this.#shaped(exchange, operation, answer));
  }

  /** Records a refusal, and gives it the shape that clients of its path expect. */
  #shaped(exchange: Exchange, operation: Operation | undefined, answer: Answer): Answer {
    if (!answer.refusal) return answer;
    this.#refusals.note(exchange, operation, answer.refusal);
    const shape = this.problemShapes.find(({ fits }) => fits(exchange));
    return shape ? { ...answer, text: JSON.stringify(shape.show(answer.refusal.problem, answer.status)) } : answer;
  }
}

const BAD_URL = invalid({ $: ["The address holds a malformed percent sequence."] });
const NOT_FOUND = problem("not-found", "See /docs for what there is.");

/** For a route whose resource does not exist. */
export function notFound(exchange: Exchange): Answer {
  return renderProblem(exchange, NOT_FOUND);
}

function newServer({ tls }: HttpServerOptions, serve: (request: IncomingMessage, response: ServerResponse) => void) {
  const options = {
    maxHeaderSize: HEADER_BYTES_MAX,
    requestTimeout: REQUEST_TIMEOUT_MS,
    headersTimeout: HEADERS_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: 1_000,
    // Checked in headerFaults, because Node's refusal has no X-Request-Id and no problem.
    requireHostHeader: false,
  };
  const server = tls
    ? createTlsServer({ ...options, handshakeTimeout: HEADERS_TIMEOUT_MS, ...tls }, serve)
    : createPlainServer(options, serve);
  // Every header is checked: their bytes are limited, not their number.
  server.maxHeadersCount = 0;
  return server;
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
