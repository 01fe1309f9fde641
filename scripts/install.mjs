// `node scripts/install.mjs run|all`: installs what is missing, before scripts of package.json that need it.

import { installPackages, requireNode } from "./prepare.mjs";

requireNode();
await installPackages(process.argv[2] === "run" ? "run" : "all");
