// Answers what Node's HTTP server would answer by itself, without X-Request-Id and without a problem: bytes that are
// not a request, and requests that reach no route. Such an answer follows those of earlier requests on the same
// connection, and is the connection's last.

import { randomUUID } from "node:crypto";
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { invalid, type Problem, problem } from "../../../domain/problems.ts";
import { endAfterText, endingOf } from "./end-connection.ts";
import { PROBLEM_STATUS, problemBody, traceIdFor } from "./problem-answer.ts";
import { HEADER_BYTES_MAX } from "./request-head.ts";

interface Newest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The newest exchange of each connection. */
const newestExchange = new WeakMap<Socket, Newest>();
/** The previous answer on the connection, if it was unfinished when the request arrived. */
const before = new WeakMap<IncomingMessage, ServerResponse>();
const refusedSockets = new WeakSet<Socket>();

export function answerWhatNodeWould(server: Server): void {
  server.prependListener("request", (request, response) => {
    const last = newestExchange.get(request.socket)?.response;
    if (last && !last.writableFinished) before.set(request, last);
    newestExchange.set(request.socket, { request, response });
  });
  server.on("clientError", answerClientError);
  // RFC 9110 10.1.1: an unknown expectation may be ignored.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  server.on("connect", (_request, socket) => {
    // Node has detached the socket: a reset without a listener would end the process.
    socket.on("error", () => socket.destroy());
    refuseByHand(socket as Socket, problem("method-not-allowed", "This is no proxy."));
  });
}

/** Ends the connection immediately if it is idle, otherwise when its newest answer has been written. */
export function endWhenIdle(socket: Socket): void {
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

/**
 * Answers a request whose body will not be read. Node would close with the rest of the body unread, and the reset would
 * overtake the answer.
 */
export function endWithUnreadBody(request: IncomingMessage, text: string): void {
  request.resume();
  after(before.get(request), () => endAfterText(request.socket, text));
}

function answerClientError(error: NodeJS.ErrnoException, duplex: unknown): void {
  const socket = duplex as Socket;
  // The parser also reports every later chunk; those are discarded.
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
