// `node scripts/install.mjs run|all|release`: installs missing packages, before scripts of package.json that need them.

import { installPackages, requireNode } from "./prepare.mjs";

requireNode();
const [what] = process.argv.slice(2);
await installPackages(what === "run" ? "run" : "all");
if (what === "release") {
  const { installImageBuilder } = await import("./debian.mjs");
  await installImageBuilder();
}
