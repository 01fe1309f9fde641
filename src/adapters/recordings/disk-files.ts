// The files of recordings in a folder of this machine.
//
// Guarantees: when `put` has resolved, the file is durable; under its final name a file is never half written.

import { mkdir, open, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { RecordingFiles } from "../../domain/voice/ports.ts";

/** Keys are made of sids; anything else would leave the folder. */
const KEY = /^[A-Za-z0-9]+\/[A-Za-z0-9]+\/[A-Za-z0-9]+-\d+\.mp3$/;

export function diskFiles(folder: string): RecordingFiles {
  const pathOf = (key: string) => {
    if (!KEY.test(key)) throw new Error(`${key} is no file of a recording`);
    return join(folder, key);
  };
  return {
    async put(key, { path }) {
      const place = pathOf(key);
      await mkdir(dirname(place), { recursive: true, mode: 0o700 });
      // Both are on the same disk, and the content is durable already.
      await rename(path, place);
      for (let above = dirname(place); above.length >= folder.length; above = dirname(above)) await sync(above);
    },
    async read(key, range) {
      const file = await orNothing(open(pathOf(key), "r"));
      return file?.createReadStream(range && { start: range.first, end: range.last });
    },
    async remove(keys) {
      for (const key of keys) {
        const place = pathOf(key);
        await rm(place, { force: true });
        // Removes the call's folder if it is empty.
        await rmdir(dirname(place)).catch(() => undefined);
      }
    },
  };
}

async function sync(folder: string): Promise<void> {
  const file = await open(folder, "r");
  await file.sync().finally(() => file.close());
}

async function orNothing<Value>(work: Promise<Value>): Promise<Value | undefined> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
