// The files of earlier builds of the portal, for tabs that were opened before an upgrade and load another screen after
// it. They lie in a folder of the data directory, so a process that starts with a new build has those of the build
// before.
//
// Guarantees: a file is there for KEPT_MS after a process last served its build. Names change with the content, so what
// has a name never changes, and is read and compressed once however often it is asked for.

import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { BuiltFiles } from "./built-files.ts";
import { type StaticFile, staticFile } from "./static-file.ts";

const KEPT_MS = 7 * 24 * 3_600_000;
/** How often the files of a build that is served are marked as such. */
const MARK_MS = 3_600_000;
/** As the build names them; none leads out of the folder. */
const ASSET = /^\/assets\/(\w[\w.-]*\.\w+)$/;

export class EarlierAssets {
  readonly #folder: string;
  #last: { readonly files: BuiltFiles; readonly at: Date } | undefined;
  /** Those that tabs asked for since the files were last marked. */
  readonly #found = new Map<string, Promise<StaticFile | undefined>>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Keeps the files of the build that is served now, and removes those of builds that are not served any more. */
  async keep(files: BuiltFiles, now: Date): Promise<void> {
    if (this.#last?.files === files && now.getTime() - this.#last.at.getTime() < MARK_MS) return;
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    for (const [path, file] of files) await this.#keepFile(ASSET.exec(path)?.[1], file, now);
    await this.#sweep(now);
    this.#found.clear();
    this.#last = { files, at: now };
  }

  async find(path: string): Promise<StaticFile | undefined> {
    const name = ASSET.exec(path)?.[1];
    if (name === undefined) return undefined;
    const known = this.#found.get(name);
    if (known) return known;
    const found = this.#read(name);
    this.#found.set(name, found);
    // Only files are remembered: anybody can ask for any number of others.
    if (!(await found)) this.#found.delete(name);
    return found;
  }

  async #read(name: string): Promise<StaticFile | undefined> {
    const bytes = await readFile(join(this.#folder, name)).catch(() => undefined);
    return bytes && staticFile(name, bytes);
  }

  async #keepFile(name: string | undefined, { bytes }: StaticFile, now: Date): Promise<void> {
    if (name === undefined) return;
    const path = join(this.#folder, name);
    const isKept = await utimes(path, now, now).then(
      () => true,
      () => false,
    );
    if (isKept) return;
    // Another process of this machine may keep it at the same moment, and one may die while it writes.
    const written = join(this.#folder, `.${process.pid}-${basename(name)}`);
    await writeFile(written, bytes);
    await utimes(written, now, now);
    await rename(written, path);
  }

  async #sweep(now: Date): Promise<void> {
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name);
      const kept = await stat(path).catch(() => undefined);
      if (kept && now.getTime() - kept.mtimeMs > KEPT_MS + MARK_MS) await rm(path, { force: true });
    }
  }
}
