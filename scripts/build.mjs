// Builds dist/: the program with its packages, split so that a command loads only what it needs, and the numbering
// table. A file that is loaded whole starts in two thirds of the time that its packages take from node_modules.

import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { build } from "esbuild";
import { root, runOrExit } from "./prepare.mjs";

// The same heap setting as in scripts/run-server.mjs.
const SHEBANG = "#!/usr/bin/env -S node --max-semi-space-size=32";
// For packages in CommonJS, which call it for Node's own modules.
const REQUIRE = 'import{createRequire as requireFrom}from"node:module";const require=requireFrom(import.meta.url);';

const { metafile } = await build({
  absWorkingDir: root,
  // Threads and encoders are programs of their own; who starts them looks for them beside the file it stands in itself.
  entryPoints: {
    tandem: "src/cli/main.ts",
    "media-worker": "src/adapters/rtp/media-worker.ts",
    "flite-worker": "src/adapters/speech/flite-worker.ts",
    "mp3-encoder": "src/adapters/recordings/mp3-encoder.ts",
  },
  outdir: "dist",
  bundle: true,
  platform: "node",
  target: "node20",
  format: "esm",
  splitting: true,
  sourcemap: true,
  minifySyntax: true,
  minifyWhitespace: true,
  banner: { js: `${SHEBANG}\n${REQUIRE}` },
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
