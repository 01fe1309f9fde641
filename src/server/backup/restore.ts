// Restores a backup into an empty database: all of it or nothing. It needs the secret key with which the backup was
// made; the key is not in the backup.

import pg from "pg";
import { type BackupHeader, type BackupItem, DamagedBackup, readBackup } from "../../adapters/backup/backup-file.ts";
import { TableRestore, UnfitDatabase } from "../../adapters/store/backup/restore-tables.ts";
import { schemaFault } from "../../adapters/store/backup/snapshot.ts";
import type { CopyIn } from "../../adapters/store/engine/copy.ts";
import type { Log } from "../../base/log.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import type { Config } from "../config/config.ts";
import { keyFault } from "../keys/given-keys.ts";
import { openForRestore, UnusableDatabase, withClient } from "./database.ts";
import { RestoredMedia } from "./restored-media.ts";

export interface RestoreOrder {
  readonly config: Config;
  readonly source: AsyncIterable<Uint8Array>;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Called with the number of octets read so far. */
  readonly progress: (sizeBytes: number) => void;
}

export interface RestoreSummary {
  readonly sizeBytes: number;
  readonly madeOn: string;
  readonly version: string;
  readonly tables: number;
  readonly files: number;
  /** False when it was made without its media. */
  readonly hasMedia: boolean;
}

export async function restore(order: RestoreOrder): Promise<Result<RestoreSummary, string>> {
  let sizeBytes = 0;
  async function* counted() {
    for await (const octets of order.source) {
      order.signal.throwIfAborted();
      sizeBytes += octets.length;
      order.progress(sizeBytes);
      yield octets;
    }
  }
  const items = readBackup(counted());
  try {
    const first = await items.next();
    if (first.done || first.value.kind !== "header") return refused("The backup does not begin with its header.");
    const { header } = first.value;
    const fault = headerFault(order.config, header);
    if (fault !== undefined) return refused(fault);
    const restored = await restoreItems(order, header, items);
    if (!restored.ok) return restored;
    const { madeOn, version, hasMedia } = header;
    return ok({ sizeBytes, madeOn, version, hasMedia, ...restored.value });
  } catch (error) {
    const isRefusal = [DamagedBackup, UnfitDatabase, UnusableDatabase].some((kind) => error instanceof kind);
    if (isRefusal) return refused((error as Error).message);
    if (error instanceof pg.DatabaseError) return refused(`PostgreSQL does not accept the backup: ${error.message}.`);
    throw error;
  }
}

function headerFault(config: Config, { steps, keyCheck }: BackupHeader): string | undefined {
  const fault = schemaFault(steps);
  if (fault !== undefined) return fault.replace("The database", "The backup");
  return keyCheck === null ? undefined : keyFault(config, Buffer.from(keyCheck, "base64"));
}

type Counts = Pick<RestoreSummary, "tables" | "files">;

async function restoreItems(
  { config, log }: RestoreOrder,
  header: BackupHeader,
  items: AsyncIterable<BackupItem>,
): Promise<Result<Counts, string>> {
  const database = await openForRestore(config, log);
  if (!database.ok) return database;
  try {
    return await withClient(database.value.settings, "tandem restore", async (client) => {
      const facts = { ...header, nextPosition: BigInt(header.nextPosition) };
      const tables = await TableRestore.begin(client, facts);
      const media = await RestoredMedia.open(config);
      let isCommitting = false;
      try {
        const count = await fill(items, tables, media);
        if (header.rawHost !== null) await tables.moveRawFiles(header.rawHost, media.rawHost);
        await tables.moveMedia(media.attachmentHost);
        await tables.finish();
        await media.place();
        isCommitting = true;
        await tables.commit();
        return ok({ tables: count, files: media.count });
      } catch (fault) {
        // A commit whose result is unknown may have happened: then the files are needed.
        if (!isCommitting) await media.undo();
        throw fault;
      } finally {
        await media.close();
      }
    });
  } finally {
    await database.value.close();
  }
}

/** Restores every item up to the end of the backup; returns the number of tables. */
async function fill(items: AsyncIterable<BackupItem>, tables: TableRestore, media: RestoredMedia): Promise<number> {
  let copy: CopyIn | undefined;
  let count = 0;
  for await (const item of items) {
    if (item.kind === "table") {
      copy = await tables.fill(item.table);
      count += 1;
    } else if (item.kind === "file") await media.begin(item.file);
    else if (item.kind === "octets") await (copy ?? media).write(item.octets);
    else if (item.kind === "end") {
      if (copy) await copy.end();
      else await media.end(item.end);
      copy = undefined;
    }
  }
  return count;
}
