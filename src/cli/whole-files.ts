// Files that are read and written whole; `-` in place of a name is standard input or output.

import { readFileSync, writeFileSync } from "node:fs";
import { STANDARD_STREAM } from "./bulk/standard-streams.ts";
import { UsageError } from "./exit-codes.ts";
import { printDone, writeOutput } from "./output.ts";

let isInputTaken = false;

export function readWhole(path: string): Buffer {
  const isInput = path === STANDARD_STREAM;
  if (isInput && isInputTaken) throw new UsageError("Standard input can stand for one file only: name the others.");
  isInputTaken ||= isInput;
  try {
    return readFileSync(isInput ? 0 : path);
  } catch (error) {
    throw new UsageError(`${isInput ? "Standard input" : path} cannot be read: ${(error as Error).message}`);
  }
}

export interface WrittenFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Printed as JSON together with the file's name and size. */
  readonly about?: object;
  /** The text that is printed after the file's name. */
  readonly text: string;
}

/** Reports what was written, unless it went to standard output. An existing file is never replaced. */
export async function writeNew(
  { path, bytes, about, text }: WrittenFile,
  flags: { readonly json?: true },
): Promise<void> {
  if (path === STANDARD_STREAM) {
    if (flags.json) throw new UsageError("Both --json and a file to standard output: choose one.");
    await writeOutput(bytes);
    return;
  }
  try {
    writeFileSync(path, bytes, { flag: "wx" });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === "EEXIST" ? "is there already: choose another name" : `cannot be written (${code})`;
    throw new UsageError(`${path} ${why}.`);
  }
  printDone({ file: path, sizeBytes: bytes.length, ...about }, flags, `${path}${text}`);
}
