import pino from "pino";
import type { Log } from "../../base/log.ts";

/** JSON, a line for each fact. */
export function openLog(level: string, descriptor: number): Log {
  const lines = pino.destination({ fd: descriptor, sync: true });
  // A disk that is full costs lines, not the server.
  lines.on("error", () => undefined);
  return pino({ level }, lines);
}
