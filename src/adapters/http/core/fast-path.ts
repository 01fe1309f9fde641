// The short way in for what is asked by the thousand. A request that arrives whole, in one piece, and is plain (request-head.ts) is read
// here off its connection, goes through the same steps as any other, and is answered here. Everything else is given to the HTTP server
// with its bytes as they came, and the connection with it, for good. Nothing is gathered: there is no piece of a request to hold.

import type { Server } from "node:http";
import type { Socket } from "node:net";
import { Server as TlsServer } from "node:tls";
import type { Result } from "../../../base/result.ts";
import type { Problem } from "../../../domain/problems.ts";
import { FORM_TYPE, readForm, readJson } from "../reading/read-body.ts";
import { type Answer, answerText, renderProblem } from "./answer.ts";
import { endAfterText, endsThisWay } from "./end-connection.ts";
import { problemOfFault } from "./fault-problem.ts";
import type { Operation } from "./operation.ts";
import { type RequestContext, requestIdOf } from "./request-context.ts";
import { HEADER_BYTES_MAX, type RequestHead, readRequestHead } from "./request-head.ts";
import { type ApiDeps, admit, serve } from "./run-operation.ts";

/** Who says nothing for so long at first is the HTTP server's to wait for. */
const FIRST_WORD_MS = 1_000;

type Listener = (this: Server, socket: Socket) => void;

/** `operations` by their paths. */
export function openFastPath(server: Server, deps: ApiDeps, operations: ReadonlyMap<string, Operation>): void {
  const event = server instanceof TlsServer ? "secureConnection" : "connection";
  // The server's own comes first; those that only want to know of connections stay.
  const [toServer] = server.listeners(event) as Listener[];
  if (!toServer) throw new Error("the HTTP server takes no connections");
  server.off(event, toServer);
  server.on(event, (socket: Socket) => {
    new FastConnection(socket, deps, operations, server.keepAliveTimeout, () => toServer.call(server, socket));
  });
}

interface PlainRequest {
  readonly operation: Operation;
  readonly head: RequestHead;
  readonly body: Buffer;
}

class FastConnection {
  readonly #socket: Socket;
  readonly #deps: ApiDeps;
  readonly #operations: ReadonlyMap<string, Operation>;
  readonly #idleMs: number;
  readonly #giveToServer: () => void;
  /** From a request to the moment when its answer has been taken. */
  #isBusy = false;
  #isUnread = false;
  #isEnding = false;
  /** What came while a request was being served. */
  #next: Buffer | undefined;
  /** Most clients send the same head every time. */
  #headText = "";
  #head: RequestHead | undefined;

  constructor(
    socket: Socket,
    deps: ApiDeps,
    operations: ReadonlyMap<string, Operation>,
    idleMs: number,
    giveToServer: () => void,
  ) {
    this.#socket = socket;
    this.#deps = deps;
    this.#operations = operations;
    this.#idleMs = idleMs;
    this.#giveToServer = giveToServer;
    socket.on("data", this.#received).on("end", this.#end).on("error", this.#failed).on("timeout", this.#waited);
    socket.setTimeout(FIRST_WORD_MS);
    endsThisWay(socket, this.#end);
  }

  readonly #received = (piece: Buffer): void => {
    // After the last answer only the end is waited for.
    if (this.#isEnding) return;
    if (this.#isBusy) {
      this.#next = this.#next ? Buffer.concat([this.#next, piece]) : piece;
      this.#socket.pause();
      return;
    }
    const request = this.#read(piece);
    if (request) {
      this.#isBusy = true;
      void this.#serve(request);
    } else {
      this.#leave(piece);
    }
  };

  readonly #end = (): void => {
    this.#isEnding = true;
    if (!this.#isBusy) endAfterText(this.#socket, "");
  };

  readonly #failed = (): void => void this.#socket.destroy();

  readonly #waited = (): void => {
    if (this.#isUnread) this.#socket.destroy();
    if (this.#isBusy || this.#isEnding) return;
    if (this.#head) this.#end();
    else this.#leave(undefined);
  };

  #read(piece: Buffer): PlainRequest | undefined {
    const length = piece.indexOf("\r\n\r\n");
    if (length < 0 || length > HEADER_BYTES_MAX) return undefined;
    const text = piece.toString("latin1", 0, length);
    const head = text === this.#headText ? this.#head : readRequestHead(text);
    const operation = head && this.#operations.get(head.path);
    if (!operation || length + 4 + head.bodyLength !== piece.length) return undefined;
    if (!PLAIN_TYPE.test(head.headers["content-type"] ?? "")) return undefined;
    if (!this.#head) this.#socket.setTimeout(this.#idleMs);
    this.#headText = text;
    this.#head = head;
    return { operation, head, body: piece.subarray(length + 4) };
  }

  #leave(piece: Buffer | undefined): void {
    const socket = this.#socket;
    socket.off("data", this.#received).off("end", this.#end).off("error", this.#failed).off("timeout", this.#waited);
    socket.setTimeout(0);
    endsThisWay(socket, undefined);
    this.#giveToServer();
    if (piece) socket.emit("data", piece);
  }

  async #serve({ operation, head, body }: PlainRequest): Promise<void> {
    const { headers, path } = head;
    const context: RequestContext = {
      id: requestIdOf(head),
      method: operation.method,
      url: path,
      ip: this.#socket.remoteAddress ?? "",
      headers,
      params: undefined,
      query: undefined,
      startedMs: 0,
      caller: null,
      limitHeaders: null,
    };
    const answer = await this.#answerTo(operation, context, body);
    this.#deps.observe(operation.id, answer.status, (performance.now() - context.startedMs) / 1000);
    this.#say(context, answer);
  }

  async #answerTo(operation: Operation, context: RequestContext, body: Buffer): Promise<Answer> {
    try {
      const refusal = await admit(this.#deps, operation, context);
      if (refusal) return refusal;
      const read = readBody(context.headers["content-type"] ?? "", body);
      return read.ok ? await serve(this.#deps, operation, context, read.value) : renderProblem(context, read.refusal);
    } catch (fault) {
      return renderProblem(context, problemOfFault(fault, this.#deps.log, context, operation.path));
    }
  }

  #say(context: RequestContext, answer: Answer): void {
    const text = answerText(context, answer, this.#isEnding ? 0 : this.#idleMs);
    if (this.#isEnding) {
      endAfterText(this.#socket, text);
      this.#socket.resume();
      return;
    }
    // Much faster than UTF-8, and the same where every character is one byte.
    this.#isUnread = !this.#socket.write(text, Buffer.byteLength(text) === text.length ? "latin1" : "utf8");
    // Who does not read gets nothing more to read.
    if (this.#isUnread) this.#socket.once("drain", () => this.#goOn());
    else this.#goOn();
  }

  #goOn(): void {
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

/** Types that mean the same to every reader. */
const PLAIN_TYPE = /^(application\/x-www-form-urlencoded|(application|text)\/([\w.-]+\+)?json)(; ?charset=[\w-]+)?$/i;

function readBody(contentType: string, body: Buffer): Result<unknown, Problem> {
  return FORM_TYPE.test(contentType) ? readForm(body) : readJson(body);
}
