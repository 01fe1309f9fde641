// Loads the embedded numbering table. No lookup works without it, so a fault stops the start and says how to mend it.

import { readFileSync } from "node:fs";
import { type OpenNumberingTable, openNumberingTable } from "../domain/lookup/index.ts";

export function loadNumberingTable(file: string): OpenNumberingTable {
  const table = openNumberingTable(readBytes(file));
  if (!table.ok) throw unusable(file, table.refusal.reason);
  return table.value;
}

function readBytes(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw unusable(file, code === "ENOENT" ? "the file is missing" : `it cannot be read (${code})`, error);
  }
}

function unusable(file: string, what: string, cause?: unknown): Error {
  return new Error(`The numbering table ${file} is unusable: ${what}. Run \`npm run build:numbering\` to rebuild it.`, {
    cause,
  });
}
