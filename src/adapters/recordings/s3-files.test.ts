import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startS3 } from "../../../test/fakes/s3-server.ts";
import type { RecordingFiles } from "../../domain/voice/index.ts";
import { diskFiles } from "./disk-files.ts";
import { s3Files } from "./s3-files.ts";

const folder = mkdtempSync(join(tmpdir(), "tandem-files-"));
const KEY = "AC1/CA1/RE1-1.mp3";
const OTHER = "AC1/CA1/RE1-2.mp3";
let s3: Awaited<ReturnType<typeof startS3>>;
let made = 0;

beforeAll(async () => {
  s3 = await startS3(join(folder, "s3"));
});
afterAll(async () => {
  await s3.close();
  rmSync(folder, { recursive: true });
});

function fileOf(content: string) {
  const path = join(folder, `${++made}`);
  writeFileSync(path, content);
  const sha256 = createHash("sha256").update(content).digest("hex");
  return { path, samples: 1, sizeBytes: content.length, sha256 };
}

async function contentOf(files: RecordingFiles, key: string, range?: { first: number; last: number }) {
  const stream = await files.read(key, range);
  if (!stream) return undefined;
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts).toString();
}

const STORES: readonly (readonly [string, () => RecordingFiles])[] = [
  ["disk", () => diskFiles(join(folder, "disk"))],
  ["S3", () => s3Files(s3.settings)],
  ["S3 with a prefix", () => s3Files({ ...s3.settings, prefix: "some/where" })],
];

test.each(STORES)("%s keeps, reads, cuts, replaces and removes files", async (_name, open) => {
  const files = open();
  expect(await files.read(KEY)).toBeUndefined();
  await files.put(KEY, fileOf("0123456789"));
  await files.put(OTHER, fileOf("other"));
  expect(await contentOf(files, KEY)).toBe("0123456789");
  expect(await contentOf(files, KEY, { first: 0, last: 1 })).toBe("01");
  expect(await contentOf(files, KEY, { first: 9, last: 9 })).toBe("9");
  expect(await contentOf(files, KEY, { first: 3, last: 6 })).toBe("3456");
  await files.put(KEY, fileOf("changed"));
  expect(await contentOf(files, KEY)).toBe("changed");
  await files.remove([KEY, "AC1/CA9/RE9-9.mp3"]);
  expect(await files.read(KEY)).toBeUndefined();
  expect(await contentOf(files, OTHER)).toBe("other");
  await files.remove([OTHER]);
});

test("a file of many megabytes goes to S3 whole", async () => {
  const files = s3Files(s3.settings);
  const content = "0123456789abcdef".repeat(1_000_000);
  await files.put(KEY, fileOf(content));
  expect(
    createHash("sha256")
      .update((await contentOf(files, KEY)) ?? "")
      .digest("hex"),
  ).toBe(createHash("sha256").update(content).digest("hex"));
});

test("a key that leaves the folder is refused", async () => {
  const files = diskFiles(join(folder, "disk"));
  for (const key of ["../../etc/passwd", "AC1/../x-1.mp3", "/etc/passwd", "AC1/CA1/RE1-1.mp3/..", ""]) {
    await expect(files.read(key)).rejects.toThrow("is no file of a recording");
    await expect(files.put(key, fileOf("x"))).rejects.toThrow("is no file of a recording");
    await expect(files.remove([key])).rejects.toThrow("is no file of a recording");
  }
});

test("an S3 that is away, refuses, or loses part of a file keeps the file here", async () => {
  const file = fileOf("0123456789");
  const away = s3Files({ ...s3.settings, endpoint: "http://127.0.0.1:1/bucket" });
  await expect(away.put(KEY, file)).rejects.toThrow();
  await expect(away.read(KEY)).rejects.toThrow();
  const denied = s3Files({ ...s3.settings, accessKeyId: "wrong" });
  await expect(denied.put(KEY, file)).rejects.toThrow(/403/);
  const short = await lossyServer();
  await expect(s3Files({ ...s3.settings, endpoint: short.url }).put(KEY, file)).rejects.toThrow(
    `S3 has 3 octets of ${KEY} instead of 10`,
  );
  short.server.close();
  // This server reads `0-0` as the whole file.
  await s3Files(s3.settings).put(KEY, file);
  await expect(s3Files(s3.settings).read(KEY, { first: 0, last: 0 })).rejects.toThrow("instead of the range");
  expect(readFileSync(file.path, "utf8")).toBe("0123456789");
});

/** Accepts every upload, but reports a length of three octets. */
async function lossyServer(): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer((request, response) => {
    request
      .resume()
      .on("end", () => response.writeHead(200, { "Content-Length": request.method === "HEAD" ? 3 : 0 }).end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/bucket` };
}
