// `node scripts/install.mjs run|all`: installs missing packages, before scripts of package.json that need them.

import { installPackages, requireNode } from "./prepare.mjs";

requireNode();
await installPackages(process.argv[2] === "run" ? "run" : "all");
