// The portable media path: Node's own UDP sockets, two for each leg and address family.

import { createSocket, type Socket } from "node:dgram";
import type { OpenSockets } from "./relay.ts";
import type { LegSockets } from "./relay-leg.ts";

/** Of RTP. The kernel's default holds a fifth of a second of a flood; a pause must not lose a peer's audio. */
const BUFFER_OCTETS = 256 * 1024;

export const openDgramSockets: OpenSockets = async ({ rtpPort, addresses }, receiver) => {
  const opened: Socket[] = [];
  const closeAll = () => Promise.all(opened.map((socket) => new Promise<void>((done) => socket.close(done))));
  const rtp: Partial<Record<4 | 6, Socket>> = {};
  const rtcp: Partial<Record<4 | 6, Socket>> = {};
  try {
    for (const { family, address } of addresses) {
      const own = newSocket(opened, family, BUFFER_OCTETS);
      const control = newSocket(opened, family);
      await Promise.all([bind(own, address, rtpPort), bind(control, address, rtpPort + 1)]);
      own.on("message", (octets, from) => receiver.rtp(octets, from.address, from.port, performance.now()));
      control.on("message", (octets, from) => receiver.rtcp(octets, from.address, performance.now()));
      rtp[family] = own;
      rtcp[family] = control;
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

function newSocket(opened: Socket[], family: 4 | 6, recvBufferSize?: number): Socket {
  const socket = createSocket({
    type: `udp${family}`,
    ipv6Only: family === 6,
    ...(recvBufferSize !== undefined && { recvBufferSize }),
    // Only addresses are used; without this, Node would pass every datagram through its resolver.
    lookup: (name, _options, found) => found(null, name, family),
  });
  opened.push(socket);
  return socket;
}

function bind(socket: Socket, address: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    // After that, a send that failed (no route, a full buffer) is a lost packet, which RTP tolerates.
    socket.on("error", reject);
    socket.on("listening", resolve);
    socket.bind(port, address);
  });
}
