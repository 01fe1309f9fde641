// `-` in place of a file: standard input and output. Both pass through files in a directory that is removed after the
// command, because the input is read twice and the output is written only when it is complete.

import { createReadStream, createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { EXIT, UsageError } from "../exit-codes.ts";
import { writeOutput } from "../output.ts";
import { stopSignal } from "../stop-signal.ts";

/** Replaces a file's name. */
export const STANDARD_STREAM = "-";

export interface CsvFiles {
  /** The paths of the files. */
  readonly csv: string;
  readonly out: string;
  /** The names in messages. */
  readonly csvName: string;
  readonly outName: string;
  /** Whether a stopped run can be resumed later. */
  readonly isOutKept: boolean;
}

/** Calls `work` with files, also for standard streams. `work` returns the exit code and whether the output is whole. */
export async function withFiles(
  given: { readonly csv: string; readonly out: string },
  work: (files: CsvFiles) => Promise<{ readonly code: number; readonly isWhole: boolean }>,
): Promise<number> {
  const isIn = given.csv === STANDARD_STREAM;
  const isOut = given.out === STANDARD_STREAM;
  const directory = isIn || isOut ? mkdtempSync(join(tmpdir(), "tandem-pipe-")) : "";
  try {
    const files = {
      csv: isIn ? join(directory, "in.csv") : given.csv,
      out: isOut ? join(directory, "out.csv") : given.out,
      csvName: isIn ? "standard input" : given.csv,
      outName: isOut ? "standard output" : given.out,
      isOutKept: !isOut,
    };
    if (isIn && !(await readInput(files.csv))) return EXIT.interrupted;
    const { code, isWhole } = await work(files);
    if (isOut && isWhole) await writeFile(files.out);
    return code;
  } finally {
    if (directory !== "") rmSync(directory, { recursive: true, force: true });
  }
}

/** False when reading was interrupted. */
async function readInput(path: string): Promise<boolean> {
  const signal = stopSignal();
  try {
    await pipeline(process.stdin, createWriteStream(path, { mode: 0o600 }), { signal });
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw new UsageError(`Standard input cannot be read: ${(error as Error).message}.`);
  }
}

async function writeFile(path: string): Promise<void> {
  for await (const chunk of createReadStream(path)) if (!(await writeOutput(chunk as Buffer))) return;
}
