// The files of media in a folder of this machine.
//
// Guarantees: when `put` has resolved, the file is durable on disk, complete and readable only by our user. A file
// under its final name is never half written.

import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { type MediaFiles, placeFor, placeOf } from "./attachment-files.ts";

const UNFINISHED = /^\.new-/;

export class DiskMedia implements MediaFiles {
  readonly #folder: string;

  /** Creates the folder and removes unfinished files of a killed process. */
  static async open(folder: string): Promise<DiskMedia> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const files = new DiskMedia(folder);
    const left = (await readdir(folder)).filter((name) => UNFINISHED.test(name));
    await Promise.all(left.map((name) => rm(join(folder, name), { force: true })));
    return files;
  }

  /** For use beside a running server: keeps its unfinished files, and changes nothing until `put` is called. */
  static beside(folder: string): DiskMedia {
    return new DiskMedia(folder);
  }

  private constructor(folder: string) {
    this.#folder = folder;
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    const path = join(this.#folder, placeFor(name));
    const folder = dirname(path);
    const unfinished = join(this.#folder, `.new-${randomUUID()}`);
    try {
      await withFile(unfinished, "wx", async (file) => {
        await file.writeFile(bytes);
        await file.sync();
      });
      if (await mkdir(folder, { recursive: true, mode: 0o700 })) await sync(this.#folder);
      await rename(unfinished, path);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
    await sync(folder);
  }

  async read(name: string): Promise<Readable | undefined> {
    const place = placeOf(name);
    const file = place === undefined ? undefined : await orNothing(open(join(this.#folder, place), "r"));
    return file?.createReadStream();
  }

  async remove(name: string): Promise<void> {
    const place = placeOf(name);
    if (place !== undefined) await rm(join(this.#folder, place), { force: true });
  }
}

async function orNothing<Value>(work: Promise<Value>): Promise<Value | undefined> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

async function withFile(path: string, flags: string, act: (file: FileHandle) => Promise<void>): Promise<void> {
  const file = await open(path, flags, 0o600);
  try {
    await act(file);
  } finally {
    await file.close();
  }
}

/** A directory entry is durable only after its folder is synced. */
function sync(folder: string): Promise<void> {
  return withFile(folder, "r", (file) => file.sync());
}
