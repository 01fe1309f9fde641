// Removes the files of media whose messages were deleted. A file that cannot be removed is retried after the others, so
// that any number of them leave the others their turn. A cancelled run waits for no file.

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

export async function removeMedia(
  { unused, files }: RemoveMediaDeps,
  now: Date,
  cancel?: AbortSignal,
): Promise<MediaRemoval> {
  const done: UnusedFile[] = [];
  const stuck: UnusedFile[] = [];
  let removed = 0;
  let failure: string | undefined;
  const cancelled = new Promise<never>((_resolve, reject) => {
    cancel?.addEventListener("abort", () => reject(new Error("cancelled")), { once: true });
  });
  cancelled.catch(() => undefined);
  for (const one of await unused.list(now)) {
    if (cancel?.aborted) break;
    try {
      if (!one.isShared) {
        await Promise.race([files.remove(one.file), cancelled]);
        removed++;
      }
      done.push(one);
    } catch (fault) {
      failure ??= (fault as Error).message;
      stuck.push(one);
    }
  }
  if (done.length > 0) await unused.forget(done);
  if (stuck.length > 0) await unused.postpone(stuck, now);
  return { removed, failure };
}
