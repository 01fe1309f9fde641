// The sockets of those who connect to us. The SMTP server puts up with a peer for as long as it sends anything, writes answers that nobody
// reads, and loses sight of a connection once it has said goodbye.
//
// Guarantees: a socket is destroyed when its peer brings no mail within `bringMsMax`, does not hang up within `leaveMsMax` of our goodbye, or
// leaves more than UNREAD_OCTETS_MAX of our answers unread; and whoever has been told goodbye makes room when there are more than SOCKETS_MAX.
// Says nothing to the peer first: it still has what it has not been answered for.

import type { Socket } from "node:net";

export interface SocketTimes {
  /** How long a peer may take to bring a mail, and then another one. */
  readonly bringMsMax: number;
  /** How long a peer may take to leave. */
  readonly leaveMsMax: number;
}

interface Endpoint {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
}

interface Guest {
  readonly socket: Socket;
  readonly timer: NodeJS.Timeout;
}

const UNREAD_OCTETS_MAX = 64 * 1024;
/** More than are spoken with at once. */
export const SOCKETS_MAX = 200;

/** Names a peer's end of its connection, whoever tells of it. */
export function endpointOf({ remoteAddress = "", remotePort = 0 }: Endpoint): string {
  return `${remoteAddress.replace(/^::ffff:/, "")} ${remotePort}`;
}

export class PeerSockets {
  readonly #times: SocketTimes;
  readonly #guests = new Map<string, Guest>();

  constructor(times: SocketTimes) {
    this.#times = times;
  }

  add(socket: Socket): void {
    this.#makeRoom();
    const endpoint = endpointOf(socket);
    // Its end has been used again, so it is long gone.
    this.#guests.get(endpoint)?.socket.destroy();
    clearTimeout(this.#guests.get(endpoint)?.timer);
    const timer = setTimeout(() => socket.destroy(), this.#times.bringMsMax);
    this.#guests.set(endpoint, { socket, timer });
    this.watch(socket);
  }

  /** Called again for the TLS that has come over a socket, for with STARTTLS the SMTP server takes all listeners off it. */
  watch(socket: Socket): void {
    // Nothing is read before the SMTP server does: listening alone would begin it.
    socket.pause();
    socket.on("data", () => {
      if (socket.writableLength > UNREAD_OCTETS_MAX) socket.destroy();
    });
    socket.once("finish", () => {
      const timer = setTimeout(() => socket.destroy(), this.#times.leaveMsMax);
      socket.once("close", () => clearTimeout(timer));
    });
  }

  /** This peer has brought a mail: its time begins anew. */
  extend(endpoint: string): void {
    this.#guests.get(endpoint)?.timer.refresh();
  }

  cutAllBut(spared: ReadonlySet<string>): void {
    for (const [endpoint, { socket }] of this.#guests) if (!spared.has(endpoint)) socket.destroy();
  }

  /** To be called when one has ended, for a socket with TLS over it does not tell us. */
  forgetEnded(): void {
    for (const [endpoint, { socket, timer }] of this.#guests) {
      if (!socket.destroyed) continue;
      clearTimeout(timer);
      this.#guests.delete(endpoint);
    }
  }

  #makeRoom(): void {
    if (this.#guests.size < SOCKETS_MAX) return;
    for (const { socket } of this.#guests.values()) {
      if (!socket.writableEnded || socket.destroyed) continue;
      socket.destroy();
      return;
    }
  }
}
