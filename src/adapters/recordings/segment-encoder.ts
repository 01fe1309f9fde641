// The domain's encoder over the pool of encoding processes, with the folders of a data directory: raw files in `raw`,
// encoded ones that are not stored yet in `encoded`.

import { mkdirSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { ok, refused } from "../../base/result.ts";
import type { SegmentEncoder } from "../../domain/voice/ports.ts";
import type { EncodedSegment } from "./encode-segment.ts";
import type { PoolOrder } from "./encoder-pool.ts";

/** Temporary faults of the machine: the segment itself may be fine. */
const PASSING = new Set(["ENOSPC", "EDQUOT", "EROFS", "EMFILE", "ENFILE", "ENOMEM", "EAGAIN"]);

const UNFINISHED = /\.new-[0-9a-f-]+$/;
const UNFINISHED_MS = 3_600_000;

interface Pool {
  readonly places: number;
  encode(order: PoolOrder): Promise<EncodedSegment>;
  close(): Promise<void>;
}

/** Removes unfinished files of killed encoders, by their age: a running encoder keeps changing its file. */
export async function sweepUnfinished(dataDir: string, now: Date): Promise<void> {
  const folder = join(dataDir, "recordings", "encoded");
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (!UNFINISHED.test(name)) continue;
    const changed = await stat(path).catch(() => undefined);
    if (changed && now.getTime() - changed.mtimeMs > UNFINISHED_MS) await rm(path, { force: true });
  }
}

export function segmentEncoder(dataDir: string, pool: Pool): SegmentEncoder {
  const raw = join(dataDir, "recordings", "raw");
  const encoded = join(dataDir, "recordings", "encoded");
  mkdirSync(encoded, { recursive: true, mode: 0o700 });
  const pathOf = (rawFile: string) => join(encoded, `${rawFile}.mp3`);
  return {
    places: pool.places,
    async encode({ accountSid, samples, channels, rawFile }) {
      const path = pathOf(rawFile);
      try {
        const order = { accountSid, samples, channels, raw: join(raw, rawFile), mp3: path };
        return ok({ ...(await pool.encode(order)), path });
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
