// Runs the server that was built, for `npm start`, and passes signals on to it.

import { spawn } from "node:child_process";
import { root } from "./prepare.mjs";

// A larger young generation: a busy server otherwise spends much of its time copying objects that live for one request,
// and one that starts what it loads.
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
// A terminal signals the whole process group and systemd may, too; the server counts signals of one moment once.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => server.kill(signal));
server.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
