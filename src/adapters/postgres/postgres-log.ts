// The built-in PostgreSQL writes to a file of its own, which outlives us with it. The file is opened for appending,
// so emptying it under a running PostgreSQL is safe; it and one older file are all that is kept.

import { copyFile, open, readFile, stat, truncate } from "node:fs/promises";

const logBytesMax = 8 * 1024 * 1024;

export async function boundLog(file: string, bytesMax = logBytesMax): Promise<void> {
  if ((await logSize(file)) <= bytesMax) return;
  await copyFile(file, `${file}.1`);
  await truncate(file);
}

export async function logSize(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.size ?? 0;
}

export function openLog(file: string): ReturnType<typeof open> {
  return open(file, "a", 0o600);
}

/** What was written after that offset, and no more than its last lines. */
export async function logTail(file: string, offset = 0, linesMax = 20): Promise<string> {
  const text = (await readFile(file).catch(() => Buffer.alloc(0))).subarray(offset).toString("utf8");
  return text.trim().split("\n").slice(-linesMax).join("\n");
}
