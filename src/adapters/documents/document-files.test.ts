import { createHash } from "node:crypto";
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DocumentFiles } from "./document-files.ts";

const SID = `PO${"0".repeat(32)}`;
const bytes = Buffer.from("a letter");
const letter = { bytes, sha256: createHash("sha256").update(bytes).digest("hex") };

let directory: string;
let files: DocumentFiles;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "tandem-documents-"));
  files = new DocumentFiles(join(directory, "documents"));
});
afterEach(() => rm(directory, { recursive: true }));

const folder = () => join(directory, "documents", SID);

describe("letters on disk", () => {
  test("are read as they were put, by another process too", async () => {
    await files.put(SID, letter);
    expect(await files.read(SID, letter.sha256)).toEqual(bytes);
    expect(await new DocumentFiles(join(directory, "documents")).read(SID, letter.sha256)).toEqual(bytes);
  });

  test("put twice, and at once, are there once, with nothing unfinished beside them", async () => {
    await Promise.all([files.put(SID, letter), files.put(SID, letter), files.put(SID, letter)]);
    expect(await readdir(folder())).toEqual([letter.sha256]);
  });

  test("are ours alone to read", async () => {
    await files.put(SID, letter);
    expect((await stat(join(folder(), letter.sha256))).mode & 0o777).toBe(0o600);
    expect((await stat(folder())).mode & 0o777).toBe(0o700);
  });

  test("changed behind our back are not handed out", async () => {
    await files.put(SID, letter);
    await writeFile(join(folder(), letter.sha256), "another letter");
    await expect(files.read(SID, letter.sha256)).rejects.toThrow("not what was stored");
  });

  test("that cannot be written leave nothing behind", async () => {
    await writeFile(join(directory, "documents"), "a file where a directory should be");
    await expect(files.put(SID, letter)).rejects.toThrow();
    expect(await readdir(directory)).toEqual(["documents"]);
  });

  test("go with their order, of which there may be none", async () => {
    await files.put(SID, letter);
    await files.remove(SID);
    await files.remove(SID);
    await expect(files.read(SID, letter.sha256)).rejects.toThrow("ENOENT");
  });

  test("are looked for nowhere else", async () => {
    for (const sid of ["..", "../..", `AC${"0".repeat(32)}`]) {
      await expect(files.put(sid, letter)).rejects.toThrow("not the sid");
      await expect(files.remove(sid)).rejects.toThrow("not the sid");
    }
    await expect(files.read(SID, "../x")).rejects.toThrow("not a digest");
  });
});
