// Builds dist/: the program, split so that a command loads only what it needs (packages stay in node_modules), and the
// numbering table.

import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { build } from "esbuild";
import { root, runOrExit } from "./prepare.mjs";

const { metafile } = await build({
  absWorkingDir: root,
  // The media thread is a program of its own; the engine looks for it beside the file it stands in itself.
  entryPoints: { tandem: "src/cli/main.ts", "media-worker": "src/adapters/rtp/media-worker.ts" },
  outdir: "dist",
  bundle: true,
  packages: "external",
  platform: "node",
  target: "node20",
  format: "esm",
  splitting: true,
  sourcemap: true,
  // The same heap setting as in scripts/run-server.mjs.
  banner: { js: "#!/usr/bin/env -S node --max-semi-space-size=32" },
  logLevel: "warning",
  metafile: true,
});
const stale = readdirSync(`${root}dist`).filter(
  (name) => /\.js(\.map)?$/.test(name) && !metafile.outputs[`dist/${name}`],
);
for (const name of stale) rmSync(`${root}dist/${name}`);

const table = `${root}dist/numbering.bin`;
const inputs = readdirSync(`${root}numbering`, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => `${entry.parentPath ?? entry.path}/${entry.name}`);
const newest = Math.max(...inputs.map((file) => statSync(file).mtimeMs));
if (!existsSync(table) || statSync(table).mtimeMs < newest) {
  await runOrExit(process.execPath, ["--import", "tsx", "numbering/build.ts"]);
}
