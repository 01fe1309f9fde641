// One TCP or TLS connection to a peer, opened by either side.
//
// Guarantees: what is sent before the connection is up waits for it; when it breaks, each sender that may still wait
// for an answer is notified once; unread output and unfinished input are bounded.

import type { Socket } from "node:net";
import { forgetOldest } from "../../base/forget-oldest.ts";
import { Framer } from "../../wire/sip/framer.ts";
import { connectionFault, notInTime } from "./connection-fault.ts";
import type { Flow, FlowEnds, OnFault } from "./flow.ts";

export interface StreamOptions {
  readonly ends: FlowEnds;
  /** Of a connection that we open: whose certificate is wanted. */
  readonly name?: string | undefined;
  readonly idleMs: number;
  readonly onMessage: (text: string, flow: Flow) => void;
  readonly onClose: () => void;
  /** The peer has proven to be a trunk. */
  readonly onWelcome?: () => void;
}

const UNREAD_MAX = 1024 * 1024;
const WAITING_MAX = 5000;
const PONG = Buffer.from("\r\n");

export class StreamConnection {
  readonly flow: Flow;
  readonly #options: StreamOptions;
  readonly #socket: Socket;
  readonly #framer = new Framer();
  /** Called when the connection breaks. Bounded: the oldest requests are done by then. */
  readonly #waiting = new Set<OnFault>();
  #isOpen = true;
  #isUp: boolean;
  #fault: string | undefined;

  constructor(socket: Socket, options: StreamOptions) {
    this.#socket = socket;
    this.#options = options;
    const { ends, name } = options;
    this.#isUp = !socket.connecting;
    this.flow = {
      ...ends,
      isReliable: true,
      isOpen: () => this.#isOpen,
      fault: () => this.#fault ?? (this.#isUp ? undefined : notInTime(ends)),
      onClosed: (run) => void socket.once("close", run),
      welcome: () => options.onWelcome?.(),
      send: (octets, onFault) => this.#send(octets, onFault),
    };
    socket.setNoDelay(true);
    socket.setTimeout(options.idleMs, () => this.close());
    socket.on("data", (chunk) => this.#receive(chunk.toString("latin1")));
    socket.once(name === undefined ? "connect" : "secureConnect", () => {
      this.#isUp = true;
    });
    socket.on("error", (error) => {
      this.#fault = connectionFault(error, ends, name, this.#isUp);
    });
    socket.on("close", () => this.#closed());
  }

  #send(octets: Uint8Array, onFault: OnFault | undefined): void {
    if (!this.#isOpen) {
      if (onFault) setImmediate(onFault, this.#fault);
      return;
    }
    if (onFault) {
      this.#waiting.add(onFault);
      forgetOldest(this.#waiting, WAITING_MAX);
    }
    this.#socket.write(octets);
    // Closes the connection of a peer that does not read.
    if (this.#socket.writableLength > UNREAD_MAX) this.close();
  }

  close(): void {
    this.#socket.destroy();
    this.#closed();
  }

  #receive(chunk: string): void {
    const { messages, pings, fault } = this.#framer.push(chunk);
    for (const text of messages) this.#options.onMessage(text, this.flow);
    if (pings > 0 && this.#isOpen) this.#socket.write(PONG);
    if (fault !== undefined) this.close();
  }

  #closed(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#options.onClose();
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const onFault of waiting) setImmediate(onFault, this.#fault);
  }
}
