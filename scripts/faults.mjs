// `npm run faults -- [NAME]`: the long form of one kill, mutation, storm or soak test, or of all of them.

import { existsSync, readdirSync } from "node:fs";
import { installDebianPackages } from "./debian.mjs";
import { build, installPackages, requireNode, root } from "./prepare.mjs";
import { closeWith, runVitest } from "./run-vitest.mjs";

requireNode();
const name = process.argv[2];
const folder = "test/faults";
if (name !== undefined && !existsSync(`${root}${folder}/${name}.test.ts`)) {
  const names = readdirSync(`${root}${folder}`).flatMap((file) => /^(.+)\.test\.ts$/.exec(file)?.[1] ?? []);
  console.error(`usage: npm run faults -- [NAME], where NAME is one of: ${names.join(", ")}`);
  process.exit(2);
}
await installPackages();
await installDebianPackages();
await build();
closeWith(await runVitest([name === undefined ? `${folder}/` : `${folder}/${name}.test.ts`], { FAULTS: "long" }));
