// The program that holds the sockets of media, built from the sources as they are: neither a thread nor a process can
// load TypeScript by itself. It is built below node_modules, where it finds packages.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));
let built: Promise<URL> | undefined;

export function mediaWorkerFile(): Promise<URL> {
  built ??= buildWorker();
  return built;
}

async function buildWorker(): Promise<URL> {
  const outdir = join(root, "node_modules/.cache", `media-worker-${process.pid}`);
  process.once("exit", () => rmSync(outdir, { recursive: true, force: true }));
  await build({
    entryPoints: [join(root, "src/adapters/rtp/media-worker.ts")],
    outdir,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    outExtension: { ".js": ".mjs" },
  });
  return pathToFileURL(join(outdir, "media-worker.mjs"));
}
