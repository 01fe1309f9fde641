// One connection to one origin, for one exchange at a time.
//
// The socket is opened for the first exchange, to where the guard allows. `drop` ends it in whatever state it is, a hung name server,
// TCP connect or TLS handshake included, and the exchange hears no more of it. A connection whose socket is gone is not opened again.

import { connect as connectTcp, type Socket } from "node:net";
import { ConnectFault } from "../guard/connect-fault.ts";
import { type DialOptions, type OpenSocketDeps, openSocket } from "../guard/open-socket.ts";

export interface ConnectionDeps extends OpenSocketDeps {
  readonly connectTimeoutMs: number;
}

/** Where a connection leads. */
export interface Origin {
  /** Scheme, host and port. */
  readonly name: string;
  readonly isSecure: boolean;
  /** A name, or an address without brackets. */
  readonly hostname: string;
  readonly port: number;
}

/** Whom a connection serves at the moment. */
export interface ConnectionUser {
  /** The first `length` bytes, which the next that come overwrite, on whatever connection. */
  read(bytes: Buffer, length: number): void;
  /** There is no connection, or no more of it: by a fault, or closed by the other side in good order. */
  lost(fault: Error | undefined): void;
}

const GIVEN_UP = new ConnectFault("aborted", "The connection was given up.");

/** One for all: what is read is taken in before anything else can be read. So a connection that waits holds no memory for it. */
const READ_BUFFER = Buffer.allocUnsafeSlow(64 * 1024);

export class Connection {
  readonly origin: Origin;
  /** Exchanges that have ended well on it: a first one cannot meet a socket that was closed while it lay idle. */
  served = 0;
  /** By when it is closed if nobody uses it; the pool's. */
  idleUntilMs = 0;
  readonly #deps: ConnectionDeps;
  readonly #onIdleLoss: (connection: Connection) => void;
  readonly #opening = new AbortController();
  #user: ConnectionUser | undefined;
  #socket: Socket | undefined;
  #isLost = false;
  #gone: Promise<void> = Promise.resolve();

  /** `onIdleLoss`: something came, or the end, while nobody used it. */
  constructor(deps: ConnectionDeps, origin: Origin, onIdleLoss: (connection: Connection) => void) {
    this.#deps = deps;
    this.origin = origin;
    this.#onIdleLoss = onIdleLoss;
  }

  /** An answer that came before the request had left would make the next request wait behind this one. */
  get hasUnsentBytes(): boolean {
    return (this.#socket?.writableLength ?? 0) > 0;
  }

  /** Sends a request, and its user hears what comes until it is released. */
  use(user: ConnectionUser, request: string): void {
    this.#user = user;
    if (this.#socket) this.#socket.write(request);
    else this.#open(request);
  }

  release(): void {
    this.#user = undefined;
  }

  /** Settles when nothing of it is left. */
  drop(): Promise<void> {
    this.#user = undefined;
    this.#isLost = true;
    this.#opening.abort(GIVEN_UP);
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
    const deps = hasOwnDial ? this.#deps : { ...this.#deps, dial: (options: DialOptions) => this.#dial(options) };
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

  /** Spares what a stream does with every block it reads; TLS has no such way. */
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
    // Not waited for until we have sent everything, too: whoever closes reads no more.
    socket.on("end", () => this.#lose(undefined));
    const gone = new Promise<void>((resolve) => {
      socket.on("close", () => {
        this.#lose(fault);
        resolve();
      });
    });
    this.#socket = socket;
    if (this.#isLost) socket.destroy();
    else socket.write(request);
    return gone;
  }

  #read(bytes: Buffer, length: number): void {
    if (this.#isLost) return;
    if (this.#user) this.#user.read(bytes, length);
    // Said while nobody asked: it must not be taken for the next answer.
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
