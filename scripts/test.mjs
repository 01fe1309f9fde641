// `npm test`: installs what is missing, builds, checks the code, runs every test in its quick form, and counts.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installDebianPackages } from "./debian.mjs";
import { build, installPackages, requireNode, run } from "./prepare.mjs";

requireNode(20, 12);
await installPackages();
await installDebianPackages();
await build();
const { runChecks } = await import("./check.mjs");
const checks = runChecks();

const scratch = mkdtempSync(join(tmpdir(), "tandem-test-"));
const report = join(scratch, "report.json");
const files = process.argv.slice(2);
const code = await run(process.execPath, [
  "node_modules/vitest/vitest.mjs",
  "run",
  "--reporter=default",
  "--reporter=json",
  `--outputFile.json=${report}`,
  ...files,
]);
const tests = readReport();
rmSync(scratch, { recursive: true });

const failed = tests.failed + checks.failed + (code !== 0 && tests.failed === 0 ? 1 : 0);
const skipped = tests.skipped === 0 ? "" : `, ${tests.skipped} skipped`;
console.log(`${tests.passed + checks.passed} passed, ${failed} failed${skipped}`);
process.exitCode = failed === 0 ? 0 : 1;

function readReport() {
  try {
    const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, "utf8"));
    return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}
