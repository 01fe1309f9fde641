// One connection to one origin, for one exchange at a time.
//
// A connection opens its socket when the first exchange needs it. `drop` ends it in whatever state it is, a hung name server, TCP
// connect or TLS handshake included, and fails the exchange it carries.

import { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import { type buildConnector, Client } from "undici";
import { ConnectFault } from "../guard/connect-fault.ts";
import { type OpenSocketDeps, openSocket } from "../guard/open-socket.ts";

export interface ConnectionDeps extends OpenSocketDeps {
  readonly connectTimeoutMs: number;
  /** How long it may lie idle, unless the other side asks for less. */
  readonly keepAliveMs: number;
}

const ANSWER_HEADER_BYTES_MAX = 16 * 1024;
const GIVEN_UP = new ConnectFault("aborted", "The connection was given up.");

export class Connection {
  readonly origin: string;
  readonly client: Client;
  /** Exchanges that have ended well on the present socket: a first one cannot meet a socket that was closed while it lay idle. */
  served = 0;
  /** Of the present socket. */
  remoteAddress: string | undefined;
  readonly #deps: ConnectionDeps;
  readonly #connecting = new AbortController();
  #socket: Socket | undefined;
  #dropping: Promise<void> | undefined;

  constructor(deps: ConnectionDeps, origin: string, onDisconnect: (connection: Connection) => void) {
    this.origin = origin;
    this.#deps = deps;
    this.client = new Client(origin, {
      pipelining: 1,
      connect: (target, callback) => this.#connect(target, callback),
      maxHeaderSize: ANSWER_HEADER_BYTES_MAX,
      keepAliveTimeout: deps.keepAliveMs,
      keepAliveMaxTimeout: deps.keepAliveMs,
      // The exchange's own deadline is the only clock.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    // undici emits a fault of a handler here; unheard it would end the process.
    EventEmitter.prototype.on.call(this.client, "error", () => {});
    this.client.on("disconnect", () => {
      this.served = 0;
      onDisconnect(this);
    });
  }

  /** An answer that came before the request had left would make the next request wait behind this one. */
  get hasUnsentBytes(): boolean {
    return (this.#socket?.writableLength ?? 0) > 0;
  }

  drop(): Promise<void> {
    this.#connecting.abort(GIVEN_UP);
    this.#dropping ??= this.client.destroy();
    return this.#dropping;
  }

  #connect({ hostname, port, protocol }: buildConnector.Options, callback: buildConnector.Callback): void {
    const secure = protocol === "https:";
    const attempt = new AbortController();
    const giveUp = () => attempt.abort(this.#connecting.signal.reason);
    const timer = setTimeout(() => attempt.abort(), this.#deps.connectTimeoutMs);
    this.#connecting.signal.addEventListener("abort", giveUp, { once: true });
    if (this.#connecting.signal.aborted) giveUp();
    openSocket(this.#deps, { secure, hostname, port: Number(port || (secure ? 443 : 80)) }, attempt.signal)
      .finally(() => {
        clearTimeout(timer);
        this.#connecting.signal.removeEventListener("abort", giveUp);
      })
      .then(
        (socket) => {
          this.#socket = socket;
          this.remoteAddress = socket.remoteAddress;
          callback(null, socket);
        },
        (error: Error) => callback(error, null),
      );
  }
}
