// `npm start`: from a fresh clone to a running server with a demo account.

import { spawn } from "node:child_process";
import { build, installPackages, requireNode, root } from "./prepare.mjs";

requireNode();
await installPackages();
console.log("· building");
await build();

// A larger young generation: a busy server otherwise spends much of its time copying objects that live for one request.
const server = spawn(
  process.execPath,
  ["--enable-source-maps", "--max-semi-space-size=32", "dist/tandem.js", "serve"],
  {
    cwd: root,
    stdio: "inherit",
    env: {
      ...process.env,
      TANDEM_SANDBOX: process.env.TANDEM_SANDBOX ?? "on",
      TANDEM_LOG_LEVEL: process.env.TANDEM_LOG_LEVEL ?? "warn",
    },
  },
);
// The terminal signals the whole process group, so Ctrl-C reaches the server; only a SIGTERM to us is forwarded.
process.on("SIGINT", () => undefined);
process.on("SIGTERM", () => server.kill("SIGTERM"));
server.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
