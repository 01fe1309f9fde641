// One UDP socket, bound to one of our source addresses.
//
// Guarantees: what does not look like SIP is dropped before it is read; nothing that arrives can end the process; the
// kernel's buffers are as large as it allows, because a burst of calls must not be lost while the event loop is busy.

import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { hostText } from "../../../rules/sip-uri.ts";
import { forgetOldest } from "../../base/forget-oldest.ts";
import { refusedBy, unreachable } from "./connection-fault.ts";
import type { Flow, OnFault, PeerPlace } from "./flow.ts";
import { isPortClosed } from "./udp-probe.ts";

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
const FLOWS_MAX = 1000;

export class UdpSocket {
  readonly family: 4 | 6;
  readonly port: number;
  readonly #socket: Socket;
  readonly #mayLose: UdpSocketOptions["mayLose"];
  readonly #address: string;
  /** What all flows of the socket have in common. */
  readonly #common: Pick<Flow, "localAddress" | "sentBy" | "source">;
  /** By peer: a flow has no state, so that the last ones are used again. */
  readonly #flows = new Map<string, Flow>();
  #isOpen = true;

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
    this.#mayLose = options.mayLose;
    this.#address = options.address;
    this.family = options.family;
    enlargeBuffers(socket);
    this.port = socket.address().port;
    const localAddress = options.publicAddress ?? options.address;
    this.#common = { localAddress, sentBy: `${hostText(localAddress)}:${this.port}`, source: options.source };
    socket.on("message", (octets, { address, port }) => {
      if (octets.length < OCTETS_MIN || options.mayLose?.()) return;
      options.onMessage(octets.toString("latin1"), this.flowTo(address, port));
    });
    socket.on("error", (error) => {
      this.#isOpen = false;
      options.onFault(error);
    });
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Where peers reach it: address and port. */
  get place(): string {
    return this.#common.sentBy;
  }

  flowTo(address: string, port: number): Flow {
    const peer = `${address} ${port}`;
    let flow = this.#flows.get(peer);
    if (!flow) {
      flow = this.#newFlow(address, port);
      this.#flows.set(peer, flow);
      forgetOldest(this.#flows, FLOWS_MAX);
    }
    return flow;
  }

  #newFlow(address: string, port: number): Flow {
    const peer = { transport: "UDP", address, port, family: this.family } as const;
    return {
      ...this.#common,
      ...peer,
      isReliable: false,
      localPort: this.port,
      isOpen: () => this.#isOpen,
      toPort: (other) => this.flowTo(address, other),
      probe: async () => ((await isPortClosed(peer, this.#address)) ? refusedBy(peer) : undefined),
      send: (octets, onFault) => this.#send(octets, peer, onFault),
    };
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#socket.close();
  }

  #send(octets: Uint8Array, peer: PeerPlace, onFault: OnFault | undefined): void {
    if (!this.#isOpen) {
      if (onFault) setImmediate(onFault, undefined);
      return;
    }
    if (this.#mayLose?.()) return;
    try {
      // Without a callback, errors such as ENETUNREACH are not reported, and the socket stays usable.
      this.#socket.send(
        octets,
        peer.port,
        peer.address,
        onFault && ((error) => error && onFault(faultOf(error, peer))),
      );
    } catch {
      // DNS may return a port of 0, which `send` rejects.
      if (onFault) setImmediate(onFault, undefined);
    }
  }
}

function faultOf({ code = "" }: NodeJS.ErrnoException, peer: PeerPlace): string {
  return unreachable(peer, code);
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
