// Runs the built server for `npm start`, and forwards signals to it.

import { spawn } from "node:child_process";
import { root } from "./prepare.mjs";

// A larger young generation: otherwise a busy server spends much of its time copying objects that live for one request,
// and a starting one copies what it loads.
const server = spawn(
  process.execPath,
  ["--enable-source-maps", "--min-semi-space-size=16", "--max-semi-space-size=32", "dist/tandem.js", "serve"],
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
// A terminal signals the whole process group, and systemd may do so too; the server counts simultaneous signals as one.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => server.kill(signal));
server.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
