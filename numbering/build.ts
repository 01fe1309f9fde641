// Builds the embedded numbering table: tsx numbering/build.ts [--sources DIR] [--out FILE]

import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { buildTable } from "./build-table.ts";
import { SourceError } from "./read-csv.ts";

function main(): void {
  const here = import.meta.dirname;
  const { values } = parseArgs({
    options: {
      sources: { type: "string", default: join(here, "sources") },
      out: { type: "string", default: join(here, "..", "dist", "numbering.bin") },
    },
  });
  const { bytes, counts, intervalCount, holderCount } = buildTable(values.sources);
  for (const { name, date, rows, skipped } of counts) {
    console.log(`${name} (${date}): ${rows} prefixes${skipped ? `, ${skipped} left to the NANP list` : ""}`);
  }
  mkdirSync(dirname(values.out), { recursive: true });
  // Written to a temporary file and renamed, so that a starting server never reads an incomplete table.
  const aside = `${values.out}.${process.pid}.tmp`;
  writeFileSync(aside, bytes);
  renameSync(aside, values.out);
  console.log(`${values.out}: ${intervalCount} intervals, ${holderCount} holders, ${bytes.length} bytes`);
}

try {
  main();
} catch (error) {
  const isUsersFault = error instanceof SourceError || (error instanceof Error && "code" in error);
  console.error(isUsersFault ? `numbering: ${error.message}` : error);
  process.exitCode = 1;
}
