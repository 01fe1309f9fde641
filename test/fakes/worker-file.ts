// The program of a thread or process, built from the current sources: neither can load TypeScript by itself. It is
// built below node_modules, where it finds packages.

import { rmSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));
const built = new Map<string, Promise<URL>>();

/** `source` is a path from the root of the repository. */
export function workerFile(source: string): Promise<URL> {
  const file = built.get(source) ?? buildWorker(source);
  built.set(source, file);
  return file;
}

export const mediaWorkerFile = () => workerFile("src/adapters/rtp/media-worker.ts");
export const fliteWorkerFile = () => workerFile("src/adapters/speech/flite-worker.ts");
export const mp3ThreadFile = () => workerFile("src/adapters/sounds/mp3-thread.ts");
export const mp3EncoderFile = () => workerFile("src/adapters/recordings/mp3-encoder.ts");

async function buildWorker(source: string): Promise<URL> {
  const name = basename(source, ".ts");
  const outdir = join(root, "node_modules/.cache", `${name}-${process.pid}`);
  process.once("exit", () => rmSync(outdir, { recursive: true, force: true }));
  await build({
    entryPoints: [join(root, source)],
    outdir,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    outExtension: { ".js": ".mjs" },
  });
  return pathToFileURL(join(outdir, `${name}.mjs`));
}
