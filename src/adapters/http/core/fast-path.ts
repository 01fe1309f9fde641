// For speed alone (`bench -- messages` would notice): the fast path for frequent operations. A plain request
// (request-head.ts) that arrives whole in one chunk is read here from its connection, goes through the same steps as
// any other, and is answered here. Anything else goes to Node's HTTP server with its bytes unchanged, and so does the
// connection, permanently. Incomplete requests are not buffered. A server that is about to stop leaves everything to
// the HTTP server, which ends each connection after its answer.

import type { Server } from "node:http";
import type { Socket } from "node:net";
import { Server as TlsServer } from "node:tls";
import { andThen, type MaybePromise } from "../../../base/maybe-promise.ts";
import type { Result } from "../../../base/result.ts";
import type { Problem } from "../../../domain/problems.ts";
import { FORM_TYPE, readForm, readJson } from "../reading/read-body.ts";
import { type Answer, answerText, renderProblem } from "./answer.ts";
import { endAfterText, setEnding } from "./end-connection.ts";
import { problemOfFault } from "./fault-problem.ts";
import { noteAnswer } from "./note-answer.ts";
import type { Operation } from "./operation.ts";
import { type RequestContext, requestIdOf } from "./request-context.ts";
import { HEADER_BYTES_MAX, HeadReader, type RequestHead } from "./request-head.ts";
import { type ApiDeps, admit, refusedBy, serve } from "./run-operation.ts";

/** A connection without a byte for this long is handed to the HTTP server, which has the timeouts for it. */
const FIRST_BYTE_MS = 1_000;

type Listener = (this: Server, socket: Socket) => void;

export interface FastPathOrder {
  readonly deps: ApiDeps;
  /** By their paths, in which a colon begins a parameter. */
  readonly operations: ReadonlyMap<string, Operation>;
  /** The server is about to stop. */
  readonly isLeaving: () => boolean;
}

export function openFastPath(server: Server, { deps, operations, isLeaving }: FastPathOrder): void {
  const routes = routesOf(operations);
  const event = server instanceof TlsServer ? "secureConnection" : "connection";
  // The first listener is the server's own; others, which only observe connections, stay.
  const [toServer] = server.listeners(event) as Listener[];
  if (!toServer) throw new Error("the HTTP server takes no connections");
  server.off(event, toServer);
  server.on(event, (socket: Socket) => {
    new FastConnection(socket, {
      deps,
      routes,
      isLeaving,
      idleMs: server.keepAliveTimeout,
      giveToServer: () => toServer.call(server, socket),
    });
  });
}

interface Route {
  readonly operation: Operation;
  /** The name of the parameter at the end of the path, if it has one. */
  readonly parameter: string | undefined;
}

/** By method, then by path without the value of the parameter. */
type Routes = Readonly<Record<RequestHead["method"], ReadonlyMap<string, Route>>>;

function routesOf(operations: ReadonlyMap<string, Operation>): Routes {
  const routes = { GET: new Map<string, Route>(), POST: new Map<string, Route>() };
  for (const [url, operation] of operations) {
    const [path = "", parameter, ...more] = url.split(":");
    const { method } = operation;
    const isServed = method === "GET" ? parameter && !parameter.includes("/") : !parameter;
    if (!isServed || more.length > 0 || (method !== "GET" && method !== "POST")) {
      throw new Error(`${operation.id} cannot be served by the fast path`);
    }
    routes[method].set(path, { operation, parameter });
  }
  return routes;
}

interface PlainRequest {
  readonly operation: Operation;
  readonly head: RequestHead;
  readonly params: Readonly<Record<string, string>> | undefined;
  readonly body: Buffer;
}

interface ConnectionOrder extends Pick<FastPathOrder, "deps" | "isLeaving"> {
  readonly routes: Routes;
  readonly idleMs: number;
  readonly giveToServer: () => void;
}

class FastConnection {
  readonly #socket: Socket;
  readonly #deps: ApiDeps;
  readonly #routes: Routes;
  readonly #idleMs: number;
  readonly #isLeaving: () => boolean;
  readonly #giveToServer: () => void;
  /** From the start of a request until its answer is written and drained. */
  #isBusy = false;
  #isUnread = false;
  #isEnding = false;
  /** Bytes that arrived while a request was being served. */
  #next: Buffer | undefined;
  readonly #heads = new HeadReader();
  #hasServed = false;

  constructor(socket: Socket, { deps, routes, isLeaving, idleMs, giveToServer }: ConnectionOrder) {
    this.#socket = socket;
    this.#deps = deps;
    this.#routes = routes;
    this.#idleMs = idleMs;
    this.#isLeaving = isLeaving;
    this.#giveToServer = giveToServer;
    socket.on("data", this.#received).on("end", this.#end).on("error", this.#failed).on("timeout", this.#timedOut);
    socket.setTimeout(FIRST_BYTE_MS);
    setEnding(socket, this.#end);
  }

  readonly #received = (piece: Buffer): void => {
    // After the last answer, input is ignored.
    if (this.#isEnding) return;
    if (this.#isBusy) {
      this.#next = this.#next ? Buffer.concat([this.#next, piece]) : piece;
      this.#socket.pause();
      return;
    }
    const request = this.#isLeaving() ? undefined : this.#read(piece);
    if (request) {
      this.#isBusy = true;
      this.#serve(request);
    } else {
      this.#handOver(piece);
    }
  };

  readonly #end = (): void => {
    this.#isEnding = true;
    if (!this.#isBusy) endAfterText(this.#socket, "");
  };

  readonly #failed = (): void => void this.#socket.destroy();

  readonly #timedOut = (): void => {
    if (this.#isUnread) this.#socket.destroy();
    if (this.#isBusy || this.#isEnding) return;
    if (this.#hasServed) this.#end();
    else this.#handOver(undefined);
  };

  #read(piece: Buffer): PlainRequest | undefined {
    const text = piece.toString("latin1", 0, Math.min(piece.length, HEADER_BYTES_MAX + END.length));
    const length = text.indexOf(END);
    if (length < 0) return undefined;
    const head = this.#heads.read(text.slice(0, length));
    if (!head || length + END.length + head.bodyLength !== piece.length) return undefined;
    const request =
      head.method === "GET" ? this.#readGet(head) : this.#readPost(head, piece.subarray(length + END.length));
    if (request && !this.#hasServed) {
      this.#hasServed = true;
      this.#socket.setTimeout(this.#idleMs);
    }
    return request;
  }

  #readPost(head: RequestHead, body: Buffer): PlainRequest | undefined {
    const route = this.#routes.POST.get(head.path);
    if (!route || !PLAIN_TYPE.test(head.headers["content-type"] ?? "")) return undefined;
    return { operation: route.operation, head, params: undefined, body };
  }

  #readGet(head: RequestHead): PlainRequest | undefined {
    const { path } = head;
    const valueAt = path.lastIndexOf("/") + 1;
    const route = this.#routes.GET.get(path.slice(0, valueAt));
    const [, plus, text] = (route && PLAIN_VALUE.exec(path.slice(valueAt))) ?? [];
    if (!route?.parameter || text === undefined) return undefined;
    const params = { [route.parameter]: plus ? `+${text}` : text };
    return { operation: route.operation, head, params, body: NOTHING };
  }

  #handOver(piece: Buffer | undefined): void {
    const socket = this.#socket;
    socket.off("data", this.#received).off("end", this.#end).off("error", this.#failed).off("timeout", this.#timedOut);
    socket.setTimeout(0);
    setEnding(socket, undefined);
    this.#giveToServer();
    if (piece) socket.emit("data", piece);
  }

  #serve({ operation, head, params, body }: PlainRequest): void {
    const { headers, path } = head;
    const context: RequestContext = {
      id: requestIdOf(head, this.#deps.uuids),
      method: operation.method,
      url: path,
      ip: this.#socket.remoteAddress ?? "",
      headers,
      params,
      query: undefined,
      startedMs: 0,
      caller: null,
      limitHeaders: null,
    };
    const answer = this.#answerTo(operation, context, body);
    if (answer instanceof Promise) void answer.then((late) => this.#finish(operation, context, late));
    else this.#finish(operation, context, answer);
  }

  #finish(operation: Operation, context: RequestContext, answer: Answer): void {
    noteAnswer(this.#deps, operation, context, answer);
    if (answer.refusal) this.#deps.refusals.note(context, operation, answer.refusal);
    this.#write(context, answer);
  }

  #answerTo(operation: Operation, context: RequestContext, body: Buffer): MaybePromise<Answer> {
    const faulty = (fault: unknown) =>
      renderProblem(context, problemOfFault(fault, this.#deps.log, context, operation.path));
    try {
      const answer = andThen(
        admit(this.#deps, operation, context),
        (refusal) => refusal ?? this.#answerAdmitted(operation, context, body),
      );
      return answer instanceof Promise ? answer.catch(faulty) : answer;
    } catch (fault) {
      return faulty(fault);
    }
  }

  #answerAdmitted(operation: Operation, context: RequestContext, body: Buffer): MaybePromise<Answer> {
    if (operation.method === "GET") return serve(this.#deps, operation, context, undefined);
    const read = readBody(context.headers["content-type"] ?? "", body);
    if (read.ok) return serve(this.#deps, operation, context, read.value);
    return renderProblem(context, refusedBy(operation, read.refusal));
  }

  #write(context: RequestContext, answer: Answer): void {
    const text = answerText(context, answer, this.#isEnding ? 0 : this.#idleMs);
    if (this.#isEnding) {
      endAfterText(this.#socket, text);
      this.#socket.resume();
      return;
    }
    // Much faster than UTF-8, and the same where every character is one byte.
    this.#isUnread = !this.#socket.write(text, Buffer.byteLength(text) === text.length ? "latin1" : "utf8");
    // No further request is served until the client has read its answer.
    if (this.#isUnread) this.#socket.once("drain", () => this.#continue());
    else this.#continue();
  }

  #continue(): void {
    this.#isUnread = false;
    this.#isBusy = false;
    if (this.#isEnding) this.#end();
    const next = this.#next;
    if (!next || this.#socket.destroyed) return;
    this.#next = undefined;
    this.#socket.resume();
    this.#received(next);
  }
}

/** Ends a request head. */
const END = "\r\n\r\n";

/** Content types that every parser reads in the same way. */
const PLAIN_TYPE = /^(application\/x-www-form-urlencoded|(application|text)\/([\w.-]+\+)?json)(; ?charset=[\w-]+)?$/i;

/** A parameter value that every parser reads in the same way; the only escape allowed is that of a leading plus. */
const PLAIN_VALUE = /^(\+|%2[Bb])?([\w-]+)$/;
const NOTHING = Buffer.alloc(0);

function readBody(contentType: string, body: Buffer): Result<unknown, Problem> {
  return FORM_TYPE.test(contentType) ? readForm(body) : readJson(body);
}
