// How connections end: what was written arrives first. Whoever answers on a connection past the HTTP server says how to end it.

import type { Socket } from "node:net";

/** How long we go on reading from somebody we have nothing more to say to, so that the last words reach them before the connection goes. */
const LINGER_MS = 2_000;

const ways = new WeakMap<Socket, () => void>();

export function endAfterText(socket: Socket, text: string): void {
  // Ending twice is an error, and would cut off what still lingers.
  if (socket.writableEnded) return;
  socket.end(text);
  const cut = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once("close", () => clearTimeout(cut));
}

export function endsThisWay(socket: Socket, way: (() => void) | undefined): void {
  if (way) ways.set(socket, way);
  else ways.delete(socket);
}

export const wayToEnd = (socket: Socket): (() => void) | undefined => ways.get(socket);
