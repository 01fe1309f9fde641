// Loads the server, which is a separate entry in the build, with V8's compiled code from the first time the same file
// was loaded. This code cache is a file beside the server's and saves a third of the start time.
//
// Guarantees: cached code is used only with exactly the file, V8 version and flags that it was made with. If there is
// no cache, V8 rejects it, or it cannot be written, the file is compiled as usual.

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

/** The exports of a CommonJS file. */
export function loadKept<Exports>(file: string): Exports {
  const require = createRequire(file);
  // Node applies source maps only to files that it has loaded itself.
  if (process.sourceMapsEnabled) return require(file) as Exports;
  const place = placeFor(file);
  const cachedData = contentOf(place);
  // The build's output is ASCII.
  const script = new Script(Module.wrap(readFileSync(file, "latin1")), { filename: file, cachedData });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, require, module, file, dirname(file));
  if (!cachedData || script.cachedDataRejected) keep(place, script.createCachedData());
  return module.exports as Exports;
}

/**
 * The name contains what V8 checks, and the file's version, which V8 does not check. The change time (ctime) cannot be
 * set, unlike the modification time, which images and archives make the same for all versions.
 */
function placeFor(file: string): string {
  const { size, mtimeMs, ctimeMs } = statSync(file);
  const version = [cachedDataVersionTag(), size, Math.floor(mtimeMs), Math.floor(ctimeMs)];
  return `${file}.${version.map((part) => part.toString(36)).join("-")}.code`;
}

/** V8 runs damaged code, so the cache has a checksum. */
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

/** Atomic, because another process may read or write the same file. */
function keep(place: string, code: Uint8Array): void {
  const partial = `${place}.${randomUUID()}`;
  const checksum = Buffer.alloc(CHECKSUM_OCTETS);
  checksum.writeUInt32BE(crc32(code));
  try {
    writeFileSync(partial, Buffer.concat([code, checksum]));
    renameSync(partial, place);
  } catch {
    // No permission to write, or no space: the next start compiles again.
  }
}
