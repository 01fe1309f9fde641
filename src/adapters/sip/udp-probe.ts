// Asks whether anything listens at a peer's UDP port. A host refuses what is sent to a closed port (ICMP). Only a
// connected socket hears of that, so the probe has a socket of its own.

import { createSocket } from "node:dgram";
import type { PeerPlace } from "./flow.ts";

const WAIT_MS = 500;
/** RFC 5626 4.4.1: a keep-alive, which no peer takes for a request. */
const KEEP_ALIVE = Buffer.from("\r\n\r\n");

/** True: the port is closed. False: it is open, or no ICMP message came. */
export function isPortClosed({ address, port, family }: PeerPlace, localAddress: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket({ type: family === 4 ? "udp4" : "udp6" });
    const done = (isClosed: boolean) => {
      clearTimeout(timer);
      socket.removeAllListeners();
      socket.on("error", () => {}).close();
      resolve(isClosed);
    };
    const timer = setTimeout(() => done(false), WAIT_MS);
    socket.once("error", (error: NodeJS.ErrnoException) => done(error.code === "ECONNREFUSED"));
    socket.bind({ address: localAddress }, () =>
      socket.connect(port, address, () => socket.send(KEEP_ALIVE, (error) => error && socket.emit("error", error))),
    );
  });
}
