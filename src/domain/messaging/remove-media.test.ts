import { expect, test } from "vitest";
import type { UnusedFile } from "./ports.ts";
import { removeMedia } from "./remove-media.ts";

const one = (file: string, isShared = false): UnusedFile => ({ file, version: "1", isShared });

test("what cannot be removed is kept for the next time, and what others use is not removed", async () => {
  let left = [one("stuck"), one("good"), one("shared", true)];
  const gone: string[] = [];
  let isStuck = true;
  const deps = {
    unused: {
      list: async () => left,
      forget: async (files: readonly UnusedFile[]) => {
        left = left.filter((file) => !files.includes(file));
      },
      postpone: async (files: readonly UnusedFile[]) => {
        left = [...left.filter((file) => !files.includes(file)), ...files];
      },
    },
    files: {
      async remove(file: string) {
        if (isStuck && file === "stuck") throw new Error("away");
        gone.push(file);
      },
    },
  };
  expect(await removeMedia(deps, new Date())).toEqual({ removed: 1, failure: "away" });
  expect([gone, left]).toEqual([["good"], [one("stuck")]]);
  isStuck = false;
  expect(await removeMedia(deps, new Date())).toEqual({ removed: 1, failure: undefined });
  expect(left).toEqual([]);
  expect(await removeMedia(deps, new Date())).toEqual({ removed: 0, failure: undefined });
});

test("a run that is cancelled does not wait for a file, and begins no other", async () => {
  const stop = new AbortController();
  const asked: string[] = [];
  const forgotten: UnusedFile[] = [];
  const deps = {
    unused: {
      list: async () => [one("good"), one("hangs"), one("next")],
      forget: async (files: readonly UnusedFile[]) => void forgotten.push(...files),
      postpone: async () => undefined,
    },
    files: {
      remove(file: string) {
        asked.push(file);
        if (file === "good") return Promise.resolve();
        stop.abort();
        return new Promise<void>(() => undefined);
      },
    },
  };
  expect(await removeMedia(deps, new Date(), stop.signal)).toEqual({ removed: 1, failure: "cancelled" });
  expect([asked, forgotten]).toEqual([["good", "hangs"], [one("good")]]);
});
