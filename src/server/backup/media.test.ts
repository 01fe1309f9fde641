import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { BackupFile } from "../../adapters/backup/backup-file.ts";
import { findRawDirectory, openRawDirectory } from "../../adapters/recordings/raw-directory.ts";
import { type Config, readConfig } from "../config/config.ts";
import { RestoredMedia } from "./restored-media.ts";
import { FileList, openStoredMedia } from "./stored-media.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function newConfig(): Config {
  const folder = mkdtempSync(join(tmpdir(), "tandem-media-"));
  folders.push(folder);
  const config = readConfig({ TANDEM_DATA_DIR: folder });
  if (!config.ok) throw new Error(config.refusal.join());
  return config.value;
}

async function textOf(stream: AsyncIterable<Uint8Array> | undefined): Promise<string | undefined> {
  if (!stream) return undefined;
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const endOf = (text: string) => ({
  sizeBytes: Buffer.byteLength(text),
  sha256: createHash("sha256").update(text).digest("hex"),
});

async function bring(media: RestoredMedia, file: BackupFile, text: string): Promise<void> {
  await media.begin(file);
  await media.write(Buffer.from(text));
  await media.end(endOf(text));
}

test("raw audio is held from the snapshot on, although its encoder removes it", async () => {
  const config = newConfig();
  const raw = openRawDirectory(config.dataDir);
  writeFileSync(join(raw.path, "one.raw"), "audio");
  const media = openStoredMedia(config);
  expect(media.rawHost).toBe(raw.host);
  expect(media.holdRaw(["one.raw", "gone.raw"])).toBe(false);
  expect(media.holdRaw(["one.raw"])).toBe(true);
  rmSync(join(raw.path, "one.raw"));
  expect(await textOf(await media.read({ kind: "raw", key: "one.raw" }))).toBe("audio");
  expect(await media.read({ kind: "raw", key: "gone.raw" })).toBeUndefined();
  media.close();
  expect(readdirSync(join(config.dataDir, "recordings")).sort()).toEqual(["host", "raw"]);
});

test("a backup that never got the lock takes nothing from the one that has it; one that was killed leaves nothing", async () => {
  const config = newConfig();
  const raw = openRawDirectory(config.dataDir);
  writeFileSync(join(raw.path, "one.raw"), "audio");
  const killed = openStoredMedia(config);
  killed.holdRaw(["one.raw"]);
  const first = openStoredMedia(config);
  const second = openStoredMedia(config);
  first.holdRaw(["one.raw"]);
  rmSync(join(raw.path, "one.raw"));
  second.close();
  expect(await textOf(await first.read({ kind: "raw", key: "one.raw" }))).toBe("audio");
  first.close();
  expect(readdirSync(join(config.dataDir, "recordings")).sort()).toEqual(["host", "raw"]);
});

test("a data directory that never recorded is left as it is", () => {
  const config = newConfig();
  const media = openStoredMedia(config);
  expect(media.rawHost).toBeUndefined();
  expect(media.holdRaw([])).toBe(true);
  media.close();
  expect(readdirSync(config.dataDir)).toEqual([]);
});

test("a list of files is read as it was written", async () => {
  const files: readonly BackupFile[] = [
    { kind: "recording", key: "AC1/CA1/RE1-1.mp3" },
    { kind: "attachment", key: "ab".repeat(32) },
  ];
  async function* pages() {
    yield files;
    yield files;
  }
  const list = await FileList.of(pages());
  const read: BackupFile[] = [];
  for await (const file of list.read()) read.push(file);
  await list.close();
  expect(read).toEqual([...files, ...files]);
});

test("files get their names when all is there, and lose them when the restore is given up", async () => {
  const config = newConfig();
  const before = join(config.dataDir, "recordings", "files", "AC1", "CA1");
  mkdirSync(before, { recursive: true });
  writeFileSync(join(before, "RE1-1.mp3"), "was here");
  const media = await RestoredMedia.open(config);
  const picture = { kind: "attachment", key: endOf("picture").sha256 } as const;
  const photo = { kind: "attachment", key: `ME${"0".repeat(32)}` } as const;
  await bring(media, { kind: "recording", key: "AC1/CA1/RE1-1.mp3" }, "was here");
  await bring(media, { kind: "recording", key: "AC1/CA1/RE1-2.mp3" }, "speech");
  await bring(media, { kind: "raw", key: "two.raw" }, "audio");
  await bring(media, picture, "picture");
  await bring(media, photo, "photo");
  expect(readdirSync(before)).toEqual(["RE1-1.mp3"]);
  await media.place();
  const stored = openStoredMedia(config);
  const raw = findRawDirectory(config.dataDir)?.path ?? "";
  expect(readFileSync(join(before, "RE1-2.mp3"), "utf8")).toBe("speech");
  expect(readFileSync(join(raw, "two.raw"), "utf8")).toBe("audio");
  expect(await textOf(await stored.read(picture))).toBe("picture");
  expect(await textOf(await stored.read(photo))).toBe("photo");
  await media.undo();
  await media.close();
  expect(readdirSync(before)).toEqual(["RE1-1.mp3"]);
  expect(readdirSync(raw)).toEqual([]);
  for (const one of [picture, photo]) expect(await stored.read(one)).toBeUndefined();
  expect(existsSync(join(config.dataDir, "restore"))).toBe(false);
});
