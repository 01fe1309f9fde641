// Bounds the sockets of peers that connect to us. The SMTP server alone would keep a peer for as long as it sends
// anything, buffer answers that the peer does not read, and lose track of a connection after its own QUIT reply.
//
// Guarantees: a socket is destroyed when its peer sends no mail within `mailWaitMsMax`, does not hang up within
// `hangUpMsMax` after we end the connection, or leaves more than UNREAD_OCTETS_MAX of our answers unread; above
// SOCKETS_MAX, a socket that we have ended is destroyed for each new one. The peer gets no notice: it keeps mail that
// was not answered.

import type { Socket } from "node:net";

export interface SocketTimes {
  /** How long a peer may take to send its first mail, and then each further one. */
  readonly mailWaitMsMax: number;
  /** How long a peer may take to hang up after we have ended the connection. */
  readonly hangUpMsMax: number;
}

interface Endpoint {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
}

interface Peer {
  readonly socket: Socket;
  readonly timer: NodeJS.Timeout;
}

const UNREAD_OCTETS_MAX = 64 * 1024;
/** More than the SMTP server serves at the same time. */
export const SOCKETS_MAX = 200;

/** One name for the peer's end of a connection, made of a socket or of an SMTP session. */
export function endpointOf({ remoteAddress = "", remotePort = 0 }: Endpoint): string {
  return `${remoteAddress.replace(/^::ffff:/, "")} ${remotePort}`;
}

export class PeerSockets {
  readonly #times: SocketTimes;
  readonly #peers = new Map<string, Peer>();

  constructor(times: SocketTimes) {
    this.#times = times;
  }

  add(socket: Socket): void {
    this.#makeRoom();
    const endpoint = endpointOf(socket);
    // The peer reuses this address and port, so its earlier connection is gone.
    this.#peers.get(endpoint)?.socket.destroy();
    clearTimeout(this.#peers.get(endpoint)?.timer);
    const timer = setTimeout(() => socket.destroy(), this.#times.mailWaitMsMax);
    this.#peers.set(endpoint, { socket, timer });
    this.watch(socket);
  }

  /** Called again for the TLS socket after STARTTLS, where the SMTP server removes all listeners of the plain one. */
  watch(socket: Socket): void {
    // A `data` listener alone would start reading before the SMTP server is ready for it.
    socket.pause();
    socket.on("data", () => {
      if (socket.writableLength > UNREAD_OCTETS_MAX) socket.destroy();
    });
    socket.once("finish", () => {
      const timer = setTimeout(() => socket.destroy(), this.#times.hangUpMsMax);
      socket.once("close", () => clearTimeout(timer));
    });
  }

  /** The peer has sent a mail: its `mailWaitMsMax` starts anew. */
  extend(endpoint: string): void {
    this.#peers.get(endpoint)?.timer.refresh();
  }

  cutAllBut(spared: ReadonlySet<string>): void {
    for (const [endpoint, { socket }] of this.#peers) if (!spared.has(endpoint)) socket.destroy();
  }

  /** Call it when a session has ended: a socket below TLS emits no event of its own. */
  forgetEnded(): void {
    for (const [endpoint, { socket, timer }] of this.#peers) {
      if (!socket.destroyed) continue;
      clearTimeout(timer);
      this.#peers.delete(endpoint);
    }
  }

  #makeRoom(): void {
    if (this.#peers.size < SOCKETS_MAX) return;
    for (const { socket } of this.#peers.values()) {
      if (!socket.writableEnded || socket.destroyed) continue;
      socket.destroy();
      return;
    }
  }
}
