// Loads the server, which is an entry of its own in the build, with the code that V8 compiled when the same file was
// loaded for the first time. It is kept beside the file and spares a third of what a start costs.
//
// Guarantees: kept code is used only with the very file, V8 and flags that it was made with; where there is none, where
// V8 refuses it and where none can be kept, the file is compiled as usual.

import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { cachedDataVersionTag } from "node:v8";
import { Script } from "node:vm";

type Server = typeof import("../server/main/serve.ts");

const BUILT_SERVER = fileURLToPath(new URL("./serve.cjs", import.meta.url));

export const loadServer = (): Server => loadKept<Server>(BUILT_SERVER);

/** What a file in CommonJS exports. */
export function loadKept<Exports>(file: string): Exports {
  const require = createRequire(file);
  // Node shows places in the source only of what it has loaded itself.
  if (process.sourceMapsEnabled) return require(file) as Exports;
  const place = placeFor(file);
  const cachedData = contentOf(place);
  // The build writes ASCII.
  const script = new Script(Module.wrap(readFileSync(file, "latin1")), { filename: file, cachedData });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, require, module, file, dirname(file));
  if (!cachedData || script.cachedDataRejected) keep(place, script.createCachedData());
  return module.exports as Exports;
}

/** Named by what V8 does not look at, the file's version, and by what it would refuse. */
function placeFor(file: string): string {
  const { size, mtimeMs } = statSync(file);
  return `${file}.${[cachedDataVersionTag(), size, Math.floor(mtimeMs)].map((part) => part.toString(36)).join("-")}.code`;
}

function contentOf(place: string): Buffer | undefined {
  try {
    return readFileSync(place);
  } catch {
    return undefined;
  }
}

/** Another process may read or write the same file. */
function keep(place: string, code: Uint8Array): void {
  const partial = `${place}.${process.pid}`;
  try {
    writeFileSync(partial, code);
    renameSync(partial, place);
  } catch {
    // Not ours to write, or no room: the next start compiles again.
  }
}
