import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { encodeTable } from "../../numbering/encode-table.ts";
import { paintIntervals } from "../../numbering/paint-intervals.ts";
import { loadNumberingTable } from "./numbering-file.ts";

const folder = mkdtempSync(join(tmpdir(), "numbering-file-"));
afterAll(() => rmSync(folder, { recursive: true }));

const artefact = encodeTable(
  { layers: [{ name: "test", date: "2026-01-01", licence: "none" }], holders: [{ carrierName: "Alpha", layer: 0 }] },
  paintIntervals([{ prefix: "1", holder: 1, rank: 0 }]),
);

function file(name: string, bytes: Uint8Array): string {
  writeFileSync(join(folder, name), bytes);
  return join(folder, name);
}

describe("the numbering file", () => {
  it("opens from disk", () => {
    expect(loadNumberingTable(file("sound.bin", artefact)).holderOf("+12125550100")?.carrierName).toBe("Alpha");
  });

  it.each([
    ["missing", () => join(folder, "nowhere.bin"), "the file is missing"],
    ["a folder", () => folder, "it cannot be read"],
    ["truncated", () => file("short.bin", artefact.subarray(0, -4)), "truncated"],
    [
      "changed",
      () =>
        file(
          "changed.bin",
          artefact.map((byte, at) => (at === 40 ? byte ^ 1 : byte)),
        ),
      "checksum",
    ],
  ])("that is %s stops the start and says how to rebuild it", (_, place, what) => {
    const path = place();
    expect(() => loadNumberingTable(path)).toThrow(what);
    expect(() => loadNumberingTable(path)).toThrow(path);
    expect(() => loadNumberingTable(path)).toThrow("npm run build:numbering");
  });
});
