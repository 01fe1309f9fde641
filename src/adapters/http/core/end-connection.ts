// Ends connections so that the last answer arrives first. Code that answers on a connection without the HTTP server
// registers how to end it.

import type { Socket } from "node:net";

/** How long to go on reading after the last answer: closing with unread input would reset the connection. */
const LINGER_MS = 2_000;

const endings = new WeakMap<Socket, () => void>();

export function endAfterText(socket: Socket, text: string): void {
  // Ending twice is an error, and would cut off what is still being sent.
  if (socket.writableEnded) return;
  socket.end(text);
  const cut = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once("close", () => clearTimeout(cut));
}

export function setEnding(socket: Socket, end: (() => void) | undefined): void {
  if (end) endings.set(socket, end);
  else endings.delete(socket);
}

export const endingOf = (socket: Socket): (() => void) | undefined => endings.get(socket);
