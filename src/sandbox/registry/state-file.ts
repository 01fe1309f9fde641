// Stores the registry's state between two starts in one JSON file, replaced atomically. Changes during a write are
// batched into the next one; a sandbox that is killed loses the last of them.

import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Log } from "../../base/log.ts";
import { campaignRecord } from "./records.ts";

const savedState = z.object({
  campaigns: z.array(campaignRecord),
  /** The URL by partner and category. */
  subscriptions: z.record(z.string(), z.record(z.string(), z.string())),
  /** By partner. */
  migrationSettings: z.record(
    z.string(),
    z.object({ migrationSupported: z.boolean(), migrationAutoComplete: z.boolean() }),
  ),
});

export type SavedState = z.output<typeof savedState>;

export class StateFile {
  readonly #path: string;
  readonly #log: Log;
  readonly #snapshot: () => SavedState;
  #writing: Promise<void> | undefined;
  #isStale = false;

  constructor(directory: string, snapshot: () => SavedState, log: Log) {
    this.#path = join(directory, "registry.json");
    this.#snapshot = snapshot;
    this.#log = log;
  }

  static async read(directory: string, log: Log): Promise<SavedState> {
    await mkdir(directory, { recursive: true });
    const path = join(directory, "registry.json");
    try {
      return savedState.parse(JSON.parse(await readFile(path, "utf8")));
    } catch (error) {
      const isThere = (error as NodeJS.ErrnoException).code !== "ENOENT";
      if (isThere) log.warn({ path, err: error }, "sandbox registry started empty, its file was unreadable");
      return { campaigns: [], subscriptions: {}, migrationSettings: {} };
    }
  }

  changed(): void {
    this.#isStale = true;
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
  }

  /** Waits until all changes are written. */
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
