// The files of something that is built into a folder, as they are now: what is built anew is served anew.
//
// Guarantees: only files that were there when the folder was read are served, so no address leads out of it.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type StaticFile, staticFile } from "./static-file.ts";

export const INDEX = "index.html";

/** By address, `/assets/index-….js`. */
export type BuiltFiles = ReadonlyMap<string, StaticFile>;

/** Answers undefined where nothing is built. The page of the folder is written last and tells when. */
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
