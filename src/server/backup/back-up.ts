// Writes a backup while the server runs: the database as it was at one moment, and the files that its records name.

import pg from "pg";
import { type BackupFile, BackupWriter } from "../../adapters/backup/backup-file.ts";
import {
  closeSnapshot,
  listFiles,
  listRawFiles,
  lockForBackup,
  openSnapshot,
  readTable,
  type SnapshotFacts,
} from "../../adapters/store/backup/snapshot.ts";
import type { Log } from "../../base/log.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import type { Config } from "../config/config.ts";
import { openExisting, UnusableDatabase, withClient } from "./database.ts";
import { FileList, openStoredMedia, type StoredMedia } from "./stored-media.ts";

export interface BackupOrder {
  readonly config: Config;
  readonly version: string;
  readonly commit: string | null;
  readonly hasMedia: boolean;
  readonly now: Date;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Resolves when more can be written. */
  readonly write: (octets: Uint8Array) => Promise<void>;
  /** Called with the number of octets written so far. */
  readonly progress: (sizeBytes: number) => void;
}

export interface BackupSummary {
  readonly sizeBytes: number;
  readonly tables: number;
  readonly files: number;
  /** Files that records of the snapshot name but that do not exist. */
  readonly missingFiles: number;
}

/** How often a snapshot is taken again because a raw file disappeared in the meantime. */
const SNAPSHOTS_MAX = 5;

export async function backUp(order: BackupOrder): Promise<Result<BackupSummary, string>> {
  const database = await openExisting(order.config, order.log);
  if (!database.ok) return database;
  const media = openStoredMedia(order.config);
  try {
    return await withClient(database.value.settings, "tandem backup", async (client) => {
      await lockForBackup(client);
      try {
        const snapshot = await takeSnapshot(client, media);
        return snapshot.ok ? ok(await writeBackup(order, client, media, snapshot.value)) : snapshot;
      } finally {
        // While this process still holds the lock.
        media.close();
      }
    });
  } catch (error) {
    if (error instanceof UnusableDatabase) return refused(error.message);
    if (error instanceof pg.DatabaseError) return refused(`PostgreSQL ended the backup: ${error.message}.`);
    throw error;
  } finally {
    await database.value.close();
  }
}

interface HeldSnapshot extends SnapshotFacts {
  readonly rawFiles: readonly string[];
}

async function takeSnapshot(client: pg.Client, media: StoredMedia): Promise<Result<HeldSnapshot, string>> {
  for (let count = 1; ; count++) {
    const facts = await openSnapshot(client);
    if (!facts.ok) return facts;
    const rawFiles = media.rawHost === undefined ? [] : await listRawFiles(client, media.rawHost);
    // A file that is permanently lost never comes back: the backup then lacks it.
    if (media.holdRaw(rawFiles) || count === SNAPSHOTS_MAX) return ok({ ...facts.value, rawFiles });
    await closeSnapshot(client);
  }
}

async function writeBackup(
  { version, commit, hasMedia, now, signal, write, progress }: BackupOrder,
  client: pg.Client,
  media: StoredMedia,
  { steps, keyCheck, nextPosition, sequences, tables, rawFiles }: HeldSnapshot,
): Promise<BackupSummary> {
  const writer = new BackupWriter(async (octets) => {
    signal.throwIfAborted();
    await write(octets);
    progress(writer.sizeBytes);
  });
  await writer.header({
    version,
    commit,
    madeOn: now.toISOString(),
    steps: steps.map(({ name, checksum }) => ({ name, checksum })),
    keyCheck: keyCheck?.toString("base64") ?? null,
    nextPosition: String(nextPosition),
    sequences: [...sequences],
    rawHost: media.rawHost ?? null,
    hasMedia,
  });
  for (const { name, columns, partitions } of tables) {
    const table = { name, columns: [...columns], partitions: [...partitions] };
    await writer.table(table, readTable(client, table));
  }
  const list = await FileList.of(hasMedia ? listFiles(client) : noFiles());
  try {
    // From now on PostgreSQL may vacuum what only the snapshot could see.
    await closeSnapshot(client);
    const raw = rawFiles.map((key): BackupFile => ({ kind: "raw", key }));
    const counts = { files: 0, missingFiles: 0 };
    if (hasMedia) for await (const file of chained(raw, list.read())) await writeFile(writer, media, file, counts);
    await writer.end();
    return { sizeBytes: writer.sizeBytes, tables: tables.length, ...counts };
  } finally {
    await list.close();
  }
}

async function writeFile(
  writer: BackupWriter,
  media: StoredMedia,
  file: BackupFile,
  counts: { files: number; missingFiles: number },
): Promise<void> {
  const content = await media.read(file);
  if (content) {
    await writer.file(file, content);
    counts.files += 1;
  } else counts.missingFiles += 1;
}

async function* noFiles(): AsyncGenerator<readonly BackupFile[]> {}

async function* chained<Item>(first: Iterable<Item>, then: AsyncIterable<Item>): AsyncGenerator<Item> {
  yield* first;
  yield* then;
}
