// The book between two starts: one JSON file, replaced in one step. Changes that come while it is written go together into the next
// writing; a sandbox that is killed forgets the last of them.

import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Log } from "../../base/log.ts";
import { campaignRecord } from "./records.ts";

const bookFile = z.object({
  campaigns: z.array(campaignRecord),
  /** By partner and category: the URL. */
  subscriptions: z.record(z.string(), z.record(z.string(), z.string())),
  /** By partner. */
  migrationSettings: z.record(
    z.string(),
    z.object({ migrationSupported: z.boolean(), migrationAutoComplete: z.boolean() }),
  ),
});

export type KeptBook = z.output<typeof bookFile>;

export class BookFile {
  readonly #path: string;
  readonly #log: Log;
  readonly #snapshot: () => KeptBook;
  #writing: Promise<void> | undefined;
  #isStale = false;

  constructor(directory: string, snapshot: () => KeptBook, log: Log) {
    this.#path = join(directory, "registry.json");
    this.#snapshot = snapshot;
    this.#log = log;
  }

  static async read(directory: string, log: Log): Promise<KeptBook> {
    await mkdir(directory, { recursive: true });
    const path = join(directory, "registry.json");
    try {
      return bookFile.parse(JSON.parse(await readFile(path, "utf8")));
    } catch (error) {
      const isThere = (error as NodeJS.ErrnoException).code !== "ENOENT";
      if (isThere) log.warn({ path, err: error }, "sandbox registry began anew, its file was unreadable");
      return { campaigns: [], subscriptions: {}, migrationSettings: {} };
    }
  }

  changed(): void {
    this.#isStale = true;
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
  }

  /** What was changed is written. */
  async close(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    try {
      while (this.#isStale) {
        this.#isStale = false;
        await writeFile(`${this.#path}.new`, JSON.stringify(this.#snapshot()));
        await rename(`${this.#path}.new`, this.#path);
      }
    } catch (error) {
      this.#log.warn({ path: this.#path, err: error }, "sandbox registry could not be kept");
    }
  }
}
