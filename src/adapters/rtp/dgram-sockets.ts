// The portable media path: Node's own UDP sockets, two for each leg and address family.

import { createSocket, type RemoteInfo, type Socket } from "node:dgram";
import { once } from "node:events";
import type { OpenSockets } from "./relay.ts";
import type { LegSockets } from "./relay-leg.ts";

/** The kernel's default holds a fifth of a second of a flood; a pause of the thread must not lose a peer's audio. */
const BUFFER_OCTETS = 256 * 1024;

export const openDgramSockets: OpenSockets = async ({ rtpPort, addresses }, receiver) => {
  const opened: Socket[] = [];
  const closeAll = () => Promise.all(opened.map((socket) => new Promise<void>((done) => socket.close(done))));
  const rtp: Partial<Record<4 | 6, Socket>> = {};
  const rtcp: Partial<Record<4 | 6, Socket>> = {};
  try {
    for (const { family, address } of addresses) {
      rtp[family] = await bind(opened, family, address, rtpPort, (octets, from) =>
        receiver.rtp(octets, from.address, from.port, performance.now()),
      );
      rtcp[family] = await bind(opened, family, address, rtpPort + 1, (octets, from) =>
        receiver.rtcp(octets, from.address, performance.now()),
      );
    }
  } catch (error) {
    await closeAll();
    throw error;
  }
  const sockets: LegSockets = {
    sendRtp: (family, octets, start, end, port, address) =>
      rtp[family]?.send(octets, start, end - start, port, address),
    sendRtcp: (family, octets, port, address) => rtcp[family]?.send(octets, port, address),
    close: (closed) => void closeAll().then(closed),
  };
  return sockets;
};

async function bind(
  opened: Socket[],
  family: 4 | 6,
  address: string,
  port: number,
  hear: (octets: Uint8Array, from: RemoteInfo) => void,
): Promise<Socket> {
  const socket = createSocket({
    type: `udp${family}`,
    ipv6Only: family === 6,
    recvBufferSize: BUFFER_OCTETS,
    sendBufferSize: BUFFER_OCTETS,
    // Only addresses are used; without this, Node would pass every datagram through its resolver.
    lookup: (name, _options, found) => found(null, name, family),
  });
  opened.push(socket);
  // The lookup above is synchronous, so `bind` may emit its event before it returns.
  const listening = once(socket, "listening");
  socket.bind(port, address);
  await listening;
  // A send that failed (no route, a full buffer) is a lost packet, which RTP tolerates.
  socket.on("error", () => {});
  socket.on("message", hear);
  return socket;
}
