// One connection to one origin, for one exchange at a time.
//
// The first exchange opens the socket, to an address that the guard allows. `drop` ends the connection in any state,
// also during DNS, TCP connect or TLS handshake, and its user gets no more calls. A lost connection is not reopened.

import { connect as connectTcp, type Socket } from "node:net";
import type { UrlOrigin } from "../guard/address-guard.ts";
import { ConnectFault } from "../guard/connect-fault.ts";
import { type DialOptions, type OpenSocketDeps, openSocket } from "../guard/open-socket.ts";

export interface ConnectionDeps extends OpenSocketDeps {
  readonly connectTimeoutMs: number;
}

/** The exchange that uses the connection. */
export interface ConnectionUser {
  /** Must read the first `length` bytes immediately: the next read on any connection overwrites the buffer. */
  read(bytes: Buffer, length: number): void;
  /** The connection failed, or the peer closed it in good order (no fault). */
  lost(fault: Error | undefined): void;
}

const ABORTED = new ConnectFault("aborted", "The connection was given up.");

/** One buffer for all connections, because each read is consumed before the next one. Waiting connections hold none. */
const READ_BUFFER = Buffer.allocUnsafeSlow(64 * 1024);

export class Connection {
  readonly origin: UrlOrigin;
  /** Successful exchanges on it. Before the first one, the socket cannot have been closed while idle. */
  served = 0;
  /** When the pool closes it if it is not used. */
  idleUntilMs = 0;
  /** When it was opened, its name was resolved, and it could be used; 0 when that has not happened. */
  readonly opening = { startedMs: 0, resolvedMs: 0, connectedMs: 0 };
  readonly #deps: ConnectionDeps;
  readonly #onIdleLoss: (connection: Connection) => void;
  readonly #opening = new AbortController();
  #user: ConnectionUser | undefined;
  #socket: Socket | undefined;
  #isLost = false;
  #gone: Promise<void> = Promise.resolve();

  /** `onIdleLoss`: data arrived or the connection closed while it was idle. */
  constructor(deps: ConnectionDeps, origin: UrlOrigin, onIdleLoss: (connection: Connection) => void) {
    this.#deps = deps;
    this.origin = origin;
    this.#onIdleLoss = onIdleLoss;
  }

  /** True when the response came before the whole request was sent: the next request would wait behind the rest. */
  get hasUnsentBytes(): boolean {
    return (this.#socket?.writableLength ?? 0) > 0;
  }

  /** Sends a request. The user gets everything that arrives until `release`. */
  use(user: ConnectionUser, request: string): void {
    this.#user = user;
    if (this.#socket) this.#socket.write(request);
    else this.#open(request);
  }

  release(): void {
    this.#user = undefined;
  }

  /** Resolves when the socket is closed. */
  drop(): Promise<void> {
    this.#user = undefined;
    this.#isLost = true;
    this.#opening.abort(ABORTED);
    this.#socket?.destroy();
    return this.#gone;
  }

  #open(request: string): void {
    const { isSecure, hostname, port } = this.origin;
    const attempt = new AbortController();
    const giveUp = () => attempt.abort(this.#opening.signal.reason);
    const timer = setTimeout(() => attempt.abort(), this.#deps.connectTimeoutMs);
    this.#opening.signal.addEventListener("abort", giveUp, { once: true });
    const hasOwnDial = isSecure || this.#deps.dial !== undefined;
    const onResolved = () => {
      this.opening.resolvedMs = performance.now();
    };
    const dial = hasOwnDial ? this.#deps.dial : (options: DialOptions) => this.#dial(options);
    const deps = { ...this.#deps, dial, onResolved };
    this.opening.startedMs = performance.now();
    this.#gone = openSocket(deps, { secure: isSecure, hostname, port }, attempt.signal)
      .finally(() => {
        clearTimeout(timer);
        this.#opening.signal.removeEventListener("abort", giveUp);
      })
      .then(
        (socket) => this.#begin(socket, hasOwnDial, request),
        (fault: Error) => this.#lose(fault),
      );
  }

  /** Reads without the stream's overhead for each block; TLS sockets do not support that. */
  #dial({ host, port, lookup }: DialOptions): Socket {
    const callback = (length: number) => {
      this.#read(READ_BUFFER, length);
      return true;
    };
    const onread = { buffer: READ_BUFFER, callback };
    return connectTcp({ host, port, lookup, autoSelectFamily: true, noDelay: true, onread });
  }

  #begin(socket: Socket, isStream: boolean, request: string): Promise<void> {
    let fault: Error | undefined;
    socket.on("error", (error) => {
      fault = error;
    });
    if (isStream) socket.on("data", (bytes: Buffer) => this.#read(bytes, bytes.length));
    // Ends the exchange even if we have not sent everything, because a peer that closes does not read any more.
    socket.on("end", () => this.#lose(undefined));
    const gone = new Promise<void>((resolve) => {
      socket.on("close", () => {
        this.#lose(fault);
        resolve();
      });
    });
    this.#socket = socket;
    this.opening.connectedMs = performance.now();
    if (this.#isLost) socket.destroy();
    else socket.write(request);
    return gone;
  }

  #read(bytes: Buffer, length: number): void {
    if (this.#isLost) return;
    if (this.#user) this.#user.read(bytes, length);
    // Unsolicited data must not be taken for the next response.
    else this.#lose(undefined);
  }

  #lose(fault: Error | undefined): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#socket?.destroy();
    const user = this.#user;
    this.#user = undefined;
    if (user) user.lost(fault);
    else this.#onIdleLoss(this);
  }
}
