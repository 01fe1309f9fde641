// The log: JSON, one line for each fact.
//
// Guarantee: logging never stops the server. When a pipe is not read, lines are held in memory up to a bound; those
// beyond it are dropped and counted, and the next line written reports how many. Files and terminals are written
// synchronously.

import { fstatSync } from "node:fs";
import type { Writable } from "node:stream";
import pino from "pino";
import type { Log } from "../../base/log.ts";

const HELD_BYTES_MAX = 1024 * 1024;

/** `stream` writes to the descriptor `fd`. */
export interface LogOutput {
  readonly fd: number;
  readonly stream: () => Writable;
}

export function openLog(level: string, { fd, stream }: LogOutput): Log {
  const kind = fstatSync(fd);
  if (kind.isFIFO() || kind.isSocket()) return pino({ level }, droppingLines(stream()));
  const lines = pino.destination({ fd, sync: true });
  // When the disk is full, lines are lost and the server continues.
  lines.on("error", () => undefined);
  return pino({ level }, lines);
}

/** Node.js writes as much as the pipe takes, and buffers the rest. */
function droppingLines(stream: Writable): pino.DestinationStream {
  let dropped = 0;
  stream.on("error", () => undefined);
  return {
    write(line) {
      if (stream.writableLength >= HELD_BYTES_MAX) {
        dropped += 1;
        return;
      }
      if (dropped > 0) {
        const fact = { level: pino.levels.values.warn, time: Date.now(), dropped, msg: "log lines dropped, unread" };
        stream.write(`${JSON.stringify(fact)}\n`);
        dropped = 0;
      }
      stream.write(line);
    },
  };
}
