// Runs vitest and counts tests, for the scripts that end with `N passed, N failed`.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { run } from "./prepare.mjs";

export async function runVitest(args, env = {}) {
  const scratch = mkdtempSync(join(tmpdir(), "tandem-report-"));
  const report = join(scratch, "report.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const code = await run(process.execPath, ["node_modules/vitest/vitest.mjs", "run", ...reporters, ...args], {
    env: { ...process.env, ...env },
  });
  const counts = readCounts(report);
  rmSync(scratch, { recursive: true });
  // A worker that died, for example, fails the run without a test or a file that says so.
  if (code !== 0 && counts.failed === 0) counts.failed = 1;
  return counts;
}

function readCounts(report) {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(readFileSync(report, "utf8"));
    const brokenFiles = testResults.filter(isBroken);
    return {
      passed: numPassedTests,
      failed: numFailedTests + brokenFiles.length,
      skipped: numPendingTests,
      failures: [
        ...brokenFiles.map(
          ({ name, message }) => `${relative(".", name)}\n  ${message || "A hook failed: see above."}`,
        ),
        ...testResults.flatMap(failuresOf),
      ],
    };
  } catch {
    return { passed: 0, failed: 1, skipped: 0, failures: [] };
  }
}

/** It did not load, or a hook failed: none of its tests failed, but some did not run. */
function isBroken({ status, assertionResults }) {
  return status === "failed" && assertionResults.every((test) => test.status !== "failed");
}

function failuresOf({ name: file, assertionResults }) {
  return assertionResults
    .filter(({ status }) => status === "failed")
    .map(({ fullName, failureMessages }) => `${relative(".", file)}: ${fullName}\n  ${failureMessages.join("\n  ")}`);
}

/** Prints the failures again, because only the end of a log may be kept, and the summary line. */
export function closeWith({ passed, failed, skipped, failures }) {
  for (const failure of failures) console.log(`✗ ${failure}`);
  console.log(`${passed} passed, ${failed} failed${skipped === 0 ? "" : `, ${skipped} skipped`}`);
  process.exitCode = failed === 0 ? 0 : 1;
}
