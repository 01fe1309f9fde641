// The directory of raw segments: where recorders write and encoders read. Every data directory has a name of its own,
// so that processes on several machines know which segments they can reach.

import { randomUUID } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface RawDirectory {
  readonly path: string;
  /** The name of the data directory, the same for all processes that use it. */
  readonly host: string;
}

export function openRawDirectory(dataDir: string): RawDirectory {
  const path = join(dataDir, "recordings", "raw");
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const file = join(dataDir, "recordings", "host");
  // A link, so that no process ever reads a name that is half written.
  const own = `${file}.${process.pid}`;
  writeFileSync(own, randomUUID(), { mode: 0o600 });
  try {
    linkSync(own, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    unlinkSync(own);
  }
  return { path, host: readFileSync(file, "utf8").trim() };
}

/** Undefined when none has been opened yet. Changes nothing. */
export function findRawDirectory(dataDir: string): RawDirectory | undefined {
  const file = join(dataDir, "recordings", "host");
  if (!existsSync(file)) return undefined;
  return { path: join(dataDir, "recordings", "raw"), host: readFileSync(file, "utf8").trim() };
}

/** Samples of each channel that have been written; undefined when the file does not exist. */
export function rawSamples({ path }: RawDirectory, file: string): number | undefined {
  const size = statSync(join(path, file), { throwIfNoEntry: false })?.size;
  return size === undefined ? undefined : Math.floor(size / 2);
}
