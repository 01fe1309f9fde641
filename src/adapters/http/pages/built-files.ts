// The files of a build folder in their current state: after a new build, the new files are served.
//
// Guarantees: only files that were there when the folder was read are served, so no address leads out of it.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type StaticFile, staticFile } from "./static-file.ts";

export const INDEX = "index.html";

/** By address, `/assets/index-….js`. */
export type BuiltFiles = ReadonlyMap<string, StaticFile>;

/** Returns undefined when nothing is built. The index page is written last, so its time is that of the build. */
export function builtFilesIn(directory: string): () => BuiltFiles | undefined {
  let known: { readonly builtMs: number; readonly files: BuiltFiles } | undefined;
  return () => {
    const builtMs = statSync(join(directory, INDEX), { throwIfNoEntry: false })?.mtimeMs;
    if (builtMs === undefined) known = undefined;
    else if (known?.builtMs !== builtMs) known = { builtMs, files: readFiles(directory) };
    return known?.files;
  };
}

function readFiles(directory: string): BuiltFiles {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    entries.map((entry) => {
      const file = join(entry.parentPath ?? entry.path, entry.name);
      return [file.slice(directory.length).replaceAll("\\", "/"), staticFile(entry.name, readFileSync(file))];
    }),
  );
}
