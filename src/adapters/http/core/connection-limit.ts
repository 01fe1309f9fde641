// Limits connections from outside, in total and for each caller's address, so that clients that only hold connections
// open leave file descriptors for the database, carriers and webhooks, and connections for other callers. A connection
// over the limit replaces the longest open connection on which nothing was ever sent; if there is none, the new
// connection is closed.

import type { Server, Socket } from "node:net";
import { subscriberOf } from "../../../base/cidr.ts";
import { peerAddress, type TrustedProxies } from "./trusted-proxies.ts";

export interface ConnectionLimit {
  readonly connectionsMax: number;
  readonly connectionsPerAddressMax: number;
}

/** Connections from `proxies`, each of which serves many callers, are only limited in total. */
export function limitConnections(server: Server, limit: ConnectionLimit, proxies: TrustedProxies): void {
  const all = new Connections(limit.connectionsMax);
  const byCaller = new Map<string, Connections>();
  server.on("connection", (socket: Socket) => {
    const address = peerAddress(socket.remoteAddress);
    const isLimited = address && !proxies.trusts(socket.remoteAddress);
    const caller = isLimited ? subscriberOf(address) : undefined;
    const own =
      caller === undefined ? undefined : (byCaller.get(caller) ?? new Connections(limit.connectionsPerAddressMax));
    if (!makeRoom(own) || !makeRoom(all)) {
      socket.destroy();
      return;
    }
    all.add(socket);
    own?.add(socket);
    if (caller !== undefined && own) byCaller.set(caller, own);
    socket.once("close", () => {
      all.remove(socket);
      own?.remove(socket);
      if (caller !== undefined && own?.count === 0 && byCaller.get(caller) === own) byCaller.delete(caller);
    });
  });

  function makeRoom(connections: Connections | undefined): boolean {
    if (!connections?.isFull) return true;
    const silent = connections.takeSilent();
    silent?.destroy();
    return silent !== undefined;
  }
}

/** Connections that are limited together. */
class Connections {
  readonly #max: number;
  readonly #open = new Set<Socket>();
  /** Those that were silent when last checked, the longest open first. */
  readonly #silent = new Set<Socket>();

  constructor(max: number) {
    this.#max = max;
  }

  get count(): number {
    return this.#open.size;
  }

  get isFull(): boolean {
    return this.#open.size >= this.#max;
  }

  add(socket: Socket): void {
    this.#open.add(socket);
    this.#silent.add(socket);
  }

  remove(socket: Socket): void {
    this.#open.delete(socket);
    this.#silent.delete(socket);
  }

  /** Removes a connection on which nothing was ever sent. */
  takeSilent(): Socket | undefined {
    for (const socket of this.#silent) {
      this.#silent.delete(socket);
      if (socket.bytesRead > 0) continue;
      this.#open.delete(socket);
      return socket;
    }
    return undefined;
  }
}
