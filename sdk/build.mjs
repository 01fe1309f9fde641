// Builds dist/, which is what the package contains: one file of JavaScript and its declarations. Within the repository
// only the examples need it, and only the first: elsewhere `@tandem/sdk` is its source (`paths` in tsconfig.json).

import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { bundleSdk } from "./bundle.mjs";

const folder = fileURLToPath(new URL(".", import.meta.url));
const dist = `${folder}dist/`;

await bundleSdk();
for (const name of readdirSync(dist)) if (name !== "index.js") rmSync(`${dist}${name}`, { recursive: true });
const compiler = fileURLToPath(new URL("../node_modules/@typescript/native/bin/tsc", import.meta.url));
const { status } = spawnSync(process.execPath, [compiler, "-p", folder], { stdio: "inherit" });
if (status !== 0) process.exit(1);
// The compiler leaves the names of source files in declarations.
for (const name of readdirSync(dist, { recursive: true }).filter((name) => name.endsWith(".d.ts"))) {
  const text = readFileSync(`${dist}${name}`, "utf8");
  writeFileSync(`${dist}${name}`, text.replace(/(?<=from "\.\.?\/[^"]+)\.ts(?=";)/g, ".js"));
}
