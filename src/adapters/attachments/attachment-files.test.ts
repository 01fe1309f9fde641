import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import { MediaFiles } from "./attachment-files.ts";

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tandem-media-"));
  folders.push(folder);
  return join(folder, "media");
}

test("what is kept is there, under the hash of its content, for us alone", async () => {
  const folder = await newFolder();
  const files = await MediaFiles.open(folder);
  const bytes = Buffer.from("a picture");
  const id = await files.keep(bytes);
  expect(id).toBe(createHash("sha256").update(bytes).digest("hex"));
  expect(Buffer.from((await files.read(id)) ?? [])).toEqual(bytes);
  const streamed = await files.stream(id);
  expect(streamed?.size).toBe(bytes.length);
  expect(streamed && (await buffer(streamed.content))).toEqual(bytes);
  const path = join(folder, id.slice(0, 2), id);
  expect(await readFile(path)).toEqual(bytes);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
});

test("the same content is kept once, however many keep it at once", async () => {
  const folder = await newFolder();
  const files = await MediaFiles.open(folder);
  const ids = await Promise.all(Array.from({ length: 20 }, () => files.keep(Buffer.from("the same"))));
  expect(new Set(ids).size).toBe(1);
  expect(await readdir(folder)).toEqual([ids[0]?.slice(0, 2)]);
});

test("what is removed, unknown or no id at all is not there", async () => {
  const files = await MediaFiles.open(await newFolder());
  const id = await files.keep(Buffer.from("gone soon"));
  await files.remove(id);
  await files.remove(id);
  for (const asked of [id, "0".repeat(64), "../../etc/passwd", "", "A".repeat(64)]) {
    expect(await files.read(asked)).toBeUndefined();
    expect(await files.stream(asked)).toBeUndefined();
  }
});

test("a process that was killed in the middle leaves nothing behind", async () => {
  const folder = await newFolder();
  const files = await MediaFiles.open(folder);
  const id = await files.keep(Buffer.from("whole"));
  await writeFile(join(folder, ".new-half"), "ha");
  await MediaFiles.open(folder);
  expect(await readdir(folder)).toEqual([id.slice(0, 2)]);
});
