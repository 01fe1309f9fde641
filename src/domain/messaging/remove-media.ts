// Removes the files of media whose messages were deleted. A file that cannot be removed is retried later.

import type { UnusedFile, UnusedMedia } from "./ports.ts";

export interface RemoveMediaDeps {
  readonly unused: UnusedMedia;
  readonly files: { readonly remove: (file: string) => Promise<void> };
}

export interface MediaRemoval {
  /** How many files. */
  readonly removed: number;
  /** Why others could not be removed, if there are any. */
  readonly failure: string | undefined;
}

export async function removeMedia({ unused, files }: RemoveMediaDeps, now: Date): Promise<MediaRemoval> {
  const done: UnusedFile[] = [];
  let removed = 0;
  let failure: string | undefined;
  for (const one of await unused.list(now)) {
    try {
      if (!one.isShared) {
        await files.remove(one.file);
        removed++;
      }
      done.push(one);
    } catch (fault) {
      failure ??= (fault as Error).message;
    }
  }
  if (done.length > 0) await unused.forget(done);
  return { removed, failure };
}
