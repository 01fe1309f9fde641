// Removes the files of recordings that were deleted with their calls. What cannot be removed now is tried again.

import type { RecordingFiles, RemovedSegments, SegmentEncoder } from "./ports.ts";

export interface RemoveDeps {
  readonly removed: RemovedSegments;
  readonly files: Pick<RecordingFiles, "remove">;
  readonly local: Pick<SegmentEncoder, "discard" | "discardRaw">;
}

/** Answers how many segments were removed. */
export async function removeSegments({ removed, files, local }: RemoveDeps): Promise<number> {
  const segments = await removed.list();
  for (const { rawFile } of segments) {
    if (rawFile === null) continue;
    await local.discard(rawFile);
    await local.discardRaw(rawFile);
  }
  await files.remove(segments.flatMap(({ key }) => key ?? []));
  if (segments.length > 0) await removed.forget(segments.map(({ id }) => id));
  return segments.length;
}
