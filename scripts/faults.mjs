// `npm run faults -- [NAME]`: the long form of the kill, mutation, storm and soak tests whose names begin with NAME, or
// of all.

import { readdirSync } from "node:fs";
import { installDebianPackages } from "./debian.mjs";
import { build, installPackages, requireNode, root } from "./prepare.mjs";
import { closeWith, runVitest } from "./run-vitest.mjs";

requireNode();
const [name = ""] = process.argv.slice(2);
const folder = "test/faults";
const names = readdirSync(`${root}${folder}`).flatMap((file) => /^(.+)\.test\.ts$/.exec(file)?.[1] ?? []);
if (!names.some((known) => known.startsWith(name))) {
  console.error(`usage: npm run faults -- [NAME], where NAME is the beginning of one of: ${names.join(", ")}`);
  process.exit(2);
}
await installPackages("all");
await installDebianPackages("image");
await build();
closeWith(await runVitest([`${folder}/${name}`], { FAULTS: "long" }));
