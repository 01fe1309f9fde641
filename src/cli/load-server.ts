// Loads the server, which is an entry of its own in the build, with the code that V8 compiled when the same file was
// loaded for the first time. It is kept beside the file and spares a third of what a start costs.
//
// Guarantees: kept code is used only with the very file, V8 and flags that it was made with; where there is none, where
// V8 refuses it and where none can be kept, the file is compiled as usual.

import { randomUUID } from "node:crypto";
import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { cachedDataVersionTag } from "node:v8";
import { Script } from "node:vm";
import { crc32 } from "node:zlib";

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

/**
 * Named by what V8 would refuse, and by the file's version, at which V8 does not look. The time of a change cannot be
 * set, unlike that of a modification, which images and archives make the same for all versions.
 */
function placeFor(file: string): string {
  const { size, mtimeMs, ctimeMs } = statSync(file);
  const version = [cachedDataVersionTag(), size, Math.floor(mtimeMs), Math.floor(ctimeMs)];
  return `${file}.${version.map((part) => part.toString(36)).join("-")}.code`;
}

/** V8 runs code that was damaged: it is kept with its checksum. */
function contentOf(place: string): Buffer | undefined {
  try {
    const content = readFileSync(place);
    const code = content.subarray(0, -CHECKSUM_OCTETS);
    return content.length > CHECKSUM_OCTETS && crc32(code) === content.readUInt32BE(code.length) ? code : undefined;
  } catch {
    return undefined;
  }
}

const CHECKSUM_OCTETS = 4;

/** Another process may read or write the same file. */
function keep(place: string, code: Uint8Array): void {
  const partial = `${place}.${randomUUID()}`;
  const checksum = Buffer.alloc(CHECKSUM_OCTETS);
  checksum.writeUInt32BE(crc32(code));
  try {
    writeFileSync(partial, Buffer.concat([code, checksum]));
    renameSync(partial, place);
  } catch {
    // Not ours to write, or no room: the next start compiles again.
  }
}
