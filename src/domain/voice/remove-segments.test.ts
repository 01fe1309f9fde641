import { expect, test } from "vitest";
import { removeSegments } from "./remove-segments.ts";

test("what cannot be removed is kept for the next time, and keeps nothing else from being removed", async () => {
  let left = [
    { id: "1", key: "good", rawFile: null },
    { id: "2", key: "stuck", rawFile: "raw-2" },
    { id: "3", key: null, rawFile: "raw-3" },
  ];
  const gone: string[] = [];
  let isStuck = true;
  const deps = {
    removed: {
      list: async () => left,
      forget: async (ids: readonly string[]) => {
        left = left.filter(({ id }) => !ids.includes(id));
      },
    },
    files: {
      async remove(keys: readonly string[]) {
        if (isStuck && keys.includes("stuck")) throw new Error("away");
        gone.push(...keys);
      },
    },
    local: {
      discard: async (rawFile: string) => void gone.push(`encoded ${rawFile}`),
      discardRaw: async (rawFile: string) => void gone.push(rawFile),
    },
  };
  expect(await removeSegments(deps)).toEqual({ removed: 2, failure: "away" });
  expect(gone).toEqual(["good", "encoded raw-2", "raw-2", "encoded raw-3", "raw-3"]);
  isStuck = false;
  expect(await removeSegments(deps)).toEqual({ removed: 1, failure: undefined });
  expect(left).toEqual([]);
  expect(await removeSegments(deps)).toEqual({ removed: 0, failure: undefined });
});
