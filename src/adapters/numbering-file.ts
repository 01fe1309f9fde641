// Loads the embedded tables. No lookup works without the table of carriers, so a fault in it stops the start with an
// error that names the remedy. The table of places is read on first use.

import { readFileSync } from "node:fs";
import { type OpenNumberingTable, openNumberingTable, type Places } from "../domain/lookup/index.ts";

export function loadNumberingTable(file: string): OpenNumberingTable {
  const table = openNumberingTable(readBytes(file));
  if (!table.ok) throw unusable(file, table.refusal.reason);
  return table.value;
}

/** The file has the format of the numbering table; its holders are places. */
export function placesIn(file: string): Places {
  let table: OpenNumberingTable | undefined;
  return {
    placeOf(number) {
      table ??= loadNumberingTable(file);
      return table.holderOf(number)?.carrierName;
    },
  };
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
