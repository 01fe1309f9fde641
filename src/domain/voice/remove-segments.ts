// Removes the files of recordings that were deleted with their calls. A file that cannot be removed is retried later.

import type { RecordingFiles, RemovedSegments, SegmentEncoder } from "./ports.ts";

export interface RemoveDeps {
  readonly removed: RemovedSegments;
  readonly files: Pick<RecordingFiles, "remove">;
  readonly local: Pick<SegmentEncoder, "discard" | "discardRaw">;
}

export interface Removal {
  /** How many segments. */
  readonly removed: number;
  /** Why others could not be removed, if there are any. */
  readonly failure: string | undefined;
}

export async function removeSegments({ removed, files, local }: RemoveDeps): Promise<Removal> {
  const done: string[] = [];
  let failure: string | undefined;
  for (const { id, key, rawFile } of await removed.list()) {
    try {
      if (rawFile !== null) {
        await local.discard(rawFile);
        await local.discardRaw(rawFile);
      }
      if (key !== null) await files.remove([key]);
      done.push(id);
    } catch (fault) {
      failure ??= (fault as Error).message;
    }
  }
  if (done.length > 0) await removed.forget(done);
  return { removed: done.length, failure };
}
