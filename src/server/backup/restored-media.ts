// The files of a backup while it is restored. On disk they have temporary names until the database is about to commit;
// in S3, which cannot rename, they are written immediately.
//
// Guarantee: a restore that is abandoned leaves nothing behind that was not there before.

import { type FileHandle, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { MediaFiles } from "../../adapters/attachments/attachment-files.ts";
import { type BackupFile, type ContentEnd, DamagedBackup } from "../../adapters/backup/backup-file.ts";
import { openRawDirectory, type RawDirectory } from "../../adapters/recordings/raw-directory.ts";
import { openRecordingFiles } from "../../adapters/recordings/recording-settings.ts";
import type { RecordingFiles } from "../../domain/voice/ports.ts";
import type { Config } from "../config/config.ts";

interface WaitingFile extends BackupFile, ContentEnd {
  readonly path: string;
}

export class RestoredMedia {
  readonly #folder: string;
  readonly #raw: RawDirectory;
  readonly #recordings: RecordingFiles;
  readonly #attachments: MediaFiles;
  readonly #isInS3: boolean;
  readonly #waiting: WaitingFile[] = [];
  readonly #removals: (() => Promise<void>)[] = [];
  #file: { readonly about: BackupFile; readonly path: string; readonly handle: FileHandle } | undefined;
  #count = 0;

  static async open(config: Config): Promise<RestoredMedia> {
    const media = new RestoredMedia(config, await MediaFiles.open(join(config.dataDir, "media")));
    await rm(media.#folder, { recursive: true, force: true });
    await mkdir(media.#folder, { recursive: true, mode: 0o700 });
    return media;
  }

  private constructor({ dataDir, file, secret }: Config, attachments: MediaFiles) {
    this.#folder = join(dataDir, "restore");
    this.#raw = openRawDirectory(dataDir);
    this.#recordings = openRecordingFiles(file.recordings, dataDir, secret);
    this.#attachments = attachments;
    this.#isInS3 = file.recordings?.s3 !== undefined;
  }

  get rawHost(): string {
    return this.#raw.host;
  }

  get count(): number {
    return this.#count;
  }

  async begin(about: BackupFile): Promise<void> {
    const path = join(this.#folder, String(this.#count++));
    this.#file = { about, path, handle: await open(path, "w", 0o600) };
  }

  async write(octets: Uint8Array): Promise<void> {
    await this.#file?.handle.writeFile(octets);
  }

  async end(end: ContentEnd): Promise<void> {
    if (!this.#file) return;
    const { about, path, handle } = this.#file;
    await handle.sync();
    await handle.close();
    this.#file = undefined;
    const file = { ...about, ...end, path };
    if (this.#isInS3 && about.kind === "recording") await this.#place(file);
    else this.#waiting.push(file);
  }

  /** Gives all of them their final names. */
  async place(): Promise<void> {
    for (const file of this.#waiting.splice(0)) await this.#place(file);
  }

  /** Removes the files that were placed. */
  async undo(): Promise<void> {
    for (const remove of this.#removals.splice(0)) await remove();
  }

  async close(): Promise<void> {
    await this.#file?.handle.close().catch(() => undefined);
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #place({ kind, key, path, sizeBytes, sha256 }: WaitingFile): Promise<void> {
    if (kind === "recording") {
      const before = await this.#recordings.read(key);
      before?.destroy();
      if (!before) this.#removals.push(() => this.#recordings.remove([key]));
      await this.#recordings.put(key, { path, sizeBytes, sha256 });
    } else if (kind === "raw") {
      const place = join(this.#raw.path, basename(key));
      this.#removals.push(() => rm(place, { force: true }));
      await rename(path, place);
    } else {
      const before = await this.#attachments.stream(sha256);
      before?.content.destroy();
      if (!before) this.#removals.push(() => this.#attachments.remove(sha256));
      if (key !== sha256) throw new DamagedBackup(`The backup's attachment ${key} is damaged.`);
      await this.#attachments.keep(await readFile(path));
    }
    await rm(path, { force: true });
  }
}
