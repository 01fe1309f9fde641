// A collection of receivers: one that is healthy and keeps a record, and many that misbehave, each in one way. Real
// sockets on loopback. Every start function returns a `Receiver`; close it when done. They wait for nothing but the
// other side.

import { once } from "node:events";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { createServer as createHttpServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { gzipSync } from "node:zlib";

export interface Receiver {
  readonly url: string;
  readonly port: number;
  /** Connections so far. */
  readonly accepted: number;
  /** Connections that are open now. */
  readonly open: number;
  /** The maximum number open at the same time. */
  readonly openMax: number;
  /** Bytes written to all connections so far. */
  readonly bytesSent: number;
  /** Bytes read from all connections so far. */
  readonly bytesRead: number;
  /** Resolves when `count` connections have been accepted. */
  whenAccepted(count: number): Promise<void>;
  /** Resolves when at most `count` connections are open. */
  whenOpen(count: number): Promise<void>;
  /** Resolves when no connection is open any more. */
  whenEmpty(): Promise<void>;
  close(): Promise<void>;
}

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Names and values as received, in their order. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  /** The connection it arrived on, counted from 1. */
  readonly connection: number;
}

export interface HealthyReceiver extends Receiver {
  /** In the order of arrival. */
  readonly requests: readonly ReceivedRequest[];
  /** Resolves when `count` complete requests have arrived. */
  whenReceived(count: number): Promise<void>;
}

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface HealthyOptions {
  readonly tls?: boolean;
  /** The response; 200 with `ok` by default. May be delayed. */
  readonly answer?: (request: ReceivedRequest) => Answer | Promise<Answer>;
}

export async function startHealthy({
  tls = false,
  answer = () => ({}),
}: HealthyOptions = {}): Promise<HealthyReceiver> {
  const requests: ReceivedRequest[] = [];
  const received = newMilestones(() => requests.length);
  const numbers = new WeakMap<Socket, number>();
  const onRequest = async (message: IncomingMessage, response: ServerResponse) => {
    const parts: Buffer[] = [];
    for await (const part of message) parts.push(part);
    const { method = "", url = "", headers, rawHeaders, socket } = message;
    const connection = numbers.get(socket) ?? 0;
    const request = { method, path: url, headers, rawHeaders, body: Buffer.concat(parts), connection };
    requests.push(request);
    received.check();
    const { status = 200, headers: own = {}, body = "ok" } = await answer(request);
    response.writeHead(status, { "content-type": "text/plain", ...own }).end(body);
  };
  // An aborted request is no fault of the receiver.
  const listener = (message: IncomingMessage, response: ServerResponse) =>
    void onRequest(message, response).catch(() => {});
  const server = tls ? createHttpsServer(CERTIFICATE, listener) : createHttpServer(listener);
  server.on(tls ? "secureConnection" : "connection", (socket: Socket) => numbers.set(socket, receiver.accepted));
  const receiver = await listen(server, tls ? "https" : "http");
  return Object.assign(receiver, { requests, whenReceived: received.when });
}

/** Answers every request the same way. */
export function startStatus(status: number, headers: Readonly<Record<string, string>> = {}): Promise<HealthyReceiver> {
  return startHealthy({ answer: () => ({ status, headers, body: `status ${status}` }) });
}

/** Accepts the request and never responds. With https, it never completes the handshake. */
export const startSilent = (scheme: "http" | "https" = "http"): Promise<Receiver> => startRaw(() => {}, scheme);

export const startHangAfterHeaders = (): Promise<Receiver> =>
  startRaw((socket) => onRequest(socket, () => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc")));

/** Sends one byte at a time: of the body, or from the status line on. */
export function startDrip(part: "head" | "body" = "body", everyMs = 1000): Promise<Receiver> {
  const head = "HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n";
  return startRaw((socket) =>
    onRequest(socket, () => {
      const text = part === "body" ? "x".repeat(100_000) : head;
      if (part === "body") socket.write(head);
      let at = 0;
      const timer = setInterval(() => socket.write(text.charAt(at++)), everyMs);
      socket.on("close", () => clearInterval(timer));
    }),
  );
}

export const startResetAtOnce = (): Promise<Receiver> => startRaw((socket) => socket.resetAndDestroy());

/** Reads the request, then closes without a response. */
export const startCloseWithoutAnswer = (): Promise<Receiver> =>
  startRaw((socket) => onRequest(socket, () => socket.destroy()));

export const startResetMidBody = (status = 200): Promise<Receiver> =>
  startRaw((socket) =>
    onRequest(socket, () => {
      socket.write(`HTTP/1.1 ${status} X\r\ncontent-length: 1000\r\n\r\nhalf`, () => {
        // After the other side has had time to read.
        setImmediate(() => setImmediate(() => socket.resetAndDestroy()));
      });
    }),
  );

/** Sends as many bytes as the other side reads, up to 100 MB, no faster than they are read. */
export function startHugeAnswer(bytes = 100_000_000, chunked = false): Promise<Receiver> {
  const block = Buffer.alloc(65_536, 0x61);
  const piece = chunked ? Buffer.concat([Buffer.from("10000\r\n"), block, Buffer.from("\r\n")]) : block;
  return startRaw((socket) =>
    onRequest(socket, () => {
      const length = chunked ? "transfer-encoding: chunked" : `content-length: ${bytes}`;
      socket.write(`HTTP/1.1 200 OK\r\n${length}\r\n\r\n`);
      let left = bytes;
      const pour = () => {
        while (left > 0 && !socket.destroyed) {
          left -= block.length;
          if (!socket.write(piece)) return;
        }
      };
      socket.on("drain", pour);
      pour();
    }),
  );
}

/** 10 MB of zeros in 10 KB. */
export const startGzipBomb = (): Promise<HealthyReceiver> => {
  const body = gzipSync(Buffer.alloc(10_000_000));
  return startHealthy({ answer: () => ({ headers: { "content-encoding": "gzip" }, body }) });
};

/** Every response redirects to the next one. */
export const startRedirects = (status = 307): Promise<HealthyReceiver> =>
  startHealthy({ answer: ({ path }) => ({ status, headers: { location: `${path}x` } }) });

/** A certificate that no authority has signed. */
export const startUntrustedTls = (): Promise<HealthyReceiver> => startHealthy({ tls: true });

export const startGarbage = (): Promise<Receiver> =>
  startRaw((socket) =>
    onRequest(socket, () => socket.write("\u0016\u0003\u0001 this is not HTTP\r\n\r\n\u0000\u0000\u0000")),
  );

/** Endless headers. */
export const startHugeHeaders = (): Promise<Receiver> =>
  startRaw((socket) =>
    onRequest(socket, () => {
      socket.write("HTTP/1.1 200 OK\r\n");
      pourForEver(socket, `x-filler: ${"y".repeat(1000)}\r\n`.repeat(20));
    }),
  );

const OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
const INTERIM = {
  /** RFC 9110 15.2: a client must cope with interim responses it did not ask for. */
  "early-hints": `HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${OK}`,
  continue: `HTTP/1.1 100 Continue\r\n\r\n${OK}`,
  upgrade: "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n",
  endless: undefined,
} as const;

/** Unsolicited interim responses. */
export const startInterim = (kind: keyof typeof INTERIM): Promise<Receiver> =>
  startRaw((socket) =>
    onRequest(socket, () => {
      const text = INTERIM[kind];
      if (text === undefined) pourForEver(socket, "HTTP/1.1 102 Processing\r\n\r\n".repeat(1000));
      else socket.write(text);
    }),
  );

/**
 * Responds as soon as a client connects and reads nothing of the request, so it does not notice when the client
 * disconnects either.
 */
export const startEarlyAnswer = (status = 200): Promise<Receiver> =>
  startRaw((socket) => {
    socket.pause();
    socket.write(`HTTP/1.1 ${status} Early\r\ncontent-length: 5\r\n\r\nearly`);
  });

/**
 * `long`: announces more than it sends, and closes. `short`: sends more than it announces, a forged second response.
 */
export const startWrongLength = (kind: "long" | "short"): Promise<Receiver> =>
  startRaw((socket) =>
    onRequest(socket, () => {
      if (kind === "long") socket.end("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nten bytes.");
      else
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nokHTTP/1.1 299 Forged\r\ncontent-length: 0\r\n\r\n`);
    }),
  );

/** Answers the first request of a connection and closes it without a response when the second one arrives. */
export const startCloseOnSecond = (): Promise<Receiver> =>
  startRaw((socket) => {
    let requests = 0;
    socket.on("data", () => {
      requests += 1;
      if (requests === 1) socket.write(OK);
      else socket.destroy();
    });
  });

/** Writes a block at a time, the next one when it has been sent. */
function pourForEver(socket: Socket, block: string): void {
  const pour = () => socket.write(block, (error) => error || socket.destroyed || pour());
  pour();
}

function onRequest(socket: Socket, act: () => void): void {
  socket.once("data", act);
}

/** A receiver with custom behaviour on every connection. */
export function startRaw(onConnection: (socket: Socket) => void, scheme: "http" | "https" = "http"): Promise<Receiver> {
  return listen(
    createTcpServer((socket) => {
      // Discards data that has no listener.
      socket.resume();
      onConnection(socket);
    }),
    scheme,
  );
}

/** As `startRaw`, behind a TLS handshake with the certificate below. */
export function startRawTls(onConnection: (socket: Socket) => void): Promise<Receiver> {
  return listen(
    createTlsServer(CERTIFICATE, (socket) => {
      socket.on("error", () => {}).resume();
      onConnection(socket);
    }),
    "https",
  );
}

async function listen(server: Server, scheme: "http" | "https"): Promise<Receiver> {
  const sockets = new Set<Socket>();
  let sent = 0;
  let read = 0;
  let acceptedCount = 0;
  let openMax = 0;
  const accepted = newMilestones(() => acceptedCount);
  const emptied = newMilestones(() => -sockets.size);
  server.prependListener("connection", (socket: Socket) => {
    acceptedCount += 1;
    sockets.add(socket);
    openMax = Math.max(openMax, sockets.size);
    socket.on("error", () => {});
    socket.on("close", () => {
      sockets.delete(socket);
      sent += socket.bytesWritten;
      read += socket.bytesRead;
      emptied.check();
    });
    accepted.check();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const sum = (of: (socket: Socket) => number) => [...sockets].reduce((total, socket) => total + of(socket), 0);
  let closing: Promise<void> | undefined;
  return {
    url: `${scheme}://127.0.0.1:${port}/hook`,
    port,
    get accepted() {
      return acceptedCount;
    },
    get open() {
      return sockets.size;
    },
    get openMax() {
      return openMax;
    },
    get bytesSent() {
      return sent + sum((socket) => socket.bytesWritten);
    },
    get bytesRead() {
      return read + sum((socket) => socket.bytesRead);
    },
    whenAccepted: accepted.when,
    whenOpen: (count) => emptied.when(-count),
    whenEmpty: () => emptied.when(0),
    close: () => {
      closing ??= new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      });
      return closing;
    },
  };
}

/** Promises that resolve when a count is high enough. */
function newMilestones(count: () => number): { when(wanted: number): Promise<void>; check(): void } {
  const waiting = new Map<() => void, number>();
  const check = () => {
    for (const [keep, wanted] of waiting) {
      if (count() < wanted) continue;
      waiting.delete(keep);
      keep();
    }
  };
  const when = (wanted: number) =>
    new Promise<void>((resolve) => {
      waiting.set(resolve, wanted);
      check();
    });
  return { when, check };
}

/** Self-signed for receiver.test, localhost and 127.0.0.1, until 2120. Guards nothing but these tests. */
export const CERTIFICATE = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgoqlv38pkaU4ofKqI
nH8J4Mgp9ajO57pbLvhpdpftA9OhRANCAARJablhmvEotVLEdrS+M6Htrf8xZSL0
iEeXWxLolUcgjGEHw1xe7FGEAYvo17Qj2bZLlX3myRv6AO+xIV1mN1S3
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBfTCCASSgAwIBAgIBATAKBggqhkjOPQQDAjAYMRYwFAYDVQQDDA1yZWNlaXZl
ci50ZXN0MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAYMRYwFAYD
VQQDDA1yZWNlaXZlci50ZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAESWm5
YZrxKLVSxHa0vjOh7a3/MWUi9IhHl1sS6JVHIIxhB8NcXuxRhAGL6Ne0I9m2S5V9
5skb+gDvsSFdZjdUt6NdMFswDwYDVR0TAQH/BAUwAwEB/zApBgNVHREEIjAggg1y
ZWNlaXZlci50ZXN0gglsb2NhbGhvc3SHBH8AAAEwHQYDVR0OBBYEFMc1YBi+/dLO
AqpNrMkMGAS0CZKJMAoGCCqGSM49BAMCA0cAMEQCIH7IhBpn8337kW7hXEcrM0UY
LD8CvFf23CgM2RCvUpY6AiA0PVthaLl12DKCLp7/mqnmLpTpLbjJ9lXtaOGeGQcU
lA==
-----END CERTIFICATE-----
`,
} as const;
