// The log: JSON, a line for each fact.

import pino from "pino";
import type { Log } from "../../base/log.ts";
export function openLog(level: string, descriptor: number): Log {
  const lines = pino.destination({ fd: descriptor, sync: true });
  // When the disk is full, lines are lost and the server goes on.
  lines.on("error", () => undefined);
  return pino({ level }, lines);
}
