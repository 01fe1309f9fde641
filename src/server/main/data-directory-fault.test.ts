import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { silent } from "../../../test/fakes/silent-log.ts";
import type { Config } from "../config/config.ts";
import { openDataDirectory } from "./data-directory.ts";
import { dataDirectoryFault } from "./data-directory-fault.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tandem-data-dir-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The message with which a start refuses the directory. */
async function told(dataDir: string): Promise<string> {
  try {
    await openDataDirectory({ dataDir, settings: {} } as Config, silent);
  } catch (fault) {
    return (dataDirectoryFault(fault, dataDir) as Error).message;
  }
  return "";
}

test("it is made with the directories above it, and may be there already", async () => {
  const dataDir = join(folder, "a", "b");
  expect(await told(dataDir)).toBe("");
  expect(await told(dataDir)).toBe("");
  expect(existsSync(dataDir)).toBe(true);
});

test("a file in its place, or above it, is named", async () => {
  const file = join(folder, "file");
  writeFileSync(file, "");
  const wrong = `TANDEM_DATA_DIR: ${file} is a file, not a directory. Move it away, or set TANDEM_DATA_DIR to another directory.`;
  expect(await told(file)).toBe(wrong);
  expect(await told(join(file, "a", "b"))).toBe(wrong);
});

test("the data directory of a PostgreSQL is left alone", async () => {
  writeFileSync(join(folder, "PG_VERSION"), "15\n");
  expect(await told(folder)).toMatch(/is the data directory of a PostgreSQL 15 itself\. .*TANDEM_DATABASE_URL/);
});

test("a place where there are no directories is refused, and not tried for ever", async () => {
  expect(await told("/proc/tandem/data")).toMatch(/^TANDEM_DATA_DIR: .*\/proc/);
});

test("a place that is not for this user is reported with whose it is", async () => {
  expect(await told("/sys/tandem-data")).toMatch(
    /this user \(uid \d+\) may not write to \/sys.* Run Tandem as its owner/,
  );
});

const fault = (code: string, path: string | undefined, syscall = "open") =>
  Object.assign(new Error(`${code}: …`), { code, syscall, ...(path === undefined ? {} : { path }) });

test.each([
  ["EROFS", "read-only. Mount it for writing"],
  ["ENOSPC", "the disk is full. Free some space"],
  ["EACCES", "may not write to"],
  ["EISDIR", "Move it away"],
])("%s of a file in it is reported with what to do", (code, advice) => {
  mkdirSync(join(folder, "secret.key"));
  const { message } = dataDirectoryFault(fault(code, join(folder, "secret.key")), folder) as Error;
  expect(message).toContain(join(folder, "secret.key"));
  expect(message).toContain(advice);
});

test("a fault of something else is left as it is", async () => {
  for (const other of [
    fault("EACCES", "/somewhere/else"),
    fault("EACCES", undefined, "listen"),
    fault("EIO", folder),
    new Error("x"),
  ]) {
    expect(dataDirectoryFault(other, folder)).toBe(other);
  }
  expect(dataDirectoryFault(fault("EISDIR", undefined, "read"), folder)).not.toMatchObject({ code: "EISDIR" });
});
