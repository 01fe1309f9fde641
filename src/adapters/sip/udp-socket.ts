// One UDP socket, bound to one of our source addresses.
//
// Guarantees: what does not look like SIP is dropped before it is read; nothing that arrives can end the process; the
// kernel's buffers are as large as it allows, because a burst of calls must not be lost while the event loop is busy.

import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { hostText } from "../../../rules/sip-uri.ts";
import type { Flow } from "./flow.ts";

export interface UdpSocketOptions {
  readonly address: string;
  readonly family: 4 | 6;
  readonly port: number;
  /** Which of our source addresses this is. */
  readonly source: number;
  /** The address under which peers reach the socket, when it is another one. */
  readonly publicAddress: string | undefined;
  readonly onMessage: (text: string, flow: Flow) => void;
  readonly onFault: (error: Error) => void;
  /** Loses a datagram on purpose; for tests of retransmission. */
  readonly mayLose?: (() => boolean) | undefined;
}

const BUFFER_OCTETS = 8 * 1024 * 1024;
/** The shortest message has a start line and five header fields. */
const OCTETS_MIN = 60;

export class UdpSocket {
  readonly #options: UdpSocketOptions;
  readonly #socket: Socket;
  #isOpen = true;
  #port = 0;
  #sentBy = "";

  static async bind(options: UdpSocketOptions): Promise<UdpSocket> {
    const { address, family, port } = options;
    const socket = createSocket({
      type: family === 4 ? "udp4" : "udp6",
      ipv6Only: family === 6,
      // Addresses only; without this every datagram would pass through the resolver.
      lookup: (hostname, _, callback) => callback(null, hostname, family),
    });
    // The lookup above is synchronous, so the event may be emitted before `bind` returns.
    const listening = once(socket, "listening");
    socket.bind({ address, port });
    try {
      await listening;
    } catch (error) {
      socket.close();
      throw error;
    }
    return new UdpSocket(socket, options);
  }

  private constructor(socket: Socket, options: UdpSocketOptions) {
    this.#socket = socket;
    this.#options = options;
    enlargeBuffers(socket);
    this.#port = socket.address().port;
    this.#sentBy = `${hostText(options.publicAddress ?? options.address)}:${this.#port}`;
    socket.on("message", (octets, { address, port }) => {
      if (octets.length < OCTETS_MIN || options.mayLose?.()) return;
      options.onMessage(octets.toString("latin1"), this.flowTo(address, port));
    });
    socket.on("error", (error) => {
      this.#isOpen = false;
      options.onFault(error);
    });
  }

  get port(): number {
    return this.#port;
  }

  get family(): 4 | 6 {
    return this.#options.family;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get localAddress(): string {
    return this.#options.publicAddress ?? this.#options.address;
  }

  get sentBy(): string {
    return this.#sentBy;
  }

  get source(): number {
    return this.#options.source;
  }

  flowTo(address: string, port: number): Flow {
    return new UdpFlow(this, address, port);
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#socket.close();
  }

  send(octets: Uint8Array, address: string, port: number, onFault: (() => void) | undefined): void {
    if (!this.#isOpen) {
      if (onFault) setImmediate(onFault);
      return;
    }
    if (this.#options.mayLose?.()) return;
    try {
      // Without a callback, errors such as ENETUNREACH are not reported, and the socket stays usable.
      this.#socket.send(octets, port, address, onFault && ((error) => error && onFault()));
    } catch {
      // DNS may return a port of 0, which `send` rejects.
      if (onFault) setImmediate(onFault);
    }
  }
}

/** Made for every datagram that arrives, so it holds nothing of its own but the peer. */
class UdpFlow implements Flow {
  readonly #socket: UdpSocket;
  readonly transport = "UDP";
  readonly isReliable = false;
  readonly address: string;
  readonly port: number;

  constructor(socket: UdpSocket, address: string, port: number) {
    this.#socket = socket;
    this.address = address;
    this.port = port;
  }

  get family(): 4 | 6 {
    return this.#socket.family;
  }

  get sentBy(): string {
    return this.#socket.sentBy;
  }

  get localAddress(): string {
    return this.#socket.localAddress;
  }

  get localPort(): number {
    return this.#socket.port;
  }

  get source(): number {
    return this.#socket.source;
  }

  isOpen(): boolean {
    return this.#socket.isOpen;
  }

  toPort(port: number): Flow {
    return new UdpFlow(this.#socket, this.address, port);
  }

  send(octets: Uint8Array, onFault?: () => void): void {
    this.#socket.send(octets, this.address, this.port, onFault);
  }
}

/** As much as the kernel allows; it may allow less than we ask for. */
function enlargeBuffers(socket: Socket): void {
  try {
    socket.setRecvBufferSize(BUFFER_OCTETS);
    socket.setSendBufferSize(BUFFER_OCTETS);
  } catch {
    // The default size works, for fewer concurrent calls.
  }
}
