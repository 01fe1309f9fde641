// The built-in PostgreSQL writes to its own log file, because it may outlive our process. The file is opened for
// appending, so it can be truncated while PostgreSQL runs. It and one older file are kept.

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

/** The last lines written after the offset. */
export async function logTail(file: string, offset = 0, linesMax = 20): Promise<string> {
  const text = (await readFile(file).catch(() => Buffer.alloc(0))).subarray(offset).toString("utf8");
  return text.trim().split("\n").slice(-linesMax).join("\n");
}
