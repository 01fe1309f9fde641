import { chmodSync, chownSync, mkdirSync, mkdtempSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { silent } from "../../../test/fakes/silent-log.ts";
import type { Config } from "../config/config.ts";
import { openDataDirectory } from "./data-directory.ts";

const isRoot = process.getuid?.() === 0;
const OUTSIDE = "postgres://tandem@db.example.com/tandem";
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

/** Opens it and answers what was told. */
function open(dataDir: string, databaseUrl?: string): readonly string[] {
  const told: string[] = [];
  const log = { ...silent, warn: (fields: object) => void told.push((fields as { reason: string }).reason) };
  openDataDirectory({ dataDir, settings: { TANDEM_DATABASE_URL: databaseUrl } } as Config, log);
  return told;
}

function folder(mode: number, ...files: readonly string[]): string {
  const path = mkdtempSync(join(tmpdir(), "tandem-data-"));
  for (const name of files) writeFileSync(join(path, name), "");
  chmodSync(path, mode);
  return path;
}

test("a data directory that is made is its owner's alone", () => {
  const dataDir = join(folder(0o755), "data");
  for (const databaseUrl of [undefined, OUTSIDE]) {
    expect(open(dataDir, databaseUrl)).toEqual([]);
    expect(modeOf(dataDir)).toBe("700");
  }
});

test.each([
  ["an empty one", []],
  ["one that a server used", ["secret.key", "demo.env"]],
])("%s that others may read is closed to them", (_, files) => {
  for (const mode of [0o755, 0o770, 0o777]) {
    const dataDir = folder(mode, ...files);
    expect(open(dataDir, OUTSIDE)).toEqual([]);
    expect(modeOf(dataDir)).toBe("700");
  }
});

test("one that holds the built-in database of another user's PostgreSQL can be passed, and not read", () => {
  const dataDir = folder(0o755, "secret.key");
  mkdirSync(join(dataDir, "postgres"));
  for (const databaseUrl of [undefined, OUTSIDE]) {
    expect(open(dataDir, databaseUrl)).toEqual([]);
    expect(modeOf(dataDir)).toBe(isRoot ? "711" : "700");
  }
});

test("a folder of other things stays as it is, and that is told", () => {
  const dataDir = folder(0o755, "letter.txt");
  expect(open(dataDir, OUTSIDE)).toEqual(["it is not clear that it holds nothing else"]);
  expect(modeOf(dataDir)).toBe("755");
});

test.runIf(isRoot)("so does one that belongs to somebody else", () => {
  const dataDir = folder(0o755, "secret.key");
  chownSync(dataDir, 65_534, 65_534);
  expect(open(dataDir, OUTSIDE)).toEqual(["it belongs to another user"]);
  expect(modeOf(dataDir)).toBe("755");
});
