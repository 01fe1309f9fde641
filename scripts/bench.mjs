// `npm run bench -- NAME`: one benchmark that measures the peer and our program in one run; the last line is one JSON
// object. Arguments after the name are passed to the benchmark.

import { readdirSync } from "node:fs";
import { installDebianPackages } from "./debian.mjs";
import { build, installPackages, requireNode, root, run } from "./prepare.mjs";

requireNode();
const names = readdirSync(`${root}bench`, { withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
  .map((entry) => entry.name.slice(0, -3));
const [name, ...more] = process.argv.slice(2);
if (!names.includes(name)) {
  console.error(`usage: npm run bench -- NAME, where NAME is one of: ${names.join(", ")}`);
  process.exit(2);
}
await installPackages("all");
await installDebianPackages(name);
await build();
process.exitCode = await run(process.execPath, ["--import", "tsx", `bench/${name}.ts`, ...more]);
