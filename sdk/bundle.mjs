// Bundles the SDK into dist/index.js. A file that is there is replaced at once, so that whoever runs it meanwhile gets a
// whole one.

import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const folder = fileURLToPath(new URL(".", import.meta.url));

export async function bundleSdk() {
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: ["src/index.ts"],
    outdir: "dist",
    bundle: true,
    platform: "neutral",
    target: "es2022",
    format: "esm",
    charset: "utf8",
    logLevel: "warning",
    write: false,
  });
  mkdirSync(`${folder}dist`, { recursive: true });
  const partial = `${folder}dist/index.js.${process.pid}`;
  writeFileSync(partial, outputFiles[0].contents);
  renameSync(partial, `${folder}dist/index.js`);
}
