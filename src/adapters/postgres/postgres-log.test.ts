import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { boundLog, logSize, logTail, openLog } from "./postgres-log.ts";

let root: string;
let file: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "tandem-log-"));
  file = join(root, "postgres.log");
});

afterEach(() => rm(root, { recursive: true, force: true }));

test("a log past its bound is emptied under its writer, and one older part is kept", async () => {
  const writer = await openLog(file);
  await writer.write("x".repeat(100));
  await boundLog(file, 50);
  await writer.write("after");
  await writer.close();
  expect(await readFile(file, "utf8")).toBe("after");
  expect((await stat(`${file}.1`)).size).toBe(100);
});

test("a log within its bound, or none at all, is left alone", async () => {
  await boundLog(file, 50);
  await writeFile(file, "short");
  await boundLog(file, 50);
  expect(await logSize(file)).toBe(5);
});

test("the tail is the last lines after an offset", async () => {
  await writeFile(file, "one\ntwo\nthree\nfour\n");
  expect(await logTail(file, 4, 2)).toBe("three\nfour");
  expect(await logTail(join(root, "none"))).toBe("");
});
