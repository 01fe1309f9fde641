// A lock file that keeps two processes from writing the same output. The lock of a dead process is ignored.

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { UsageError } from "../exit-codes.ts";

/** Returns a function that releases the lock. */
export function takeOutputLock(path: string): () => void {
  for (;;) {
    try {
      writeFileSync(path, `${process.pid}\n`, { flag: "wx" });
      return () => rmSync(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const holder = Number.parseInt(readOrEmpty(path), 10);
    if (holder !== process.pid && isRunning(holder)) {
      throw new UsageError(
        `Process ${holder} is writing this output. Wait for it, or remove ${path} if that is no tandem of yours.`,
      );
    }
    rmSync(path, { force: true });
  }
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function isRunning(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
