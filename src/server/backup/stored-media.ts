// The files that belong to a snapshot: recordings, raw audio from which recordings are still to be made, attachments.
//
// Raw files are held by a second hard link as soon as the snapshot is taken, because encoders remove them. A finished
// file that no longer exists when it is read was deleted by request after the snapshot.

import { randomUUID } from "node:crypto";
import { createReadStream, linkSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { mediaFilesBeside } from "../../adapters/attachments/media-settings.ts";
import type { BackupFile } from "../../adapters/backup/backup-file.ts";
import { findRawDirectory } from "../../adapters/recordings/raw-directory.ts";
import { openRecordingFiles } from "../../adapters/recordings/recording-settings.ts";
import type { ByteStream } from "../../base/byte-stream.ts";
import type { Config } from "../config/config.ts";

export interface StoredMedia {
  /** The name of the data directory, when it has raw files. */
  readonly rawHost: string | undefined;
  /**
   * Links the raw files. False when one of them is already gone: the snapshot is too old. The caller must hold the lock
   * of backups: links that killed backups left behind are removed, too.
   */
  holdRaw(names: readonly string[]): boolean;
  /** Undefined when there is no such file. */
  read(file: BackupFile): Promise<ByteStream | undefined>;
  /** Removes the links of this backup. */
  close(): void;
}

const HELD = "backup-";

/** Each backup holds its files in a folder of its own, so that one that waits for the lock does not touch another's. */
export function openStoredMedia({ dataDir, file, secret }: Config): StoredMedia {
  const raw = findRawDirectory(dataDir);
  const directory = join(dataDir, "recordings");
  const held = join(directory, HELD + randomUUID());
  const recordings = openRecordingFiles(file.recordings, dataDir, secret);
  const attachments = mediaFilesBeside({ settings: file.media, dataDir, environment: secret });
  return {
    rawHost: raw?.host,
    holdRaw(names) {
      if (!raw) return true;
      for (const name of readdirSync(directory)) if (name.startsWith(HELD)) remove(join(directory, name));
      if (names.length === 0) return true;
      mkdirSync(held, { recursive: true, mode: 0o700 });
      return names.every((name) => isLinked(join(raw.path, basename(name)), join(held, basename(name))));
    },
    async read({ kind, key }) {
      if (kind === "recording") return recordings.read(key);
      if (kind === "attachment") return attachments.read(key);
      const path = join(held, basename(key));
      const handle = await open(path, "r").catch(() => undefined);
      await handle?.close();
      return handle && createReadStream(path);
    },
    close: () => remove(held),
  };
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

function isLinked(path: string, link: string): boolean {
  try {
    linkSync(path, link);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}

/** A list of files of any length, stored on disk, so that the snapshot need not stay open while they are read. */
export class FileList {
  readonly #folder: string;
  #count = 0;

  static async of(pages: AsyncIterable<readonly BackupFile[]>): Promise<FileList> {
    const list = new FileList(await mkdtemp(join(tmpdir(), "tandem-backup-")));
    const file = await open(list.#path, "w", 0o600);
    try {
      for await (const page of pages) {
        await file.write(page.map((item) => `${JSON.stringify(item)}\n`).join(""));
        list.#count += page.length;
      }
    } finally {
      await file.close();
    }
    return list;
  }

  private constructor(folder: string) {
    this.#folder = folder;
  }

  get #path(): string {
    return join(this.#folder, "files");
  }

  async *read(): AsyncGenerator<BackupFile> {
    if (this.#count === 0) return;
    for await (const line of createInterface(createReadStream(this.#path))) yield JSON.parse(line) as BackupFile;
  }

  async close(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}
