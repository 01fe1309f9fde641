import { chmodSync, chownSync, mkdirSync, mkdtempSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { silent } from "../../../test/fakes/silent-log.ts";
import { accountFor, canEnter } from "../../adapters/postgres/postgres-account.ts";
import type { Config } from "../config/config.ts";
import { openDataDirectory } from "./data-directory.ts";

const isRoot = process.getuid?.() === 0;
const OUTSIDE = "postgres://tandem@db.example.com/tandem";
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

/** Opens it and returns the reasons of the warnings. */
async function open(dataDir: string, databaseUrl?: string): Promise<readonly string[]> {
  const told: string[] = [];
  const log = { ...silent, warn: (fields: object) => void told.push((fields as { reason: string }).reason) };
  await openDataDirectory({ dataDir, settings: { TANDEM_DATABASE_URL: databaseUrl } } as Config, log);
  return told;
}

function folder(mode: number, ...files: readonly string[]): string {
  const path = mkdtempSync(join(tmpdir(), "tandem-data-"));
  for (const name of files) writeFileSync(join(path, name), "");
  chmodSync(path, mode);
  return path;
}

test("a data directory that is made is its owner's alone", async () => {
  const dataDir = join(folder(0o755), "data");
  for (const databaseUrl of [undefined, OUTSIDE]) {
    expect(await open(dataDir, databaseUrl)).toEqual([]);
    expect(modeOf(dataDir)).toBe("700");
  }
});

test.each([
  ["an empty one", []],
  ["one that a server used", ["secret.key", "demo.env"]],
])("%s that others may read is closed to them", async (_, files) => {
  for (const mode of [0o755, 0o770, 0o777]) {
    const dataDir = folder(mode, ...files);
    expect(await open(dataDir, OUTSIDE)).toEqual([]);
    expect(modeOf(dataDir)).toBe("700");
  }
});

test.runIf(isRoot)(
  "as root, with the built-in database, it belongs to the account of that, whose cluster stays in it",
  async () => {
    for (const dataDir of [join(folder(0o755), "new", "data"), folder(0o755), folder(0o711, "secret.key")]) {
      expect(await open(dataDir)).toEqual([]);
      expect(modeOf(dataDir)).toBe("700");
      const account = await accountFor(undefined);
      expect(statSync(dataDir).uid).toBe(account?.uid);
      expect(await canEnter(account, dataDir)).toBe(true);
      expect(await open(dataDir), "again").toEqual([]);
    }
  },
);

test.runIf(isRoot)("one with a cluster belongs to the owner of that", async () => {
  const dataDir = folder(0o755, "secret.key");
  mkdirSync(join(dataDir, "postgres"));
  chownSync(join(dataDir, "postgres"), 65_533, 65_533);
  expect(await open(dataDir)).toEqual([]);
  expect([modeOf(dataDir), statSync(dataDir).uid]).toEqual(["700", 65_533]);
});

test("a folder of other things stays as it is, and that is reported", async () => {
  const dataDir = folder(0o755, "letter.txt");
  expect(await open(dataDir, OUTSIDE)).toEqual(["it is not clear that it holds nothing else"]);
  expect(modeOf(dataDir)).toBe("755");
});

test.runIf(isRoot)("so does one that belongs to another user", async () => {
  const dataDir = folder(0o755, "secret.key");
  chownSync(dataDir, 65_534, 65_534);
  expect(await open(dataDir, OUTSIDE)).toEqual(["it belongs to another user"]);
  expect(modeOf(dataDir)).toBe("755");
});
