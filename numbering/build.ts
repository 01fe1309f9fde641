// Builds the embedded tables of carriers and places: tsx numbering/build.ts [--sources DIR] [--out FILE]. With an
// option, it builds only the table that the options describe.

import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { buildTable } from "./build-table.ts";
import { SourceError } from "./read-csv.ts";

function main(): void {
  const here = import.meta.dirname;
  const dist = join(here, "..", "dist");
  const { values } = parseArgs({ options: { sources: { type: "string" }, out: { type: "string" } } });
  const { sources = join(here, "sources"), out = join(dist, "numbering.bin") } = values;
  writeTable(sources, out);
  if (Object.keys(values).length === 0) writeTable(join(here, "places"), join(dist, "places.bin"));
}

function writeTable(sources: string, out: string): void {
  const { bytes, counts, intervalCount, holderCount } = buildTable(sources);
  for (const { name, date, rows, skipped } of counts) {
    console.log(`${name} (${date}): ${rows} prefixes${skipped ? `, ${skipped} left to the NANP list` : ""}`);
  }
  mkdirSync(dirname(out), { recursive: true });
  // Written to a temporary file and renamed, so that a starting server never reads an incomplete table.
  const aside = `${out}.${process.pid}.tmp`;
  writeFileSync(aside, bytes);
  renameSync(aside, out);
  console.log(`${out}: ${intervalCount} intervals, ${holderCount} holders, ${bytes.length} bytes`);
}

try {
  main();
} catch (error) {
  const isUsersFault = error instanceof SourceError || (error instanceof Error && "code" in error);
  console.error(isUsersFault ? `numbering: ${error.message}` : error);
  process.exitCode = 1;
}
