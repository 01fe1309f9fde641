// Limits connections from outside, in total and for each caller's address, so that strangers who only hold connections
// open leave file descriptors for the database, carriers and webhooks, and connections for other callers. One too many
// is closed at once.

import type { Server, Socket } from "node:net";
import { isInNetwork, parseAddress, parseNetwork, subscriberOf } from "../../../base/cidr.ts";

export interface ConnectionLimit {
  readonly connectionsMax: number;
  readonly connectionsPerAddressMax: number;
}

/** How a socket for both families shows an IPv4 address. */
const MAPPED = /^::ffff:(?=\d+\.)/i;

/** Connections of `proxies`, which speak for many callers, are only limited in total. */
export function limitConnections(server: Server, limit: ConnectionLimit, proxies: readonly string[]): void {
  server.maxConnections = limit.connectionsMax;
  const networks = proxies.flatMap((text) => parseNetwork(text) ?? []);
  const byCaller = new Map<string, number>();
  server.on("connection", (socket: Socket) => {
    const address = parseAddress((socket.remoteAddress ?? "").replace(MAPPED, ""));
    if (!address || networks.some((network) => isInNetwork(network, address))) return;
    const caller = subscriberOf(address);
    const count = (byCaller.get(caller) ?? 0) + 1;
    if (count > limit.connectionsPerAddressMax) {
      socket.destroy();
      return;
    }
    byCaller.set(caller, count);
    socket.once("close", () => {
      const left = (byCaller.get(caller) ?? 1) - 1;
      if (left > 0) byCaller.set(caller, left);
      else byCaller.delete(caller);
    });
  });
}
