// `npm start`: from a fresh clone to a running server with a demo account.

import { build, installPackages, requireNode } from "./prepare.mjs";

requireNode();
await installPackages("run");
console.log("· building");
await build();
await import("./run-server.mjs");
