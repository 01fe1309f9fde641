// Builds dist/: the program bundled with its packages and split so that a command loads only what it needs, the server
// in one file, the portal, the script of the reference, and the tables of numbers. A bundled file starts in two thirds
// of the time that loading its packages from node_modules takes.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { build } from "esbuild";
import { bundleSdk } from "../sdk/bundle.mjs";
import { root, runOrExit } from "./prepare.mjs";
import { RUNTIME_FLAGS } from "./runtime-flags.mjs";

const SHEBANG = `#!/usr/bin/env -S node ${RUNTIME_FLAGS.join(" ")}`;
// For CommonJS packages, which call `require` for Node's own modules.
const REQUIRE = 'import{createRequire as requireFrom}from"node:module";const require=requireFrom(import.meta.url);';

// For CommonJS files, which have no `import.meta`.
const OWN_URL = 'const ownUrl=require("node:url").pathToFileURL(__filename).href;';

/** The commit of the sources; null outside a clone. Backups contain it. */
const git = spawnSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" });
const commit = git.status === 0 ? git.stdout.trim() : null;

// The steps are independent; the program comes last, because it keeps this process busy. The SDK is bundled for the
// examples, which run with Node alone.
await Promise.all([buildTables(), buildPortal(), bundleSdk(), buildProgram()]);

async function buildProgram() {
  const shared = {
    absWorkingDir: root,
    outdir: "dist",
    bundle: true,
    platform: "node",
    target: "node20",
    sourcemap: true,
    minifySyntax: true,
    minifyWhitespace: true,
    logLevel: "warning",
    metafile: true,
  };
  const define = {
    TANDEM_COMMIT: JSON.stringify(commit),
    // Packages check it to detect Cloudflare. Node 20 has no navigator, so pg would create a Response to find out, and
    // Node would load all of its fetch for that.
    navigator: JSON.stringify({ userAgent: "Node.js" }),
    // undici checks Node's Headers in addition to its own, and Node would load all of its fetch for that.
    "globalThis.Headers": "undefined",
  };
  const built = await Promise.all([
    build({
      ...shared,
      // Threads and encoders are programs of their own; their starter expects them in its own directory.
      entryPoints: {
        tandem: "src/cli/main.ts",
        "media-worker": "src/adapters/rtp/media-worker.ts",
        "flite-worker": "src/adapters/speech/flite-worker.ts",
        "mp3-thread": "src/adapters/sounds/mp3-thread.ts",
        "mp3-encoder": "src/adapters/recordings/mp3-encoder.ts",
      },
      format: "esm",
      splitting: true,
      banner: { js: `${SHEBANG}\n${REQUIRE}` },
      define,
    }),
    // CommonJS, because its compiled code can be cached (src/cli/load-server.ts).
    build({
      ...shared,
      entryPoints: { serve: "src/server/main/serve.ts" },
      format: "cjs",
      outExtension: { ".js": ".cjs" },
      banner: { js: OWN_URL },
      define: { ...define, "import.meta.url": "ownUrl" },
      // A script that is compiled from the cache cannot import, so `import()` becomes `require`.
      supported: { "dynamic-import": false },
    }),
  ]);
  const outputs = built.flatMap(({ metafile }) => Object.keys(metafile.outputs));
  const stale = readdirSync(`${root}dist`).filter(
    (name) => /\.c?js(\.map|\..*code.*)?$/.test(name) && !outputs.includes(`dist/${name}`),
  );
  for (const name of stale) rmSync(`${root}dist/${name}`);
  chmodSync(`${root}dist/tandem.js`, 0o755);
  // The pages of the API load Redoc.
  cpSync(`${root}vendor/redoc`, `${root}dist/docs`, { recursive: true });
}

/** Rebuilds the portal only when a file was changed, added or removed. */
async function buildPortal() {
  const portalDigest = createHash("sha256");
  for (const file of [
    ...filesOf("portal"),
    ...filesOf("sdk/src"),
    ...filesOf("rules"),
    `${root}package-lock.json`,
  ].sort()) {
    portalDigest
      .update(`${file.slice(root.length)}\0`)
      .update(readFileSync(file))
      .update("\0");
  }
  const [portalStamp, portalState] = [`${root}dist/portal.digest`, portalDigest.digest("hex")];
  const isBuilt = existsSync(`${root}dist/portal/index.html`) && existsSync(portalStamp);
  if (!isBuilt || readFileSync(portalStamp, "utf8") !== portalState) {
    rmSync(portalStamp, { force: true });
    await runOrExit(process.execPath, ["../node_modules/vite/bin/vite.js", "build", "--logLevel", "warn"], {
      cwd: `${root}portal`,
    });
    writeFileSync(portalStamp, portalState);
  }
}

async function buildTables() {
  const tables = [`${root}dist/numbering.bin`, `${root}dist/places.bin`];
  const inputs = filesOf("numbering");
  const newest = Math.max(...inputs.map((file) => statSync(file).mtimeMs));
  if (tables.some((table) => !existsSync(table) || statSync(table).mtimeMs < newest)) {
    await runOrExit(process.execPath, ["--import", "tsx", "numbering/build.ts"]);
  }
}

function filesOf(folder) {
  return readdirSync(`${root}${folder}`, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath ?? entry.path}/${entry.name}`);
}
