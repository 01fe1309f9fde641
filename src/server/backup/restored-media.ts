// The files of a backup while it is restored. On disk they have temporary names until the database is about to commit;
// in S3, which cannot rename, they are written immediately.
//
// Guarantee: a restore that is abandoned leaves nothing behind that was not there before.

import { type FileHandle, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { isDigest, type MediaFiles } from "../../adapters/attachments/attachment-files.ts";
import { openMediaFiles } from "../../adapters/attachments/media-settings.ts";
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
  /** The kinds that are kept in S3. */
  readonly #inS3: ReadonlySet<BackupFile["kind"]>;
  readonly #waiting: WaitingFile[] = [];
  readonly #removals: (() => Promise<void>)[] = [];
  #file: { readonly about: BackupFile; readonly path: string; readonly handle: FileHandle } | undefined;
  #count = 0;

  static async open(config: Config): Promise<RestoredMedia> {
    const { dataDir, file, secret } = config;
    const attachments = await openMediaFiles({ settings: file.media, dataDir, environment: secret });
    const media = new RestoredMedia(config, attachments);
    await rm(media.#folder, { recursive: true, force: true });
    await mkdir(media.#folder, { recursive: true, mode: 0o700 });
    return media;
  }

  private constructor({ dataDir, file, secret }: Config, attachments: MediaFiles) {
    this.#folder = join(dataDir, "restore");
    this.#raw = openRawDirectory(dataDir);
    this.#recordings = openRecordingFiles(file.recordings, dataDir, secret);
    this.#attachments = attachments;
    this.#inS3 = new Set([
      ...(file.recordings?.s3 ? (["recording"] as const) : []),
      ...(file.media ? (["attachment"] as const) : []),
    ]);
  }

  get rawHost(): string {
    return this.#raw.host;
  }

  /** The data directory of the attachments; null where they are in S3. */
  get attachmentHost(): string | null {
    return this.#inS3.has("attachment") ? null : this.#raw.host;
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
    if (this.#inS3.has(about.kind)) await this.#place(file);
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
      if (isDigest(key) && key !== sha256) throw new DamagedBackup(`The backup's attachment ${key} is damaged.`);
      const before = await this.#attachments.read(key);
      before?.destroy();
      if (!before) this.#removals.push(() => this.#attachments.remove(key));
      await this.#attachments.put(key, await readFile(path));
    }
    await rm(path, { force: true });
  }
}
