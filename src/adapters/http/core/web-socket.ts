// WebSockets. A request that asks for one goes through the same steps as any other: its operation refuses it, or
// answers with a function that takes the socket.
//
// Guarantees: messages are bounded and not compressed. A request for another protocol, such as HTTP/2, is served
// without the upgrade (RFC 9110 7.8). A request that arrives while the previous one is still being answered waits for
// it. A refused handshake ends its connection.

import { type IncomingHttpHeaders, type IncomingMessage, type Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Server as TlsServer } from "node:tls";
import { type WebSocket, WebSocketServer } from "ws";
import type { FieldErrors } from "../../../domain/problems.ts";
import { endAfterText } from "./end-connection.ts";
import type { Exchange } from "./exchange.ts";

const MESSAGE_BYTES_MAX = 4_096;
/** Time allowed for the other side to confirm a close. */
const CLOSE_MS = 1_000;

const OPTIONS = {
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: MESSAGE_BYTES_MAX,
  // The types lack it.
  closeTimeout: CLOSE_MS,
};
const sockets = new WebSocketServer(OPTIONS);

/** Requests that asked for a WebSocket, with the bytes that followed their heads. */
const asking = new WeakMap<IncomingMessage, Buffer>();

export function asksForSocket({ upgrade }: IncomingHttpHeaders): boolean {
  return upgrade?.toLowerCase() === "websocket";
}

/** The faults of a request for a WebSocket (RFC 6455 4.2.1). */
export function socketFaults(headers: IncomingHttpHeaders): FieldErrors {
  return {
    ...(asksForSocket(headers) ? {} : { Upgrade: ["A WebSocket is opened here: `websocket` is expected."] }),
    ...(UPGRADE.test(headers.connection ?? "") ? {} : { Connection: ["`Upgrade` is expected."] }),
    ...(headers["sec-websocket-version"] === "13" ? {} : { "Sec-WebSocket-Version": ["13 is expected."] }),
    ...(KEY.test(headers["sec-websocket-key"] ?? "") ? {} : { "Sec-WebSocket-Key": ["16 octets in base64."] }),
  };
}

/** Matches one item of a list. */
const UPGRADE = /(?:^|,)[ \t]*upgrade[ \t]*(?:,|$)/i;
const KEY = /^[+/\dA-Za-z]{22}==$/;

/** Hands the connection of a request to `take` once the handshake is done. */
export function openSocket({ request, response }: Exchange, take: (socket: WebSocket) => void): void {
  const head = asking.get(request);
  if (!head) throw new Error("a request that asked for no WebSocket was answered with one");
  response.detachSocket(request.socket);
  sockets.handleUpgrade(request, request.socket, head, (socket) => {
    // A close follows every error; without a listener it would end the process.
    socket.on("error", () => undefined);
    take(socket);
  });
}

type Listener = (this: Server, socket: Socket) => void;

/** Must be called while the server's own listener takes the connections. */
export function openUpgrades(server: Server): void {
  const [toServer] = server.listeners(server instanceof TlsServer ? "secureConnection" : "connection") as Listener[];
  if (!toServer) throw new Error("the HTTP server takes no connections");
  const newest = new WeakMap<object, ServerResponse>();
  server.prependListener("request", (request, response) => void newest.set(request.socket, response));
  server.on("upgrade", (request, duplex, head) => {
    const socket = duplex as Socket;
    // Node has detached the socket: a reset without a listener would end the process.
    const failed = () => void socket.destroy();
    socket.on("error", failed);
    const before = newest.get(socket);
    const goOn = () => {
      if (asksForSocket(request.headers) && request.method === "GET") {
        serveAsking(server, request, socket, head);
        return;
      }
      socket.off("error", failed);
      toServer.call(server, socket);
      socket.emit("data", Buffer.concat([Buffer.from(headWithoutUpgrade(request), "latin1"), head]));
    };
    if (!before || before.writableFinished) goOn();
    else before.once("finish", goOn);
  });
}

function serveAsking(server: Server, request: IncomingMessage, socket: Socket, head: Buffer): void {
  asking.set(request, head);
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once("finish", () => {
    response.detachSocket(socket);
    endAfterText(socket, "");
  });
  server.emit("request", request, response);
}

/** The connection ends after the answer, because Node's HTTP server cannot take the same connection again and again. */
function headWithoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): string {
  let text = `${method} ${url} HTTP/${httpVersion}\r\n`;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (!/^(upgrade|connection)$/i.test(name)) text += `${name}: ${rawHeaders[at + 1]}\r\n`;
  }
  return `${text}Connection: close\r\n\r\n`;
}
