import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { checkNumbering } from "./numbering.ts";

const built = fileURLToPath(new URL("../../../../dist/numbering.bin", import.meta.url));

test("a table of today is fine, one of last year is worth a word", () => {
  const { asOf } = checkNumbering(built, new Date());
  const fresh = asOf ?? new Date(0);
  expect(checkNumbering(built, fresh).finding.verdict).toBe("ok");
  const old = checkNumbering(built, new Date(fresh.getTime() + 181 * 86_400_000)).finding;
  expect(old).toMatchObject({ verdict: "warn", found: expect.stringContaining("181 days old") });
});

test("a missing or damaged table is reported with how to make it anew", () => {
  const folder = mkdtempSync(join(tmpdir(), "tandem-numbering-"));
  const damaged = join(folder, "numbering.bin");
  writeFileSync(damaged, readFileSync(built).subarray(0, 1000));
  for (const file of [damaged, join(folder, "none.bin")]) {
    const { finding } = checkNumbering(file, new Date());
    expect(finding).toMatchObject({ verdict: "fail", advice: expect.stringContaining("npm run build:numbering") });
  }
  rmSync(folder, { recursive: true });
});
