// The domain's encoder over the pool of encoding processes, with the folders of a data directory: raw files in `raw`,
// encoded ones that are not stored yet in `encoded`.

import { mkdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { ok, refused } from "../../base/result.ts";
import type { SegmentEncoder } from "../../domain/voice/ports.ts";
import type { EncodedSegment, SegmentOrder } from "./encode-segment.ts";

/** Faults of the machine, which pass: they say nothing about the segment. */
const PASSING = new Set([
  "ENOSPC",
  "EDQUOT",
  "EROFS",
  "EIO",
  "EMFILE",
  "ENFILE",
  "ENOMEM",
  "EAGAIN",
  "EACCES",
  "EPERM",
]);

interface Pool {
  readonly sizeMax: number;
  encode(order: SegmentOrder): Promise<EncodedSegment>;
  close(): Promise<void>;
}

export function segmentEncoder(dataDir: string, pool: Pool): SegmentEncoder {
  const raw = join(dataDir, "recordings", "raw");
  const encoded = join(dataDir, "recordings", "encoded");
  mkdirSync(encoded, { recursive: true, mode: 0o700 });
  const pathOf = (rawFile: string) => join(encoded, `${rawFile}.mp3`);
  return {
    sizeMax: pool.sizeMax,
    async encode({ rawFile }) {
      const path = pathOf(rawFile);
      try {
        return ok({ ...(await pool.encode({ raw: join(raw, rawFile), mp3: path })), path });
      } catch (error) {
        const { message, code = "" } = error as NodeJS.ErrnoException;
        return refused({ reason: message, isPassing: PASSING.has(code) });
      }
    },
    discard: (rawFile) => rm(pathOf(rawFile), { force: true }),
    discardRaw: (rawFile) => rm(join(raw, rawFile), { force: true }),
    close: () => pool.close(),
  };
}
