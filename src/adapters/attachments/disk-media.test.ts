import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import { DiskMedia } from "./disk-media.ts";

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tandem-media-"));
  folders.push(folder);
  return join(folder, "media");
}

const NAME = `ME${"0".repeat(30)}6f`;
const DIGEST = "ab".repeat(32);

test.each([
  ["a name of its own", NAME, "6f"],
  ["the digest of its content", DIGEST, "ab"],
])("what is put is there, under %s, for us alone", async (_what, name, place) => {
  const folder = await newFolder();
  const files = await DiskMedia.open(folder);
  const bytes = Buffer.from("a picture");
  for (let times = 0; times < 2; times++) await files.put(name, bytes);
  const content = await files.read(name);
  expect(content && (await buffer(content))).toEqual(bytes);
  const path = join(folder, place, name);
  expect(await readFile(path)).toEqual(bytes);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect(await readdir(folder)).toEqual([place]);
});

test("what is removed, unknown or no name at all is not there", async () => {
  const files = await DiskMedia.open(await newFolder());
  await files.put(NAME, Buffer.from("gone soon"));
  for (const name of [NAME, NAME, "../../etc/passwd"]) await files.remove(name);
  for (const asked of [NAME, DIGEST, "../../etc/passwd", "", "A".repeat(64)]) {
    expect(await files.read(asked)).toBeUndefined();
  }
  await expect(files.put("../../etc/passwd", Buffer.from("root"))).rejects.toThrow("no name of a media file");
});

test("a process that was killed in the middle leaves nothing behind", async () => {
  const folder = await newFolder();
  const files = await DiskMedia.open(folder);
  await files.put(NAME, Buffer.from("whole"));
  await writeFile(join(folder, ".new-half"), "ha");
  await DiskMedia.open(folder);
  expect(await readdir(folder)).toEqual(["6f"]);
});
