// The program of the media thread, built from the sources as they are: a thread cannot load TypeScript by itself.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

let built: Promise<URL> | undefined;

export function mediaWorkerFile(): Promise<URL> {
  built ??= buildWorker();
  return built;
}

async function buildWorker(): Promise<URL> {
  const folder = mkdtempSync(join(tmpdir(), "tandem-media-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const outfile = join(folder, "media-worker.mjs");
  const entry = new URL("../../src/adapters/rtp/media-worker.ts", import.meta.url).pathname;
  await build({ entryPoints: [entry], outfile, bundle: true, packages: "external", platform: "node", format: "esm" });
  return pathToFileURL(outfile);
}
