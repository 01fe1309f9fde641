// Builds dist/, which is what the package contains: one file of JavaScript and its declarations. Within the repository
// nothing needs it: there `@tandem/sdk` is its source (`paths` in tsconfig.json).

import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const folder = fileURLToPath(new URL(".", import.meta.url));
const dist = `${folder}dist/`;

rmSync(dist, { recursive: true, force: true });
await build({
  absWorkingDir: folder,
  entryPoints: ["src/index.ts"],
  outdir: "dist",
  bundle: true,
  platform: "neutral",
  target: "es2022",
  format: "esm",
  charset: "utf8",
  logLevel: "warning",
});
const compiler = fileURLToPath(new URL("../node_modules/@typescript/native/bin/tsc", import.meta.url));
const { status } = spawnSync(process.execPath, [compiler, "-p", folder], { stdio: "inherit" });
if (status !== 0) process.exit(1);
// The compiler leaves the names of source files in declarations.
for (const name of readdirSync(dist, { recursive: true }).filter((name) => name.endsWith(".d.ts"))) {
  const text = readFileSync(`${dist}${name}`, "utf8");
  writeFileSync(`${dist}${name}`, text.replace(/(?<=from "\.\.?\/[^"]+)\.ts(?=";)/g, ".js"));
}
