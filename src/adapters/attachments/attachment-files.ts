// Stores media in files named by the SHA-256 of their content, so that the same content is stored once.
//
// Guarantees: when `keep` has resolved, the file is durable on disk, complete and readable only by our user. A file
// under its final name is never half written. Does not know who owns a file or how long it is needed: the caller that
// removes it must know.

import { createHash, randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";

const ID = /^[0-9a-f]{64}$/;
const UNFINISHED = /^\.new-/;

export class MediaFiles {
  readonly #folder: string;

  /** Creates the folder and removes unfinished files of a killed process. */
  static async open(folder: string): Promise<MediaFiles> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const files = new MediaFiles(folder);
    const left = (await readdir(folder)).filter((name) => UNFINISHED.test(name));
    await Promise.all(left.map((name) => rm(join(folder, name), { force: true })));
    return files;
  }

  /** For use beside a running server: keeps its unfinished files, and changes nothing until `keep` is called. */
  static beside(folder: string): MediaFiles {
    return new MediaFiles(folder);
  }

  private constructor(folder: string) {
    this.#folder = folder;
  }

  async keep(bytes: Uint8Array): Promise<string> {
    const id = createHash("sha256").update(bytes).digest("hex");
    const path = this.#pathOf(id);
    if (await isFile(path)) return id;
    const unfinished = join(this.#folder, `.new-${randomUUID()}`);
    try {
      await withFile(unfinished, "wx", async (file) => {
        await file.writeFile(bytes);
        await file.sync();
      });
      if (await mkdir(join(this.#folder, id.slice(0, 2)), { recursive: true, mode: 0o700 })) await sync(this.#folder);
      await rename(unfinished, path);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
    await sync(join(this.#folder, id.slice(0, 2)));
    return id;
  }

  async read(id: string): Promise<Uint8Array | undefined> {
    return ID.test(id) ? await orNothing(readFile(this.#pathOf(id))) : undefined;
  }

  /** The caller reads the stream to its end or destroys it. */
  async stream(id: string): Promise<{ readonly size: number; readonly content: Readable } | undefined> {
    if (!ID.test(id)) return undefined;
    const file = await orNothing(open(this.#pathOf(id), "r"));
    if (!file) return undefined;
    const { size } = await file.stat();
    return { size, content: file.createReadStream() };
  }

  async remove(id: string): Promise<void> {
    if (ID.test(id)) await rm(this.#pathOf(id), { force: true });
  }

  #pathOf(id: string): string {
    return join(this.#folder, id.slice(0, 2), id);
  }
}

async function isFile(path: string): Promise<boolean> {
  return (await orNothing(stat(path)))?.isFile() ?? false;
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
