// The letters of port orders, as files: one directory an order, one file a letter, named by its digest.
//
// Guarantees: a letter is whole and on the disk when `put` resolves, or it is not there at all; only our own user can read it; a letter
// that was changed behind our back is not handed out. Putting the same twice is putting it once.

import { hash, randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isSid } from "../../base/ids.ts";

export class DocumentFiles {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async put(
    orderSid: string,
    { sha256, bytes }: { readonly sha256: string; readonly bytes: Uint8Array },
  ): Promise<void> {
    const directory = this.#directoryOf(orderSid);
    const path = this.#pathOf(orderSid, sha256);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const unfinished = `${path}.${randomUUID()}.new`;
    try {
      await writeThrough(unfinished, bytes);
      await rename(unfinished, path);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
    for (const changed of [directory, this.#directory, dirname(this.#directory)]) await syncDirectory(changed);
  }

  async read(orderSid: string, sha256: string): Promise<Uint8Array> {
    const path = this.#pathOf(orderSid, sha256);
    const bytes = await readFile(path);
    if (hash("sha256", bytes, "hex") !== sha256) throw new Error(`${path} is not what was stored`);
    return bytes;
  }

  /** All letters of an order; nothing when it has none. */
  async remove(orderSid: string): Promise<void> {
    await rm(this.#directoryOf(orderSid), { recursive: true, force: true });
  }

  #directoryOf(orderSid: string): string {
    if (!isSid("PO", orderSid)) throw new Error("not the sid of a port order");
    return join(this.#directory, orderSid);
  }

  #pathOf(orderSid: string, sha256: string): string {
    if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error("not a digest");
    return join(this.#directoryOf(orderSid), sha256);
  }
}

async function writeThrough(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** So that the name outlives a power cut as well. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
