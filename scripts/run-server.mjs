// Runs the built server for `npm start`, and forwards signals to it.

import { spawn } from "node:child_process";
import { root } from "./prepare.mjs";
import { RUNTIME_FLAGS } from "./runtime-flags.mjs";

// With source maps stack traces name lines of the sources; the server starts a little later.
const server = spawn(process.execPath, ["--enable-source-maps", ...RUNTIME_FLAGS, "dist/tandem.js", "serve"], {
  cwd: root,
  stdio: "inherit",
  env: {
    ...process.env,
    TANDEM_SANDBOX: process.env.TANDEM_SANDBOX ?? "on",
    TANDEM_LOG_LEVEL: process.env.TANDEM_LOG_LEVEL ?? "warn",
  },
});
// A terminal signals the whole process group, and systemd may do so too; the server counts simultaneous signals as one.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => server.kill(signal));
server.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
