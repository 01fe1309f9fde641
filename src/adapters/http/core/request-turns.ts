// One request at a time on each connection. Node's HTTP server begins every pipelined request as soon as its head is
// read, hundreds at the same time, and connections that flood it would keep all others waiting. Here the next request
// of a connection begins when the previous answer is written, in another iteration of the event loop, so that
// connections are served round-robin. Until then nothing more is read from the connection: what waits is bounded by one
// chunk of input.

import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

interface Line {
  /** The newest answer that was started. */
  last: ServerResponse;
  /** Requests behind it. */
  readonly waiting: [IncomingMessage, ServerResponse][];
  isWatched: boolean;
}

/** Replaces the server's only listener for requests. */
export function takeTurns(server: Server): void {
  const listeners = server.listeners("request") as RequestListener[];
  if (listeners.length !== 1) throw new Error("the HTTP server has no listener for requests, or several");
  const serve = listeners[0] as RequestListener;
  server.off("request", serve);
  const lines = new WeakMap<Socket, Line>();
  server.on("request", (request, response) => {
    const { socket } = request;
    const line = lines.get(socket);
    if (!line) {
      lines.set(socket, { last: response, waiting: [], isWatched: false });
    } else if (line.waiting.length > 0 || !line.last.writableFinished) {
      wait(line, request, response);
      return;
    } else {
      line.last = response;
    }
    serve(request, response);
  });

  function wait(line: Line, request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    line.waiting.push([request, response]);
    socket.pause();
    if (!line.isWatched) {
      line.isWatched = true;
      // Node resumes a connection whenever it is done with a request.
      socket.on("resume", () => {
        if (line.waiting.length > 0) socket.pause();
      });
    }
    if (line.waiting.length === 1) line.last.once("finish", () => setImmediate(next, line));
  }

  function next(line: Line): void {
    const [first] = line.waiting;
    if (!first) return;
    const [request, response] = first;
    if (request.socket.destroyed) {
      line.waiting.length = 0;
      return;
    }
    line.waiting.shift();
    line.last = response;
    if (line.waiting.length > 0) response.once("finish", () => setImmediate(next, line));
    // The body of the last one may still have to be read.
    else request.socket.resume();
    serve(request, response);
  }
}
