import { expect, test } from "vitest";
import type { UnusedFile } from "./ports.ts";
import { removeMedia } from "./remove-media.ts";

test("what cannot be removed is kept for the next time, and what others use is not removed", async () => {
  const one = (file: string, isShared = false): UnusedFile => ({ file, version: "1", isShared });
  let left = [one("stuck"), one("good"), one("shared", true)];
  const gone: string[] = [];
  let isStuck = true;
  const deps = {
    unused: {
      list: async () => left,
      forget: async (files: readonly UnusedFile[]) => {
        left = left.filter((file) => !files.includes(file));
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
