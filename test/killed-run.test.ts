// A test run that is killed leaves nothing behind.

import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Starts another test run, which has a PostgreSQL and a server, and hangs. */
async function hangingRun() {
  const run = spawn(
    process.execPath,
    [
      "node_modules/vitest/vitest.mjs",
      "run",
      "--config",
      "test/fakes/killed-run.config.ts",
      "--disable-console-intercept",
    ],
    { cwd: ROOT, detached: true, stdio: ["ignore", "pipe", "pipe"] },
  );
  const pid = run.pid as number;
  const kill = () => {
    if (run.exitCode === null && run.signalCode === null) process.kill(-pid, "SIGKILL");
  };
  onTestFinished(kill);
  let output = "";
  const begun = await new Promise<{ readonly directory: string }>((resolve, reject) => {
    run.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      const line = /^\{.*\}$/m.exec(output)?.[0];
      if (line) resolve(JSON.parse(line) as { directory: string });
    });
    run.once("exit", () => reject(new Error(output)));
  });
  return { ...begun, kill };
}

/** Command lines of processes that were started for the run. */
function processesOf(directory: string): readonly string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
        const environment = readFileSync(`/proc/${pid}/environ`, "utf8");
        return `${command} ${environment}`.includes(directory) && !command.includes("run-watchdog") ? [command] : [];
      } catch {
        return [];
      }
    });
}

test.skipIf(process.platform !== "linux")("a test run that is killed leaves no server and no directory", async () => {
  const { directory, kill } = await hangingRun();
  expect(processesOf(directory).join("\n")).toMatch(/postgres/);
  kill();
  await expect.poll(() => processesOf(directory)).toEqual([]);
  await expect.poll(() => existsSync(directory)).toBe(false);
});
